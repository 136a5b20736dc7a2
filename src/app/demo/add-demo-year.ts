import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { askForRefund } from "#features/refunds/server/refund-requests.ts";
import { customerOfDay } from "#payments/reference.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";
import { addApplications } from "./add-applications.ts";
import { addDeadLink } from "./add-dead-link.ts";
import { addDonations, type DemoDonation, planDonations } from "./add-donations.ts";
import { addOrders, planTicketOrders } from "./add-orders.ts";
import { addShifts } from "./add-shifts.ts";
import { compareDays } from "./compare-days.ts";
import { type BookPast, describePast, type Past } from "./demo-payments.ts";
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
  const donations = await planDonations(services, now);
  const orders = await planTicketOrders(services, now);
  const payments = [...donations, ...orders].map(({ payment }) => describePast(payment));
  const booked = await bookPast([...payments, describeUnknownCharge(now)]);
  await addDonations(services, donations, booked);
  await addOrders(services, orders, booked.slice(donations.length));
  await addApplications(services, now);
  await addShifts(services, now);
  await requestRefund(services, donations);
  await compareDays(services, now);
  await addDeadLink(services, now);
}

/** The treasurer asks for a refund that somebody else has to approve. */
async function requestRefund(services: Services, donations: readonly DemoDonation[]): Promise<void> {
  const treasurer = await services.database
    .selectFrom("staff")
    .select(["id", "name"])
    .where(sql<boolean>`'treasurer' = any(roles)`)
    .where("state", "=", "active")
    .executeTakeFirst();
  const { twoPeopleCents } = services.config.refunds;
  const large = donations.findLast(({ outcome, priced }) => outcome === "paid" && priced.totalCents > twoPeopleCents);
  if (treasurer === undefined || large === undefined) return;
  const { totalCents } = large.priced;
  const reason = "The donor telephoned: this was meant to be a tenth of it";
  const of = { kind: "donation", id: large.id } as const;
  const wanted = { id: randomUUID(), of, tickets: [], amountCents: totalCents, leftCents: totalCents, reason };
  await askForRefund(services, wanted, { staff: treasurer, ipAddress: "203.0.113.9" });
}

function describeUnknownCharge(now: Date): Past {
  const { orderReference, amountCents } = unknownCharge;
  const yesterday = addDays(dayInSydney(now), -1);
  const at = new Date(startOfDayInSydney(yesterday).getTime() + 10 * HOUR_MS);
  const customerNumber = customerOfDay(yesterday);
  return { provider: "payway", orderReference, customerNumber, amountCents, at: at.toISOString() };
}
