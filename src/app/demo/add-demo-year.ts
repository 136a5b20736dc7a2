import { sql } from "kysely";
import { type BookPast, describePast, type Past } from "#payments/demo/demo-payments.ts";
import { customerOfDay } from "#payments/reference.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { allFeatures } from "../feature.ts";
import type { Services } from "../services.ts";
import { compareDays } from "./compare-days.ts";
import { inOneTransaction } from "./one-transaction.ts";

const HOUR_MS = 3_600_000;
const lockKey = 20_261_123;

/** A charge that only PayWay has, as if somebody had entered a telephone donation in PayWay’s own pages. */
const unknownCharge = { orderReference: "PHONE-2211", amountCents: 5329 } as const;

/**
 * Gives an empty demonstration site a believable year of donations, ticket orders and applications: the simulators book
 * the payments first, then the site does, by the code that books real ones, but without emails. All or nothing: a start
 * that is killed leaves an empty site. Returns whether it added the year.
 */
export function addDemoYear(services: Services, bookPast: BookPast): Promise<boolean> {
  return inOneTransaction(services.pool, async (database) => {
    // If two processes start at the same time, the second waits as long as it takes, and finds what the first has
    // added.
    await sql`set local lock_timeout = 0`.execute(database);
    await sql`set local statement_timeout = 0`.execute(database);
    await sql`select pg_advisory_xact_lock(${lockKey})`.execute(database);
    const known = await database.selectFrom("donations").select("id").limit(1).executeTakeFirst();
    if (known !== undefined) return false;
    await addYear({ ...services, database }, bookPast);
    // Nobody is emailed about the past.
    await sql`delete from pgboss.job where xmin = pg_current_xact_id()::xid`.execute(database);
    return true;
  });
}

async function addYear(services: Services, bookPast: BookPast): Promise<void> {
  const now = services.now();
  const pasts = [];
  for (const { planDemo } of allFeatures) if (planDemo !== undefined) pasts.push(await planDemo(services, now));
  const payments = pasts.flatMap((past) => past.payments.map(describePast));
  const booked = await bookPast([...payments, describeUnknownCharge(now)]);
  let added = 0;
  for (const { payments, add } of pasts) {
    await add(booked.slice(added, added + payments.length));
    added += payments.length;
  }
  await compareDays(services, now);
}

function describeUnknownCharge(now: Date): Past {
  const { orderReference, amountCents } = unknownCharge;
  const yesterday = addDays(dayInSydney(now), -1);
  const at = new Date(startOfDayInSydney(yesterday).getTime() + 10 * HOUR_MS);
  const customerNumber = customerOfDay(yesterday);
  return { provider: "payway", orderReference, customerNumber, amountCents, at: at.toISOString() };
}
