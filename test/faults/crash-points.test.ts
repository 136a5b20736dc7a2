import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashPoints } from "#payments/crash-points.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import type { TestDatabase } from "#test/database.ts";
import { isLongRun } from "#test/long-run.ts";
import { type CrashFixture, type CrashLife, openCrashFixture } from "./crash-fixture.ts";
import { createScriptedDonor, type SentDonation } from "./donor.ts";

type Life = CrashLife & { donor: ReturnType<typeof createScriptedDonor> };

let fixture: CrashFixture;

beforeAll(async () => {
  fixture = await openCrashFixture("crash-points");
});
afterAll(() => fixture.stop());

/** A server with its own process and database, and a donor. */
async function begin(name: string): Promise<Life> {
  const { db, site } = await fixture.begin(name, { PROVIDER_TIMEOUT_MS: "10000", UNKNOWN_GIVE_UP_S: "60" });
  const donor = createScriptedDonor({
    url: site.url,
    paywayUrl: fixture.simulator.paywayUrl,
    address: "198.51.100.7",
    random: Math.random,
  });
  return { db, site, donor };
}

/** In `npm test` only the point where most can be lost: charged, and not recorded yet. */
const points = crashPoints.filter((point) => isLongRun || point === "answered");

// The slow ones first: they run concurrently, five at a time.
test.concurrent.each(points.reverse())(
  "DON-22, REL-1: killed at '%s', repeating the request charges once, with one answer and one receipt",
  async (point) => {
    const { db, site, donor } = await begin(point);
    await site.start({ CRASH_POINT: point });
    const { donation, body } = await donor.prepare(`crash-${point.replace("_", "-")}`);
    await donor.post(donation, body);
    expect(await site.hasDied(), "the server dies").toBe(true);
    expect(site.signal()).toBe("SIGKILL");

    await site.start();
    const first = await donor.post(donation, body);
    expect([200, 202]).toContain(first.status);
    const settled = await untilSettled(donor, donation);
    expect(settled).toMatchObject({ ok: true, data: { state: "succeeded" } });
    const again = await Promise.all([donor.post(donation, body), donor.post(donation, body)]);
    expect(again[0]).toMatchObject({ ok: true, status: 200 });
    expect(again[1]).toEqual(again[0]);
    expect(again[0]!.data).toEqual(settled.data);

    const reference = await referenceOf(db, donation);
    const charges = (await fixture.simulator.listLedger()).filter(({ orderReference }) => orderReference === reference);
    expect(charges.map(({ status, amountCents }) => [status, amountCents])).toEqual([
      ["approved", donation.totalCents],
    ]);
    expect(await openJobs(db)).toBe(0);
    expect(await emailsTo(db, donation)).toBe(1);
    expect(await countRows(db, "receipts")).toBe(1);
    expect(await countRows(db, "donations")).toBe(1);
  },
);

async function untilSettled(donor: Life["donor"], donation: SentDonation) {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const answer = await donor.lookUp(donation);
    if ((answer.ok && answer.data.state !== "processing") || Date.now() > deadline) return answer;
    await sleep(250);
  }
}

async function referenceOf({ pool }: TestDatabase, { key }: SentDonation): Promise<string> {
  const { rows } = await pool.query("select order_reference from payment_attempts where client_key = $1", [key]);
  expect(rows).toHaveLength(1);
  return rows[0].order_reference;
}

async function emailsTo({ pool }: TestDatabase, { email }: SentDonation): Promise<number> {
  const { rows } = await pool.query("select count(*) from mailbox_messages where recipient = $1", [email]);
  return rows[0].count;
}

/** Waits until the outbox is empty: a killed worker's job is retried only after some seconds. */
async function openJobs({ database }: TestDatabase): Promise<number> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const { waiting } = await countJobs(database);
    if (waiting === 0 || Date.now() > deadline) return waiting;
    await sleep(250);
  }
}

async function countRows({ pool }: TestDatabase, table: "receipts" | "donations"): Promise<number> {
  return (await pool.query(`select count(*) from ${table}`)).rows[0].count;
}
