import { get as httpGet } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { DoctorContext } from "#app/doctor/check.ts";
import { replicaCheck } from "#app/doctor/replica-check.ts";
import { makeAttempt, makeDonation, makeManyDonations, makeUser } from "#database/factories.ts";
import { createReadingDatabase } from "#shared/database/reading-database.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { openPrimary, openStandby, type Standby } from "#test/standby.ts";

let standby: Standby;
let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
let origin: string;

beforeAll(async () => {
  const primary = await openPrimary();
  standby = await openStandby(primary);
  site = await openAdminSite({ DATABASE_READ_URL: standby.url }, { openDatabase: async () => primary });
  treasurer = await site.logIn("treasurer");
  await site.app.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await site.close();
  await standby.remove();
});

const reading = () => site.services.readingDatabase;
/** The replica has what was committed so far, and the site knows. */
async function follow() {
  await standby.catchUp();
  await reading().check();
  // The primary may write on its own in between.
  await expect.poll(() => reading().check().then(reading().isInUse)).toBe(true);
}
beforeEach(async () => {
  await standby.resume();
  await follow();
});

async function donate() {
  const donation = await makeDonation(site.services.database, { donation: { created_at: site.clock.now() } });
  await makeAttempt(site.services.database, donation, { state: "succeeded" });
}

/** How many donations a file has. */
async function countExported(): Promise<number> {
  const { status, html } = await treasurer.get("/admin/donations.csv");
  expect(status).toBe(200);
  return html.split("\r\n").length - 2;
}
/** Downloads the export from a real socket; `onFirst` runs once something has arrived, while nothing is read. */
function download(onFirst: () => Promise<void> = async () => undefined): Promise<{ isWhole: boolean; text: string }> {
  const { cookie } = treasurer.visitor.identity;
  return new Promise((resolve, reject) => {
    const request = httpGet(`${origin}/admin/donations.csv`, { headers: { cookie } }, (response) => {
      let text = "";
      const onChunk = (chunk: Buffer) => {
        text += chunk;
      };
      response.once("data", (chunk) => {
        response.pause();
        onChunk(chunk);
        response.on("data", onChunk);
        onFirst().then(() => response.resume(), reject);
      });
      response.on("error", () => undefined);
      response.on("close", () => resolve({ isWhole: response.complete, text }));
    });
    request.on("error", reject);
  });
}

/** Checks this address as a site's replica three times. */
async function expectIgnored(replicaUrl: string, sentence: string) {
  const { database, pool, log, now, databaseUrl: primaryUrl } = site.services;
  const logged = vi.spyOn(log, "error");
  const ignored = createReadingDatabase({ primaryUrl, pool, database, replicaUrl, log, now });
  for (let time = 0; time < 3; time += 1) await ignored.check();
  expect([ignored.isInUse(), ignored.current().database === database]).toEqual([false, true]);
  expect(logged.mock.calls).toEqual([[sentence]]);
  logged.mockRestore();
  await ignored.stop();
}

/** Another database of the replica's server. */
const otherDatabase = () => standby.url.replace("/almoner?", "/postgres?");

const readMetric = async () => /^replica_in_use (\d)$/m.exec((await site.app.inject("/metrics")).body)?.[1];
const openReport = async () => (await treasurer.get("/admin/reports")).html;

test("RPL-1: exports and reports read from the replica, and say as of when", async () => {
  const before = await countExported();
  await standby.pause();
  await donate();
  expect(await countExported()).toBe(before);
  expect(await openReport()).toMatch(/As of \d+:\d\d:\d\d [ap]m in Sydney/);
  await standby.resume();
  await follow();
  expect(await countExported()).toBe(before + 1);
  expect(await readMetric()).toBe("1");

  const { databaseUrl: primaryUrl, pool, database, log, now } = site.services;
  const without = createReadingDatabase({ primaryUrl, pool, database, log, now, replicaUrl: undefined });
  expect(await without.read(async (from) => from)).toEqual({ result: database, asOf: null });
  expect([without.current().database === database, without.isInUse()]).toEqual([true, null]);
});

