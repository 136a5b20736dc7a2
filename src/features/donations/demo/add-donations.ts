import { randomUUID } from "node:crypto";
import { type Attempt, insertAttempt, moveAttempt } from "#payments/attempts.ts";
import {
  type BookedPast,
  type DemoPast,
  type DemoPayment,
  describeDemoRecording,
  newPaymentReference,
  outcomeOf,
} from "#payments/demo/demo-payments.ts";
import { bookRefund } from "#payments/refunds/refund-settle.ts";
import { insertRefund, lockAttempt } from "#payments/refunds/refund-store.ts";
import { settle } from "#payments/settle.ts";
import type { Config } from "#shared/config/config.ts";
import { together } from "#shared/database/transact.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { dayInSydney } from "#shared/language.ts";
import { price } from "../cart.ts";
import { donationSubject } from "../server/settlement.ts";
import { insertDonation, listCategories } from "../server/store.ts";
import { type PlannedDonation, planYear } from "./plan-donations.ts";

type SubjectNeeds = Parameters<typeof donationSubject>[0];
type Services = Pick<SubjectNeeds, "database" | "jobs"> & {
  readonly organisation: { readonly current: SubjectNeeds["organisation"] };
  readonly config: SubjectNeeds["config"] & Pick<Config, "fees">;
};
type SubjectServices = Pick<Services, "database"> & { readonly subject: ReturnType<typeof donationSubject> };

/** A planned donation with its payment. */
type DemoDonation = PlannedDonation & {
  readonly id: string;
  readonly priced: ReturnType<typeof price>;
  readonly payment: DemoPayment;
};

/** A year and a half of invented donations before `now`, priced as the site would. */
export async function planDonations(services: Services, now: Date): Promise<DemoPast> {
  const { database, config } = services;
  const categories = await listCategories(database, dayInSydney(new Date()));
  const donations = planYear(categories, now).map((planned) => priceDonation(planned, config.fees));
  return {
    payments: donations.map(({ payment }) => payment),
    add: (booked) => addDonations(services, donations, booked),
  };
}

function priceDonation(planned: PlannedDonation, fees: Config["fees"]): DemoDonation {
  const { at, method, outcome } = planned;
  const lines = planned.lines.map((line) => ({ ...line, adminFeeApplies: line.from.adminFeeApplies }));
  const priced = price(lines, method, planned.coversAdminFee, fees);
  const share = { refunded: 1, "half refunded": 0.5 }[outcome as string];
  const payment: DemoPayment = {
    orderReference: newPaymentReference(),
    method,
    at,
    amountCents: priced.totalCents,
    isDeclined: outcome === "declined",
    isDisputed: outcome === "disputed",
    refund: share === undefined ? null : { cents: Math.round(priced.totalCents * share), at: dayAfter(at) },
  };
  return { ...planned, id: randomUUID(), priced, payment };
}

const dayAfter = (at: Date) => new Date(at.getTime() + DAY_MS);

/** Adds the donations that the provider has booked, in the same order. */
async function addDonations(
  services: Services,
  donations: readonly DemoDonation[],
  booked: readonly BookedPast[],
): Promise<void> {
  const subject = donationSubject({ ...services, organisation: services.organisation.current });
  const attempts = await together(...donations.map((donation) => insertUnpaid(services, donation)));
  for (const [index, donation] of donations.entries()) {
    await settleDonation({ ...services, subject }, donation, attempts[index]!, booked[index]!);
  }
}

async function insertUnpaid({ database }: Pick<Services, "database">, donation: DemoDonation): Promise<Attempt> {
  const { id, donor, at, lines, priced, method, isAnonymous, payment } = donation;
  const row = { id, userId: null, donor: { ...donor, isAnonymous }, lines, priced, method, repeatDigest: null };
  const [, attempt] = await together(
    insertDonation(database, row, at),
    insertAttempt(database, describeDemoRecording({ kind: "donation", id }, payment)),
  );
  return attempt!;
}

async function settleDonation(
  services: SubjectServices,
  { at, payment }: DemoDonation,
  attempt: Attempt,
  past: BookedPast,
): Promise<void> {
  const how = { actor: "request", now: new Date(at.getTime() + 2000) } as const;
  const paid = await settle(services, attempt, outcomeOf(payment, past), how);
  if (payment.isDisputed) {
    await moveAttempt(services.database, paid, "disputed", { actor: "reconciler", now: dayAfter(at) });
  }
  if (payment.refund !== null) await addRefund(services, paid, payment.refund, past);
}

async function addRefund(
  { database, subject }: SubjectServices,
  paid: Attempt,
  { cents, at }: NonNullable<DemoPayment["refund"]>,
  { refundIds }: BookedPast,
): Promise<void> {
  const attempt = (await lockAttempt(database, paid.id))!;
  const refund = await insertRefund(database, {
    attempt,
    amountCents: cents,
    requestKey: randomUUID(),
    requestedBy: "staff",
    reason: cents === paid.amount_cents ? "Given twice by mistake" : "Meant to give half of this",
    now: at,
    made: { kind: "refund", transactionId: refundIds[0]!, status: "approved" },
  });
  await bookRefund(database, { subject, attempt, refund: refund!, now: at });
}
