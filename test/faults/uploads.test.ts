import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findPostmaster } from "#database/embedded/postmaster.ts";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { createPool } from "#shared/database/connect.ts";
import { sharp } from "#shared/images/sharp.ts";
import { APPLY, type FormPart, filePart, formType, PHOTO, SIGNATURE, writeForm } from "#test/application-form.ts";
import { type ChildSite, createChildSite } from "#test/child-site.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import {
  countOpenFiles,
  forgetPeak,
  openApplicant,
  readApplicantAnswer,
  readMemory,
  waitForCut,
  writeAll,
} from "./applicant.ts";

const MEGABYTE = 1024 * 1024;
const unlimited = { LIMITS_APPLICATIONS: "1000000", LIMITS_APPLICATIONS_PER_EMAIL: "1000000" };
const settings = (folder: string, databaseUrl: string) => ({
  databaseUrl,
  dataDir: folder,
  paywayUrl: "http://127.0.0.1:9/payway/rest/v1",
});
const times = { BODY_TIME_MS: "1200", UPLOAD_TIME_MS: "2500" };

let db: TestDatabase;
let dataDir: string;
/** Cuts off slow senders much sooner than a real site, so that tests end. */
let hasty: ChildSite;
/** Lets nobody wait long for others, and cuts nobody off during a test. */
let crowded: ChildSite;
let patient: ChildSite;
let files: FormPart[];
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "uploads-"));
  db = await createTestDatabase();
  const both = settings(dataDir, db.url);
  [hasty, crowded, patient] = await Promise.all([
    createChildSite({ ...both, name: "hasty", environment: { ...unlimited, ...times } }),
    createChildSite({ ...both, name: "crowded", environment: { ...unlimited, UPLOAD_WAIT_MS: "1500" } }),
    createChildSite({ ...both, name: "patient", environment: unlimited }),
  ]);
  await Promise.all([hasty.start(), crowded.start(), patient.start()]);
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#2a6f77" } })
    .jpeg()
    .toBuffer();
  files = [filePart(PHOTO, picture), filePart(SIGNATURE, picture)];
});
afterAll(async () => {
  await Promise.all([hasty.stop(), crowded.stop(), patient.stop()]);
  await db.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function countRows(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(
    `select (select count(*) from volunteer_applications) || ' ' || (select count(*) from private_files) || ' ' ||
       (select count(*) from captcha_uses) || ' ' || (select count(*) from volunteer_events) as counts`,
  );
  return rows[0].counts;
}

/** Waits until no email is due: the thread that composes them opens files, and uses memory. */
async function waitForEmails(): Promise<void> {
  const countDue = async () => {
    const { rows } = await db.pool.query(
      "select count(*)::int as due from pgboss.job where name = 'emails' and state in ('created', 'retry', 'active')",
    );
    return rows[0].due;
  };
  await expect.poll(countDue).toBe(0);
}

/** The start of a form whose photo never ends. */
const beginning = (length: number) =>
  Buffer.concat([writeForm([filePart(PHOTO, "")], { hasEnd: false }), Buffer.alloc(length)]);

longTest("VOL-11: interrupted uploads leave no row, open file or memory, and the next one is accepted", async () => {
  const applicant = await openApplicant(hasty, "198.51.100.1");
  expect((await applicant.apply(files)).status).toBe(200);
  await waitForEmails();
  const [rows, open, { now }] = [await countRows(db.pool), countOpenFiles(hasty), readMemory(hasty.pid())];
  for (let cut = 0; cut < 12; cut += 1) {
    const socket = await applicant.begin(20 * MEGABYTE);
    await writeAll(socket, beginning(cut === 0 ? 0 : 8 * MEGABYTE));
    if (cut % 2 === 0) socket.destroy();
    else socket.resetAndDestroy();
  }
  expect((await applicant.apply(files)).status).toBe(200);
  const [applications, ...others] = rows.split(" ").map(Number) as [number, number, number, number];
  expect(await countRows(db.pool)).toBe([applications + 1, others[0] + 2, others[1] + 1, others[2] + 1].join(" "));
  await waitForEmails();
  await expect.poll(() => countOpenFiles(hasty)).toBeLessThanOrEqual(open + 2);
  expect(readMemory(hasty.pid()).now - now).toBeLessThan(100 * MEGABYTE);
});

longTest(
  "VOL-11, API-11: a trickling form is cut off in time and keeps nobody else out; so is trickling JSON",
  async () => {
    const [slow, quick] = await Promise.all([
      openApplicant(hasty, "198.51.100.2"),
      openApplicant(hasty, "203.0.113.9"),
    ]);
    const form = await slow.begin(20 * MEGABYTE);
    form.write(beginning(10));
    const json = await slow.begin(50_000, { path: "/api/contact", type: "application/json" });
    const elsewhere = await slow.begin(50_000, { path: "/api/contact" });
    const cuts = Promise.all([form, json, elsewhere].map(waitForCut));
    expect((await quick.apply(files)).status).toBe(200);
    const [formMs = 0, jsonMs = 0, elsewhereMs = 0] = await cuts;
    expect(formMs).toBeGreaterThan(2000);
    expect(jsonMs).toBeLessThan(formMs);
    expect(elsewhereMs).toBeLessThan(formMs);
    expect((await slow.apply(files)).status).toBe(200);
  },
);

/** Files with this many bytes in total, for a form that uses part of the budget. */
const largeFiles = (bytes: number): FormPart[] =>
  files.map((part) => filePart(partName(part), padded(part.body, bytes / 2)));
const partName = ({ heads: [first = ""] }: FormPart) => /name="(\w+)"/.exec(first)![1]!;
const padded = (body: string | Buffer, length: number) => Buffer.concat([Buffer.from(body), Buffer.alloc(length)]);

longTest(
  "VOL-11: one slow sender gets at most a third of the budget, all together no more than the budget, and others are told when to retry",
  async () => {
    const others = await Promise.all([1, 2].map((n) => openApplicant(crowded, `2001:db8:0:${n}::1`)));
    const quick = await openApplicant(crowded, "203.0.113.10");
    const held: Socket[] = [];
    const hold = async (other: number) => {
      const socket = await others[other]!.begin(20 * MEGABYTE);
      socket.write(beginning(0));
      held.push(socket);
    };
    // As fast as a poor mobile connection: slower ones are cut off while others wait.
    const sending = setInterval(() => held.forEach((socket) => void socket.write(Buffer.alloc(25_000))), 250);
    onTestFinished(() => clearInterval(sending));
    await hold(0);
    // In the same /64, so it counts with the first.
    const neighbour = await openApplicant(crowded, "2001:db8:0:1::2");
    const [refused, taken] = await Promise.all([
      neighbour.apply(largeFiles(5 * MEGABYTE)),
      quick.apply(largeFiles(5 * MEGABYTE)),
    ]);
    expect([refused.status, refused.headers.get("retry-after"), refused.body.error]).toEqual([503, "10", "busy"]);
    expect(taken.status).toBe(200);

    await hold(1);
    await sleep(100);
    const answers = await Promise.all(Array.from({ length: 3 }, () => quick.apply(largeFiles(10 * MEGABYTE))));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    const later = quick.apply(largeFiles(10 * MEGABYTE));
    await sleep(150);
    for (const socket of held.splice(0)) socket.destroy();
    expect((await later).status).toBe(200);
  },
);

longTest(
  "API-6, API-11: a sender who reads only after writing 30 MB gets the refusal, and the connection stays usable",
  async () => {
    const applicant = await openApplicant(patient, "198.51.100.4");
    const stranger = { "x-forwarded-for": "198.51.100.4" };
    const large = Buffer.alloc(30 * MEGABYTE, "x");
    const odd = Buffer.concat([
      writeForm([{ heads: ["Content-Disposition: form-data"], body: "" }], { hasEnd: false }),
      large,
    ]);
    const tooMany = Buffer.concat([writeForm(Array(50).fill(filePart("other", "")), { hasEnd: false }), large]);
    const json = { path: "/api/contact", type: "application/json" };
    const refusals = [
      ["JSON that is too large", large, json, 413],
      ["a form that is too large", large, {}, 413],
      ["a form that is too large, without a forgery token", large, { headers: stranger }, 413],
      ["a form without a forgery token", writeForm(largeFiles(15 * MEGABYTE)), { headers: stranger }, 403],
      ["JSON instead of a form", large, { type: "application/json" }, 413],
      ["a form where JSON belongs", large, { path: "/api/contact" }, 415],
      ["a form to nowhere", large, { path: "/api/nowhere" }, 404],
      ["a part without a name", odd.subarray(0, 20 * MEGABYTE), {}, 400],
      ["too many files", tooMany.subarray(0, 20 * MEGABYTE), {}, 400],
      ["no end", Buffer.concat([beginning(0), large]).subarray(0, 20 * MEGABYTE), {}, 400],
    ] as const;
    for (const [what, bytes, where, status] of refusals) {
      const socket = await applicant.begin(bytes.length, where);
      await writeAll(socket, bytes);
      await sleep(20);
      const answer = await readApplicantAnswer(socket);
      expect([what, answer.status, answer.body.code]).toEqual([what, status, String(status)]);
      socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
      expect([what, (await readApplicantAnswer(socket)).status]).toEqual([what, 200]);
      socket.destroy();
    }
  },
);

test("VOL-11: a form sent in chunks of unknown length is accepted like any other, and one that is too large is refused", async () => {
  const applicant = await openApplicant(patient, "198.51.100.5");
  // Written before the first is sent: on a busy machine the server would close the connection meanwhile.
  const [small, large] = [files, [filePart(PHOTO, Buffer.alloc(30 * MEGABYTE)), files[1]!]].map(
    (parts) => new Blob([new Uint8Array(writeForm(parts))]),
  );
  const send = (form: Blob) =>
    fetch(patient.url + APPLY, {
      method: "POST",
      headers: { ...applicant.identity, "content-type": formType },
      // Node demands it, and the types do not know it.
      ...{ duplex: "half" },
      body: form.stream(),
    });
  expect((await send(small!)).status).toBe(422);
  const endless = await send(large!);
  expect([endless.status, (await endless.json()).data[PHOTO]]).toEqual([
    422,
    ["This picture is larger than 10 MB. Please choose a smaller one."],
  ]);
});

test("VOL-11, REL-1: a full disk at any point of storing is 503 with nothing half stored, and the same upload is accepted once there is room", async () => {
  const applicant = await openApplicant(patient, "198.51.100.6");
  const [key, captcha] = [randomUUID(), await applicant.captcha()];
  await db.pool.query(
    `create function disk_is_full() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
  );
  const before = await countRows(db.pool);
  for (const table of ["volunteer_applications", "private_files", "volunteer_events", "pgboss.job"]) {
    await db.pool.query(
      `create trigger full_disk before insert on ${table} for each row execute function disk_is_full()`,
    );
    const answer = await applicant.apply(files, { key, captcha });
    await db.pool.query(`drop trigger full_disk on ${table}`);
    expect([table, answer.status, answer.body.error]).toEqual([table, 503, "busy"]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(answer.body.message).toMatch(/\.$/);
    expect(await countRows(db.pool)).toBe(before);
  }
  expect((await applicant.apply(files, { key, captcha })).status).toBe(200);
});

longTest(
  "VOL-11, REL-1, REL-3: while the database restarts each upload is stored whole or told to retry, and is stored once",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "uploads-restart-"));
    const database = await startEmbeddedDatabase({ dataDir: folder });
    await migrate(database.url);
    const site = await createChildSite({
      ...settings(folder, database.url),
      name: "restarted",
      environment: unlimited,
    });
    const pool = createPool(database.url, () => undefined);
    try {
      await site.start();
      const applicant = await openApplicant(site, "198.51.100.7");
      const sendings = await Promise.all(
        Array.from({ length: 24 }, async () => ({ key: randomUUID(), captcha: await applicant.captcha() })),
      );
      const told: number[] = [];
      const waiting = [...sendings];
      const sendAll = async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const { status, headers } = await applicant.apply(files, next);
          told.push(status === 503 && headers.get("retry-after") === null ? 500 : status);
          if (told.length === 5) process.kill(findPostmaster(join(folder, "postgres", "data"))!.pid, "SIGQUIT");
        }
      };
      await Promise.all([sendAll(), sendAll(), sendAll(), sendAll()]);
      expect(new Set(told)).toEqual(new Set([200, 503]));
      const untilTaken = async (sending: (typeof sendings)[number]) => (await applicant.apply(files, sending)).status;
      for (const sending of sendings) await expect.poll(() => untilTaken(sending)).toBe(200);
      // Each has two pictures, one captcha and an event.
      expect(await countRows(pool)).toBe("24 48 24 24");
      const { rows } = await pool.query("select count(*) from pgboss.job where data ->> 'applicationId' is not null");
      expect(rows[0].count).toBe(48);
      expect(site.failures).toEqual([]);
    } finally {
      await site.kill();
      await pool.end();
      await database.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  },
);

test.each(isLongRun ? [8] : [])(
  "VOL-11, S7: memory grows by less than 200 MB with %i of the largest accepted applications at once",
  async (many) => {
    const applicants = await Promise.all(
      Array.from({ length: many }, (_, n) => openApplicant(patient, `198.51.100.${100 + n}`)),
    );
    const captchas = await Promise.all(applicants.map(({ captcha }) => captcha()));
    // Warm up: connections, threads and compiled code.
    for (const { status } of await Promise.all(applicants.map(({ apply }) => apply(files)))) expect(status).toBe(200);
    // The most pixels that may be decoded, in the most bytes that a file may have.
    const picture = await sharp({ create: { width: 3600, height: 3600, channels: 3, background: "#2a6f77" } })
      .jpeg({ progressive: true })
      .toBuffer();
    const largest = Buffer.concat([picture, Buffer.alloc(10 * MEGABYTE - picture.length)]);
    const pictures = [filePart(PHOTO, largest), filePart(SIGNATURE, largest)];
    const { now } = readMemory(patient.pid());
    forgetPeak(patient.pid());
    const answers = await Promise.all(applicants.map(({ apply }, n) => apply(pictures, { captcha: captchas[n]! })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect((readMemory(patient.pid()).peak - now) / MEGABYTE).toBeLessThan(200);
  },
);
