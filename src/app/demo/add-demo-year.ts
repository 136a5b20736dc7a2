import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { price } from "#features/donations/cart.ts";
import { askForRefund } from "#features/donations/server/refund-requests.ts";
import { donationSubject } from "#features/donations/server/settlement.ts";
import { insertDonation, listCategories } from "#features/donations/server/store.ts";
import { type Attempt, describeRecording, insertAttempt, moveAttempt } from "#payments/attempts.ts";
import { customerOfDay, newReference } from "#payments/reference.ts";
import { bookRefund } from "#payments/refunds/refund-settle.ts";
import { insertRefund, lockAttempt } from "#payments/refunds/refund-store.ts";
import { settle } from "#payments/settle.ts";
import type { Subject } from "#payments/subject.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";
import { type PlannedDonation, planYear } from "./demo-plan.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The days before today that are compared at once, as if the site had run. */
const COMPARED_DAYS = 28;

/** A charge that only PayWay knows, as if somebody had typed a donation by telephone into PayWay’s own pages. */
const unknownCharge = { orderReference: "PHONE-2211", amountCents: 5329 } as const;

/** What a provider is told, and its ids of the payment and its refunds. */
type Past = {
  readonly provider: "payway" | "braintree";
  readonly orderReference: string;
  readonly customerNumber: string;
  readonly amountCents: number;
  readonly at: string;
  readonly isDeclined?: boolean;
  readonly isDisputed?: boolean;
  readonly refunds?: { orderReference: string; amountCents: number; at: string }[];
};
type BookedPast = { readonly transactionId: string; readonly refundIds: readonly string[] };

/** A planned donation with its payment, as the provider and we know it. */
type Demo = PlannedDonation & {
  readonly id: string;
  readonly priced: ReturnType<typeof price>;
  readonly orderReference: string;
  /** None, half of it, or all. */
  readonly refundCents: number;
};

/**
 * Gives an empty demonstration site a believable year of donations: the simulators book them first, then the site does,
 * by the code that books real ones, but without emails. Returns whether it did.
 */
export async function addDemoYear(
  services: Services,
  bookPast: (payments: readonly Past[]) => Promise<readonly BookedPast[]>,
): Promise<boolean> {
  const { database, now } = services;
  const known = await database.selectFrom("donations").select("id").limit(1).executeTakeFirst();
  if (known !== undefined) return false;
  const at = now();
  const demos = await planDemos(services, at);
  const booked = await bookPast([...demos.map(describe), describeUnknownCharge(at)]);
  const jobs: Jobs = { ...services.jobs, send: async () => {}, sendAll: async () => {} };
  const subject = donationSubject({ ...services, jobs, organisation: services.organisation.current, isPast: true });
  for (const [index, demo] of demos.entries()) await addDonation(services, subject, demo, booked[index]!);
  await requestRefund({ ...services, jobs }, demos);
  for (let days = COMPARED_DAYS; days >= 1; days -= 1) {
    const day = addDays(dayInSydney(at), -days);
    for (const provider of ["payway", "braintree"] as const) await services.reconciliation.reconcileDay(provider, day);
  }
  return true;
}

/** The treasurer asks for a refund that somebody else has to approve. */
async function requestRefund(services: Services, demos: readonly Demo[]): Promise<void> {
  const treasurer = await services.database
    .selectFrom("staff")
    .select(["id", "name"])
    .where(sql<boolean>`'treasurer' = any(roles)`)
    .where("state", "=", "active")
    .executeTakeFirst();
  const { twoPeopleCents } = services.config.refunds;
  const large = demos.findLast(({ outcome, priced }) => outcome === "paid" && priced.totalCents > twoPeopleCents);
  if (treasurer === undefined || large === undefined) return;
  const { totalCents } = large.priced;
  const reason = "The donor telephoned: this was meant to be a tenth of it";
  const wanted = { id: randomUUID(), donationId: large.id, amountCents: totalCents, leftCents: totalCents, reason };
  await askForRefund(services, wanted, { staff: treasurer, ipAddress: "203.0.113.9" });
}

