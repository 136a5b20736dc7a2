import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { type Attempt, findAttempt } from "#payments/attempts.ts";
import type { Payment } from "#payments/checkout/contract.ts";
import type { PaymentSender } from "#payments/checkout/paying.ts";
import { describePayment } from "#payments/checkout/present-payment.ts";
import { isUndecided, paidStates, undecidedStates } from "#payments/states.ts";
import type { Subject } from "#payments/subject.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { together } from "#shared/database/transact.ts";
import { formatAgo, formatDollars } from "#shared/language.ts";
import type { CartLine } from "../cart.ts";
import { donationProblems } from "../problems.ts";

const WITHIN_MS = 10 * 60_000;

/** `userId` is the logged-in account; null for a guest. */
type RepeatingDonor = Pick<PaymentSender, "browser"> & { readonly userId: number | null };

type Given = { readonly lines: readonly CartLine[]; readonly totalCents: number };

/** The earlier identical donation of the same person, paid or in progress. */
type Earlier = { readonly attempt: Attempt; readonly email: string; readonly agoMs: number };

/** Rolls back the transaction that records the donation. */
export class RepeatedDonation extends Error {
  readonly earlier: Earlier;

  constructor(earlier: Earlier) {
    super("the same donation was just given");
    this.earlier = earlier;
  }
}

/**
 * Identifies the same cart, at the same total, from the same account or, for a guest, the same browser by its signed
 * cookie. Keyed, so that the table does not reveal who gave what. Null for a guest's browser without cookies.
 */
export function repeatDigest(
  secretKey: string,
  { userId, browser }: RepeatingDonor,
  { lines, totalCents }: Given,
): Buffer | null {
  if (userId === null && browser === undefined) return null;
  const giver = userId === null ? `browser ${browser}` : `user ${userId}`;
  const cart = lines
    .map(({ category, subcategory, quantity, unitCents, onBehalfOf }) =>
      JSON.stringify([category, subcategory, quantity, unitCents, onBehalfOf]),
    )
    .sort();
  return createHmac("sha256", secretKey)
    .update(JSON.stringify(["repeat", giver, totalCents, cart]))
    .digest();
}

/**
 * Run it in the transaction that records a donation. Identical donations at the same time, in any process, wait for
 * each other to commit.
 * @throws RepeatedDonation if the same was donated within the last ten minutes and `isRepeat` is false.
 */
export async function refuseRepeat(
  transaction: Connection,
  { donationId, digest, isRepeat }: { donationId: string; digest: Buffer | null; isRepeat: boolean },
  at: Date,
): Promise<void> {
  if (digest === null) return;
  const [, row] = await together(
    sql`select pg_advisory_xact_lock(${digest.readBigInt64BE().toString()}::bigint)`.execute(transaction),
    isRepeat ? undefined : findLatest(transaction, { donationId, digest }, at),
  );
  if (row === undefined) return;
  const attempt = (await findAttempt(transaction, row.id))!;
  throw new RepeatedDonation({ attempt, email: row.email, agoMs: at.getTime() - row.created_at.getTime() });
}

function findLatest(transaction: Connection, { donationId, digest }: { donationId: string; digest: Buffer }, at: Date) {
  return transaction
    .selectFrom("donations")
    .innerJoin("payment_attempts", "payment_attempts.donation_id", "donations.id")
    .select(["payment_attempts.id", "donations.email", "donations.created_at"])
    .where("repeat_digest", "=", digest)
    .where("donations.id", "!=", donationId)
    .where("donations.created_at", ">", new Date(at.getTime() - WITHIN_MS))
    .where("state", "in", [...undecidedStates, ...paidStates.filter((state) => state !== "refunded")])
    .orderBy("donations.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Says what was donated and when. Shows the payment itself only for the same email: the device may be shared. */
export async function presentRepeatedDonation(
  subject: Subject,
  { attempt, email, agoMs }: Earlier,
  sentEmail: string,
): Promise<Reply<Payment>> {
  const [amount, ago] = [formatDollars(attempt.amount_cents), formatAgo(agoMs)];
  const sentences = isUndecided(attempt.state)
    ? {
        payway: `You sent this ${ago}: ${amount} by card, which we are still confirming.`,
        braintree: `You sent this ${ago}: ${amount} by PayPal, which we are still confirming.`,
      }
    : {
        payway: `You gave this ${ago}: ${amount} by card.`,
        braintree: `You gave this ${ago}: ${amount} by PayPal.`,
      };
  const isTheirs = email.toLowerCase() === sentEmail.toLowerCase();
  return refused(donationProblems.just_given, {
    message: sentences[attempt.provider],
    ...(isTheirs ? { data: await describePayment(subject, attempt, true) } : {}),
  });
}
