import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { type Attempt, findAttempt } from "#payments/attempts.ts";
import type { Payment } from "#payments/checkout/contract.ts";
import type { Sender } from "#payments/checkout/paying.ts";
import { describePayment } from "#payments/checkout/present-payment.ts";
import { isUndecided, paidStates, undecidedStates } from "#payments/states.ts";
import type { Subject } from "#payments/subject.ts";
import { type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { formatDollars } from "#shared/money.ts";
import type { CartLine } from "../cart.ts";

const WITHIN_MS = 10 * 60_000;

/** Who gives. `userId` is who is logged in; null for a guest. */
type Giver = Pick<Sender, "browser"> & { readonly userId: number | null };

type Given = { readonly lines: readonly CartLine[]; readonly totalCents: number };

/** The same donation of the same person, given or under way. */
type Earlier = { readonly attempt: Attempt; readonly email: string; readonly agoMs: number };

/** Thrown in the transaction that records a donation, to undo it. */
export class JustGiven extends Error {
  readonly earlier: Earlier;

  constructor(earlier: Earlier) {
    super("the same donation was just given");
    this.earlier = earlier;
  }
}

/**
 * Tells the same cart, at the same total, of the same person: of the account that is logged in, else of the browser by its
 * signed cookie. Keyed, so that nobody can tell from the table who gave what. Null for a browser that keeps no cookies.
 */
export function repeatDigest(
  secretKey: string,
  { userId, browser }: Giver,
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
 * Run in the transaction that records a donation, before its row is written. Of several at once, also in several processes,
 * each waits until the one before it is committed.
 * @throws JustGiven where the same was given within ten minutes and `isRepeat` does not say that it is meant.
 */
export async function refuseRepeat(
  transaction: Connection,
  { digest, isRepeat }: { digest: Buffer | null; isRepeat: boolean },
  at: Date,
): Promise<void> {
  if (digest === null) return;
  await sql`select pg_advisory_xact_lock(${digest.readBigInt64BE().toString()}::bigint)`.execute(transaction);
  if (isRepeat) return;
  const row = await transaction
    .selectFrom("donations")
    .innerJoin("payment_attempts", "payment_attempts.donation_id", "donations.id")
    .select(["payment_attempts.id", "donations.email", "donations.created_at"])
    .where("repeat_digest", "=", digest)
    .where("donations.created_at", ">", new Date(at.getTime() - WITHIN_MS))
    .where("state", "in", [...undecidedStates, ...paidStates.filter((state) => state !== "refunded")])
    .orderBy("donations.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return;
  const attempt = (await findAttempt(transaction, row.id))!;
  throw new JustGiven({ attempt, email: row.email, agoMs: at.getTime() - row.created_at.getTime() });
}

/** Says what was given and when. The payment itself is shown under the same email alone: the device may be shared. */
export async function presentJustGiven(
  subject: Subject,
  { attempt, email, agoMs }: Earlier,
  sentEmail: string,
): Promise<Reply<Payment>> {
  const what = `${formatDollars(attempt.amount_cents)} by ${attempt.provider === "payway" ? "card" : "PayPal"}`;
  const message = isUndecided(attempt.state)
    ? `You sent this ${sayAgo(agoMs)}: ${what}, which we are still confirming.`
    : `You gave this ${sayAgo(agoMs)}: ${what}.`;
  const isTheirs = email.toLowerCase() === sentEmail.toLowerCase();
  return refused("just_given", {
    message,
    ...(isTheirs ? { data: await describePayment(subject, attempt, true) } : {}),
  });
}

function sayAgo(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.round(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
