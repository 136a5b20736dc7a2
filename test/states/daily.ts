import type { BookedPayment, ProviderComparison } from "#payments/reconciliation/compare.ts";
import { dayInSydney } from "#shared/language.ts";
import { sumOf } from "./store.ts";
import { finishAll, type World } from "./world.ts";

/** The daily comparison: `compare.ts` over everything, and the site's automatic corrections. */
export function compareDaily(world: World) {
  finishAll(world);
  const now = world.now();
  for (const { attemptId } of compareAll(world).flatMap(({ findings }) => findings)) {
    const attempt = world.store.attempts.get(attemptId ?? "");
    if (attempt === undefined) continue;
    if (!world.rules.isPaid(attempt.state)) world.checkAt(attempt.id, now);
    else world.review(attempt.id, world.banks[attempt.provider].listAll(), now);
  }
}

/** Compares both providers' books with ours, as of now. */
export function compareAll({ store, banks, rules, giveUpMs, now }: World): ProviderComparison[] {
  return Object.values(banks).map((bank) => {
    const booked = [...store.attempts.values()]
      .filter(({ provider }) => provider === bank.name)
      .map((attempt): BookedPayment => {
        const account = `receivable:${attempt.provider}`;
        const entries = store.ledger.filter(({ attemptId }) => attemptId === attempt.id);
        const centsOf = (refundId: string | null) =>
          sumOf(
            entries.filter((entry) => entry.refundId === refundId),
            attempt.id,
            account,
          );
        return {
          attemptId: attempt.id,
          orderReference: attempt.order_reference,
          transactionId: attempt.provider_transaction_id,
          state: attempt.state,
          amountCents: attempt.amount_cents,
          currency: attempt.currency,
          sentAt: attempt.sent_at,
          day: dayInSydney(attempt.created_at),
          ledgerCents: centsOf(null),
          refunds: store.listRefunds(attempt.id).map((refund) => ({
            refundId: refund.id,
            orderReference: refund.order_reference,
            transactionId: refund.provider_transaction_id,
            kind: refund.kind,
            state: refund.state,
            amountCents: refund.amount_cents,
            at: refund.settled_at ?? refund.sent_at ?? refund.created_at,
            day: dayInSydney(refund.settled_at ?? refund.created_at),
            ledgerCents: centsOf(refund.id),
          })),
        };
      });
    const listed = bank.listAll().map((row) => ({ ...row, day: dayInSydney(row.at!) }));
    return rules.compareBooks(booked, listed, { day: dayInSydney(now()), now: now(), giveUpMs });
  });
}