test("RPL-2: an idle primary leaves no lag; a replica more than a minute behind is not read until it has caught up", async () => {
  site.clock.advance(120_000);
  await follow();
  expect(reading().current().asOf).toEqual(expect.any(Date));
  expect(site.clock.now().getTime() - reading().current().asOf!.getTime()).toBeLessThan(30_000);

  const logged = vi.spyOn(site.services.log, "warn");
  await standby.pause();
  await donate();
  await reading().check();
  expect(await readMetric()).toBe("1");
  site.clock.advance(61_000);
  for (let time = 0; time < 3; time += 1) await reading().check();
  expect(logged.mock.calls).toEqual([["the replica is more than a minute behind: reports read from the primary"]]);
  expect(await readMetric()).toBe("0");
  expect(await openReport()).not.toContain("As of");
  const count = await countExported();
  await standby.resume();
  await follow();
  expect([await readMetric(), await countExported()]).toEqual(["1", count]);
});

test("RPL-3: what fails on a replica that vanishes is read from the primary, and a file begun from it never looks whole", async () => {
  const { id } = await makeUser(site.services.database);
  await makeManyDonations(site.services.database, { userId: id, count: 3000 });
  // More rows than fit into buffers, so that some are still to come when the replica is killed.
  await site.pool.query("update donations set postcode = repeat('2144 ', 1000)");
  await follow();
  const logged = vi.spyOn(site.services.log, "warn");
  const { isWhole, text } = await download(() => standby.kill());
  expect([isWhole, text.split("\r\n").length > 500]).toEqual([false, true]);

  // The site does not know yet that it is gone.
  expect(reading().current().asOf).not.toBeNull();
  const again = await download();
  expect([again.isWhole, again.text.split("\r\n").length > 3000]).toEqual([true, true]);
  await standby.restart();
  await follow();
  await standby.kill();
  expect(await openReport()).not.toContain("As of");
  expect(await readMetric()).toBe("0");
  await reading().check();
  const says = "the replica does not answer: reports read from the primary";
  expect(logged.mock.calls.filter(([line]) => String(line) === says)).toHaveLength(2);
  await standby.restart();
});

test("RPL-3: a replica that hangs ends the reads that wait for it", async () => {
  const { lost } = reading().current();
  const waiting = reading().read(async (database) => {
    if (reading().current().asOf !== null) await sql`select pg_sleep(1000)`.execute(database);
    return "read";
  });
  const resume = await standby.hang();
  await expect.poll(() => reading().check().then(reading().isInUse)).toBe(false);
  expect(await waiting).toEqual({ result: "read", asOf: null });
  expect(lost!.aborted).toBe(true);
  resume();
});

test("RPL-5: the doctor says whether the replica follows, and of a late one how far it is behind", async () => {
  const context = { config: site.config, pool: site.pool, now: site.clock.now } as unknown as DoctorContext;
  expect(await replicaCheck.run(context)).toEqual({ state: "ok", says: "The replica follows the database." });
  await standby.pause();
  await donate();
  const late = await replicaCheck.run(context);
  expect(late).toMatchObject({ state: "warn", facts: { bytesBehind: expect.any(Number) } });
  await standby.resume();
  const elsewhere = { ...site.config, databaseReadUrl: otherDatabase() };
  expect(await replicaCheck.run({ ...context, config: elsewhere })).toMatchObject({ state: "fail" });
});

test("RPL-4: an address that is no replica of this database is ignored, loudly and once", async () => {
  await expectIgnored(
    site.services.databaseUrl,
    "DATABASE_READ_URL is not a replica: its database takes writes. It is ignored",
  );
  await expectIgnored(
    otherDatabase(),
    "DATABASE_READ_URL is a replica of another database than the site's. It is ignored",
  );
  await standby.promote();
  await expect.poll(() => reading().check().then(reading().isInUse)).toBe(false);
});
