import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import { showsFaith } from "#admin/faith.ts";
import { lockAttempt } from "#payments/refunds/refund-store.ts";
import { postToLedger } from "#payments/settle.ts";
import { isKept } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { replaceReceipt, requireReplaceable } from "./correct-name.ts";
import { sendReceiptCopy } from "./receipt-copies.ts";
import { CHANGED_MEANWHILE, IS_ERASED, requireDonation } from "./require-donation.ts";

type Services = CoreServices<"database" | "jobs" | "organisation" | "now">;

type Move = {
  readonly donationId: string;
  readonly position: number;
  /** The fund and the receipt that the form showed. */
  readonly from: string;
  readonly receipt: string;
  readonly to: string;
  readonly reason: string;
};

/** A category that a line can be moved to. */
export type MoveTarget = { readonly fund: string; readonly title: string; readonly kind: "gift" | "not_deductible" };

/** The funds that a line may move to: those of categories in use, in their order on the form. */
export async function listMoveTargets(connection: Connection): Promise<MoveTarget[]> {
  return connection
    .selectFrom("donation_categories")
    .select(["fund", "title", "receipt_kind as kind"])
    .where("retired_at", "is", null)
    .orderBy("position")
    .execute();
}

/**
 * Moves a line to another fund: the ledger reverses one credit and books the other. Because receipts name what a gift
 * is for, a new one replaces the old one and is sent. @throws Refusal if money was or is being refunded, if only one of
 * the two is deductible, or if somebody else was faster.
 */
export function moveFund(
  { database, jobs, organisation, now }: Services,
  { donationId, position, from, receipt, to, reason }: Move,
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const attemptId = await lockUnrefunded(transaction, donationId);
    const { email } = await requireDonation(transaction, donationId);
    if (email === "") throw new Refusal(IS_ERASED);
    const line = await transaction
      .selectFrom("donation_lines")
      .select(["fund", "category_title", "receipt_kind", "line_cents"])
      .where("donation_id", "=", donationId)
      .where("position", "=", position)
      .executeTakeFirst();
    if (line === undefined || line.fund !== from) throw new Refusal(CHANGED_MEANWHILE);
    const target = (await findTarget(transaction, to)) ?? refuse("That fund is no longer offered. Nothing was done.");
    if (target.receipt_kind !== line.receipt_kind) refuse(OTHER_KIND);
    const replacing = { donationId, receipt, organisation: organisation.current(), now: at };
    await requireReplaceable(transaction, replacing);
    await transaction
      .updateTable("donation_lines")
      .set({ fund: to, category_id: target.id, category_title: target.title })
      .set({ subcategory_id: null, subcategory_title: "" })
      .where("donation_id", "=", donationId)
      .where("position", "=", position)
      .execute();
    const { line_cents: cents } = line;
    const postings = [
      { account: `donations:${from}`, cents },
      { account: `donations:${to}`, cents: -cents },
    ];
    await postToLedger(transaction, { attemptId }, postings, at);
    const act = { verb: "donation.move-fund", subject: "donation", subjectId: donationId, reason };
    const changes = {
      before: { fund: nameFund(from, line.category_title) },
      after: { fund: nameFund(to, target.title), cents },
    };
    await recordAct(transaction, actor, { ...act, ...changes }, at);
    await sendReceiptCopy(transaction, jobs, { donationId, because: "fund", at });
    await replaceReceipt(transaction, replacing);
  });
}

const OTHER_KIND =
  "A gift cannot become something that is not deductible, or the other way round: refund it, and ask the donor to give again.";

/** The audit trail is read by people who may not see what shows faith; the ledger has the fund. */
const nameFund = (fund: string, title: string) => (showsFaith(fund) ? "a hidden fund" : title);

function refuse(sentence: string): never {
  throw new Refusal(sentence);
}

function findTarget(transaction: Connection, fund: string) {
  return transaction
    .selectFrom("donation_categories")
    .select(["id", "title", "receipt_kind"])
    .where("fund", "=", fund)
    .where("retired_at", "is", null)
    .executeTakeFirst();
}

/** Locks the payment, as refunds do before they lock the donation. Returns its id. */
async function lockUnrefunded(transaction: Connection, donationId: string): Promise<string> {
  const attempts = await transaction
    .selectFrom("payment_attempts")
    .select(["id", "state"])
    .where("donation_id", "=", donationId)
    .execute();
  const paid = attempts.find(({ state }) => isKept(state));
  if (paid === undefined) throw new Refusal("This donation is not paid, refunded, or disputed. Nothing was done.");
  const attempt = await lockAttempt(transaction, paid.id);
  const refunds = await transaction
    .selectFrom("refunds")
    .select("id")
    .where("attempt_id", "=", paid.id)
    .where("state", "!=", "failed")
    .execute();
  if (attempt === undefined || !isKept(attempt.state) || refunds.length > 0) {
    throw new Refusal("Money of this donation went back, or may go back now, so no part of it can move.");
  }
  return paid.id;
}