async function planDemos({ database, config }: Services, now: Date): Promise<Demo[]> {
  const categories = await listCategories(database);
  return planYear(categories, now).map((planned) => {
    const lines = planned.lines.map((line) => ({ ...line, adminFeeApplies: line.from.adminFeeApplies }));
    const priced = price(lines, planned.method, planned.coversAdminFee, config.fees);
    const refunded = { refunded: 1, "half refunded": 0.5 }[planned.outcome as string] ?? 0;
    return {
      ...planned,
      id: randomUUID(),
      priced,
      orderReference: newReference("P"),
      refundCents: Math.round(priced.totalCents * refunded),
    };
  });
}

const providerOf = ({ method }: PlannedDonation) => (method === "cc" ? "payway" : "braintree");
const refundedAt = ({ at }: PlannedDonation) => new Date(at.getTime() + DAY_MS);

function describe(demo: Demo): Past {
  const { orderReference, priced, at, outcome, refundCents } = demo;
  return {
    provider: providerOf(demo),
    orderReference,
    customerNumber: customerOfDay(dayInSydney(at)),
    amountCents: priced.totalCents,
    at: at.toISOString(),
    isDeclined: outcome === "declined",
    isDisputed: outcome === "disputed",
    refunds:
      refundCents === 0
        ? []
        : [{ orderReference: newReference("R"), amountCents: refundCents, at: refundedAt(demo).toISOString() }],
  };
}

function describeUnknownCharge(now: Date): Past {
  const { orderReference, amountCents } = unknownCharge;
  const yesterday = addDays(dayInSydney(now), -1);
  const at = new Date(startOfDayInSydney(yesterday).getTime() + 10 * HOUR_MS);
  const customerNumber = customerOfDay(yesterday);
  return { provider: "payway", orderReference, customerNumber, amountCents, at: at.toISOString() };
}

async function addDonation({ database }: Services, subject: Subject, demo: Demo, past: BookedPast): Promise<void> {
  const { id, donor, at, method, lines, priced, isAnonymous, outcome } = demo;
  const attempt = await database.transaction().execute(async (transaction) => {
    const recording = describeRecording(
      {
        id: randomUUID(),
        donation_id: id,
        ticket_order_id: null,
        provider: providerOf(demo),
        order_reference: demo.orderReference,
        idempotency_key: randomUUID(),
        client_key: randomUUID(),
        request_hash: Buffer.alloc(32),
        instrument_hash: createHash("sha256").update(id).digest(),
        instrument: null,
        amount_cents: priced.totalCents,
        customer_ip_address: "203.0.113.7",
        ...{ browser_id: null, owner: null },
      },
      { state: "submitting", now: at, leaseMs: HOUR_MS },
    );
    const written = await insertAttempt(transaction, recording);
    const details = { ...donor, isAnonymous };
    await insertDonation(
      transaction,
      { id, userId: null, donor: details, lines, priced, method, repeatDigest: null },
      at,
    );
    return written!;
  });
  const settledAt = new Date(at.getTime() + 2000);
  const answer = { transactionId: past.transactionId, responseCode: outcome === "declined" ? "05" : "08", raw: null };
  const paid = await settle(
    { database, subject },
    attempt,
    outcome === "declined"
      ? { kind: "declined", status: "declined", ...answer }
      : {
          kind: "succeeded",
          status: method === "cc" ? "approved" : "settled",
          ...answer,
          amountCents: priced.totalCents,
          paidCents: priced.totalCents,
          currency: "AUD",
          orderReference: demo.orderReference,
        },
    { actor: "request", now: settledAt },
  );
  await addAftermath({ database, subject }, paid, demo, past);
}

/** The refund or dispute of a paid donation. */
async function addAftermath(
  { database, subject }: Pick<Services, "database"> & { subject: Subject },
  paid: Attempt,
  demo: Demo,
  { refundIds: [refundId] }: BookedPast,
): Promise<void> {
  const now = refundedAt(demo);
  await database.transaction().execute(async (transaction) => {
    const attempt = (await lockAttempt(transaction, paid.id))!;
    if (demo.outcome === "disputed") await moveAttempt(transaction, attempt, "disputed", { actor: "reconciler", now });
    if (refundId === undefined) return;
    const refund = await insertRefund(transaction, {
      attempt,
      amountCents: demo.refundCents,
      requestKey: randomUUID(),
      requestedBy: "staff",
      reason: demo.outcome === "refunded" ? "Given twice by mistake" : "Meant to give half of this",
      now,
      made: { kind: "refund", transactionId: refundId, status: "approved" },
    });
    await bookRefund(transaction, { subject, attempt, refund: refund!, now });
  });
}
