import { randomUUID } from "node:crypto";
import { type Credit, isBySettlement, roomOf, settledBy, shareOut } from "#payments/refunds/refund-rules.ts";
import { listCreditsLeft, listRefunds, type Refund } from "#payments/refunds/refund-store.ts";
import { paidStates } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { findReceipt } from "../receipt.ts";
import { listRefunders, sumAlone } from "./request-store.ts";
import type { DonationRefunds, RefundForm } from "./shown-refund.ts";
import { listRefundsOfDonation } from "./shown-refunds.ts";

type Asking = {
  readonly donationId: string;
  readonly staffId: number;
  /** Null for all that is left. */
  readonly amountCents: number | null;
  readonly limitCents: number;
  readonly now: Date;
};

/** What a donation's refund would do; null if there is no such donation. */
export async function readRefundForm(connection: Connection, asking: Asking): Promise<RefundForm | null> {
  const { donationId, staffId, now } = asking;
  const donation = await findDonation(connection, donationId);
  if (donation === undefined) return null;
  const payment = await findPayment(connection, donationId);
  const made = payment === undefined ? [] : await listRefunds(connection, payment.id);
  const leftCents = leftOf(payment, made);
  const amountCents = Math.min(asking.amountCents ?? leftCents, leftCents);
  const isQuiet = made.every(({ state }) => state === "succeeded" || state === "failed");
  const receipt = await findReceipt(connection, donationId);
  return {
    donation,
    payment: showPayment(payment, now),
    leftCents,
    receipt: receipt !== undefined && receipt.voided === null ? receipt.data.number : null,
    parts:
      payment === undefined || !isQuiet || amountCents <= 0
        ? null
        : listParts(shareOut(amountCents, await listCreditsLeft(connection, payment.id))),
    refunds: await listRefundsOfDonation(connection, donationId),
    aloneCents: await sumAlone(connection, staffId, startOfDayInSydney(dayInSydney(now))),
    limitCents: asking.limitCents,
    others: await listOthers(connection, staffId),
    formId: randomUUID(),
  };
}

/** For the donation's page. */
export async function readDonationRefunds(
  connection: Connection,
  { donationId, staffId, now }: Pick<Asking, "donationId" | "staffId" | "now">,
): Promise<DonationRefunds> {
  const payment = await findPayment(connection, donationId);
  const made = payment === undefined ? [] : await listRefunds(connection, payment.id);
  return {
    donationId,
    payment: showPayment(payment, now),
    leftCents: leftOf(payment, made),
    refunds: await listRefundsOfDonation(connection, donationId),
    others: await listOthers(connection, staffId),
  };
}

const listOthers = async (connection: Connection, staffId: number) =>
  (await listRefunders(connection)).filter(({ id }) => id !== staffId).map(({ name }) => name);

const leftOf = (payment: { amount_cents: number } | undefined, refunds: readonly Refund[]) =>
  payment === undefined ? 0 : roomOf(payment.amount_cents, refunds);

async function findDonation(connection: Connection, id: string): Promise<RefundForm["donation"] | undefined> {
  const row = await connection
    .selectFrom("donations")
    .select(["id", "reference", "is_anonymous", "first_name", "last_name", "email", "total_cents", "method"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { reference, is_anonymous, first_name, last_name, email, total_cents: totalCents, method } = row;
  const donorName = is_anonymous ? null : `${first_name} ${last_name}`.trim() || null;
  return { id, reference, donorName, totalCents, method, hasEmail: email !== "" };
}

function showPayment(payment: Awaited<ReturnType<typeof findPayment>>, now: Date): RefundForm["payment"] {
  if (payment === undefined) return null;
  const { state, provider, amount_cents: amountCents, sent_at: chargedAt } = payment;
  return {
    ...{ state, provider, amountCents },
    isBySettlement: isBySettlement(chargedAt, now),
    settledBy: settledBy({ chargedAt, askedAt: now }),
  };
}

function findPayment(connection: Connection, donationId: string) {
  return connection
    .selectFrom("payment_attempts")
    .select(["id", "state", "provider", "amount_cents", "sent_at"])
    .where("donation_id", "=", donationId)
    .where("state", "in", paidStates)
    .executeTakeFirst();
}

/** All gifts in one sum, because a cause can show somebody's faith. */
function listParts(credits: readonly Credit[]): { title: string; cents: number }[] {
  const sumOf = (isPart: (account: string) => boolean) =>
    credits.reduce((sum, { account, cents }) => sum + (isPart(account) ? cents : 0), 0);
  return [
    { title: "Gifts", cents: sumOf((account) => !account.startsWith("fees:")) },
    { title: "Admin fee", cents: sumOf((account) => account === "fees:admin") },
    { title: "Payment fee", cents: sumOf((account) => account === "fees:merchant") },
  ];
}
