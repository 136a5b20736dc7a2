import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashPoints } from "#payments/crash-points.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import type { TestDatabase } from "#test/database.ts";
import { type CrashHouse, type CrashLife, openCrashHouse } from "./crash-house.ts";
import { createDonor, type Gift } from "./donor.ts";

type Life = CrashLife & { donor: ReturnType<typeof createDonor> };

const patient = 120_000;
let house: CrashHouse;

beforeAll(async () => {
  house = await openCrashHouse("crash-points");
});
afterAll(() => house.stop());

/** A server of its own process and database, and somebody who gives there. */
async function begin(name: string): Promise<Life> {
  const { db, site } = await house.begin(name, { PROVIDER_TIMEOUT_MS: "800", UNKNOWN_GIVE_UP_S: "60" });
  const donor = createDonor({
    url: site.url,
    paywayUrl: house.simulator.paywayUrl,
    address: "198.51.100.7",
    random: Math.random,
  });
  return { db, site, donor };
}

// The slow ones first: they run side by side, but only five at a time.
test.concurrent.each([...crashPoints].reverse())(
  "DON-22, REL-1: killed at '%s', the same request again charges once, and is answered and receipted once",
  async (point) => {
    const { db, site, donor } = await begin(point);
    await site.start({ CRASH_POINT: point });
    const { gift, body } = await donor.prepare(`crash-${point.replace("_", "-")}`);
    await donor.post(gift, body);
    expect(await site.hasDied(20_000), "the server dies").toBe(true);
    expect(site.signal()).toBe("SIGKILL");

    await site.start();
    const first = await donor.post(gift, body);
    expect([200, 202]).toContain(first.status);
    const settled = await untilSettled(donor, gift);
    expect(settled).toMatchObject({ ok: true, data: { state: "succeeded" } });
    const again = await Promise.all([donor.post(gift, body), donor.post(gift, body)]);
    expect(again[0]).toMatchObject({ ok: true, status: 200 });
    expect(again[1]).toEqual(again[0]);
    expect(again[0]!.data).toEqual(settled.data);

    const reference = await referenceOf(db, gift);
    const charges = (await house.simulator.listLedger()).filter(({ orderReference }) => orderReference === reference);
    expect(charges.map(({ status, amountCents }) => [status, amountCents])).toEqual([["approved", gift.totalCents]]);
    expect(await openJobs(db)).toBe(0);
    expect(await lettersTo(db, gift)).toBe(1);
    expect(await countRows(db, "receipts")).toBe(1);
    expect(await countRows(db, "donations")).toBe(1);
  },
  patient,
);

async function untilSettled(donor: Life["donor"], gift: Gift) {
  const deadline = Date.now() + 40_000;
  for (;;) {
    const answer = await donor.look(gift);
    if ((answer.ok && answer.data.state !== "processing") || Date.now() > deadline) return answer;
    await sleep(250);
  }
}

async function referenceOf({ pool }: TestDatabase, { key }: Gift): Promise<string> {
  const { rows } = await pool.query("select order_reference from payment_attempts where client_key = $1", [key]);
  expect(rows).toHaveLength(1);
  return rows[0].order_reference;
}

async function lettersTo({ pool }: TestDatabase, { email }: Gift): Promise<number> {
  const { rows } = await pool.query("select count(*) from mailbox_messages where recipient = $1", [email]);
  return rows[0].count;
}

/** Waits until the outbox is empty: a killed worker's job comes back only after some seconds. */
async function openJobs({ database }: TestDatabase): Promise<number> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { waiting } = await countJobs(database);
    if (waiting === 0 || Date.now() > deadline) return waiting;
    await sleep(250);
  }
}

async function countRows({ pool }: TestDatabase, table: "receipts" | "donations"): Promise<number> {
  return (await pool.query(`select count(*) from ${table}`)).rows[0].count;
}
