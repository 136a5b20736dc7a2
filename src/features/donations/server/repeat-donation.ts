import { createHmac } from "node:crypto";
import { type Attempt, findAttempt } from "#payments/attempts.ts";
import type { Payment } from "#payments/checkout/contract.ts";
import type { PaymentSender } from "#payments/checkout/paying.ts";
import { describePayment } from "#payments/checkout/present-payment.ts";
import { isUndecided } from "#payments/states.ts";
import type { Subject } from "#payments/subject.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isRaised, raised } from "#shared/database/raised.ts";
import { formatAgo, formatDollars } from "#shared/language.ts";
import type { CartLine } from "../cart.ts";
import { donationProblems } from "../problems.ts";
import { donationIdOf } from "./store.ts";

/** `userId` is the logged-in account; null for a guest. */
type RepeatingDonor = Pick<PaymentSender, "browser"> & { readonly userId: number | null };

type Given = { readonly lines: readonly CartLine[]; readonly totalCents: number };

/** The earlier identical donation of the same person, paid or in progress. */
type Earlier = { readonly attempt: Attempt; readonly email: string; readonly agoMs: number };

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

/** The payment of the identical donation before; undefined for any other error than that one. */
export function readRepeat(error: unknown): string | undefined {
  return isRaised(error, raised.givenBefore) ? error.detail : undefined;
}

/** The earlier identical donation by its payment. */
export async function findGiven(connection: Connection, attemptId: string, at: Date): Promise<Earlier> {
  const attempt = (await findAttempt(connection, attemptId))!;
  const { email, created_at } = await connection
    .selectFrom("donations")
    .select(["email", "created_at"])
    .where("id", "=", donationIdOf(attempt))
    .executeTakeFirstOrThrow();
  return { attempt, email, agoMs: at.getTime() - created_at.getTime() };
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
