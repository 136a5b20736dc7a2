import { Refusal } from "#admin/actions.ts";
import type { Attempt } from "#payments/attempts.ts";
import type { PaymentSubject } from "#payments/context.ts";
import type { Providers } from "#payments/provider.ts";
import { providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { closeFinding, findOpenFindingOf } from "#payments/reconciliation/reconciliation-store.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { isChargeMissing, reversePayment } from "#payments/refunds/reverse.ts";
import type { Subject } from "#payments/subject.ts";
import type { Connection } from "#shared/database/connect.ts";
import { describeProblem, refusals } from "./refund-refusals.ts";
import { findPaymentOf } from "./request-store.ts";

const kind = "payment_without_charge";

/**
 * Asks the provider once more, before anything is locked. @throws Refusal if it has the charge, or its books can't be
 * read now.
 */
export async function requireMissingCharge(
  { database, providers }: { database: Connection; providers: Providers },
  of: PaymentSubject,
): Promise<void> {
  const payment = await findPaymentOf(database, of);
  if (payment === undefined) throw new Refusal(refusals[of.kind].notPaid);
  const at = providerTitles[payment.provider];
  const isMissing = await isChargeMissing(providers, payment).catch(() => {
    throw new Refusal(`The books of ${at} can’t be read now. Nothing was done. Try again in a few minutes.`);
  });
  if (!isMissing) throw new Refusal(`${at} has this charge now, so nothing was done. Compare the day again.`);
}

/** @throws Refusal if no comparison has found that the provider doesn't have this payment. */
export async function requireFinding(transaction: Connection, { id: attemptId }: Attempt): Promise<void> {
  if ((await findOpenFindingOf(transaction, { attemptId, kind })) === undefined) {
    throw new Refusal("This difference is no longer open. Nothing was done.");
  }
}

type Reversing = {
  readonly payment: Attempt;
  readonly asked: { readonly id: string; readonly of: PaymentSubject; amountCents: number; readonly reason: string };
  readonly by: number;
  readonly at: Date;
};

/** Reverses the payment, and closes its difference. */
export async function makeReversal(
  subject: Pick<Subject, "onRefunded">,
  transaction: Connection,
  { payment, asked: { id, of, amountCents, reason }, by, at }: Reversing,
): Promise<Refund> {
  const finding = await findOpenFindingOf(transaction, { attemptId: payment.id, kind });
  if (finding !== undefined) {
    const because = `The payment is reversed, and its ${of.kind === "donation" ? "receipt is" : "tickets are"} void`;
    await closeFinding(transaction, { id: finding.id, by, reason: because, now: at });
  }
  const facts = { attemptId: payment.id, amountCents, requestKey: `request:${id}`, reason };
  const reply = await reversePayment(transaction, subject, facts, at);
  if (!reply.ok) throw new Refusal(describeProblem(reply, of.kind, payment));
  return reply.refund;
}
