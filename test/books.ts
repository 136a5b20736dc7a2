import type pg from "pg";
import { isPaid, isUndecided, type PaymentState } from "#payments/states.ts";
import { hasMovedMoney, type LedgerRow } from "#simulators/ledger.ts";

/** The differences between the providers' books and ours: every list is empty when all is well. */
type Comparison = {
  donations: number;
  /** Charges minus refunds on the providers' books. */
  chargedCents: number;
  ledgerCents: number;
  donatedCents: number;
  /** Order references of payments. */
  chargedTwice: string[];
  chargedWithoutDonation: string[];
  paidWithoutCharge: string[];
  amountsThatDiffer: string[];
  /** Payments whose refunds differ between the two sides. */
  refundsThatDiffer: string[];
  /** The provider's transactions for refunds made twice, or without a payment. */
  refundsWithoutPayment: string[];
  /** Payments whose latest receipt differs from the books. */
  receiptsThatDiffer: string[];
  receipts: number;
  /** Paid donations; tickets have no receipts. */
  paid: number;
  receiptNumbersAreGapless: boolean;
  open: number;
};

type Attempt = {
  readonly reference: string;
  readonly transactionId: string | null;
  readonly state: PaymentState;
  readonly cents: number;
  readonly total: number;
  /** The refunds on our books, and the part that a provider lists: it lists no transaction for a lost dispute. */
  readonly returned: number;
  readonly chargedBack: number;
  readonly isTakenBack: boolean;
  readonly isDonation: boolean;
  readonly receipts: number;
  readonly isVoid: boolean | null;
};

/** Compares the providers' books with attempts, refunds, the ledger, purchases and receipts, to the cent. */
export async function compareBooks(pool: pg.Pool, provider: readonly LedgerRow[]): Promise<Comparison> {
  const moved = provider.filter(hasMovedMoney);
  const payments = moved.filter(({ type }) => type === "payment");
  const refunds = moved.filter(({ type }) => type === "refund");
  const attempts = await listAttempts(pool);
  const byReference = new Map(attempts.map((attempt) => [attempt.reference, attempt]));
  const byTransaction = new Map(attempts.map((attempt) => [attempt.transactionId, attempt.reference]));
  const charges = Map.groupBy(
    payments,
    // A charge that staff took in has another reference at the provider.
    ({ transactionId, orderReference }) => byTransaction.get(transactionId) ?? orderReference,
  );
  const paid = attempts.filter(({ state }) => isPaid(state));
  const one = async (text: string) => Number((await pool.query<{ value: string }>(text)).rows[0]?.value ?? 0);
  const sumOf = (rows: readonly { amountCents: number }[]) => sum(rows.map(({ amountCents }) => amountCents));
  const refundsOf = Map.groupBy(refunds, ({ parentId }) => parentId);
  const chargeIds = new Set(payments.map(({ transactionId }) => transactionId));
  const theirReturnOf = ({ reference }: Attempt) =>
    sum((charges.get(reference) ?? []).map(({ transactionId }) => sumOf(refundsOf.get(transactionId) ?? [])));
  const referencesWhere = (isWrong: (attempt: Attempt) => boolean) =>
    paid.filter(isWrong).map(({ reference }) => reference);

  return {
    donations: await one("select count(*) as value from donations"),
    chargedCents: sumOf(payments) - sumOf(refunds) - sum(paid.map(({ chargedBack }) => chargedBack)),
    ledgerCents: await one(
      "select coalesce(sum(amount_cents), 0) as value from ledger_entries where account like 'receivable:%'",
    ),
    donatedCents: sum(paid.map(({ total, returned }) => total - returned)),
    chargedTwice: [...charges].filter(([, rows]) => rows.length > 1).map(([reference]) => reference),
    chargedWithoutDonation: [...charges.keys()].filter((reference) => {
      const state = byReference.get(reference)?.state;
      return state === undefined || !isPaid(state);
    }),
    paidWithoutCharge: referencesWhere(({ reference, isTakenBack }) => charges.has(reference) === isTakenBack),
    amountsThatDiffer: referencesWhere(
      ({ reference, cents, total, isTakenBack }) =>
        cents !== total || (!isTakenBack && charges.get(reference)?.[0]?.amountCents !== cents),
    ),
    refundsThatDiffer: referencesWhere(
      (attempt) => !attempt.isTakenBack && theirReturnOf(attempt) !== attempt.returned - attempt.chargedBack,
    ),
    refundsWithoutPayment: refunds
      .filter(({ parentId }) => parentId === null || !chargeIds.has(parentId))
      .map(({ transactionId }) => transactionId),
    receiptsThatDiffer: referencesWhere(
      ({ receipts, isVoid, cents, returned }) => receipts === 1 && isVoid !== (returned === cents),
    ),
    receipts: sum(paid.map(({ receipts }) => receipts)),
    paid: paid.filter(({ isDonation }) => isDonation).length,
    receiptNumbersAreGapless: (await one("select coalesce(max(number), 0) - count(*) as value from receipts")) === 0,
    open:
      attempts.filter(({ state }) => isUndecided(state)).length +
      (await one("select count(*) as value from refunds where state not in ('succeeded', 'failed')")),
  };
}

async function listAttempts(pool: pg.Pool): Promise<Attempt[]> {
  const { rows } = await pool.query<Attempt>(
    `select a.order_reference as reference, a.provider_transaction_id as "transactionId", a.state, a.amount_cents as cents, coalesce(d.total_cents, o.total_cents) as total,
            d.id is not null as "isDonation",
            coalesce(r.returned, 0)::bigint as returned, coalesce(r.charged_back, 0)::bigint as "chargedBack",
            coalesce(r.is_taken_back, false) as "isTakenBack", receipts.count::integer as receipts,
            receipts.is_void as "isVoid"
       from payment_attempts a
       left join donations d on d.id = a.donation_id
       left join ticket_orders o on o.id = a.ticket_order_id
       left join lateral (
         select sum(amount_cents) as returned,
                sum(amount_cents) filter (where kind = 'chargeback') as charged_back,
                bool_or(kind in ('void', 'reversal')) as is_taken_back
           from refunds where attempt_id = a.id and state = 'succeeded'
       ) r on true
       left join lateral (
         select count(*) as count, bool_and(voided_at is not null) as is_void
           from receipts where donation_id = d.id and is_latest
       ) receipts on true`,
  );
  return rows.map((row) => ({
    ...row,
    cents: Number(row.cents),
    total: Number(row.total),
    returned: Number(row.returned),
    chargedBack: Number(row.chargedBack),
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The part of a comparison that must always be empty. */
export function faultsOf({
  chargedTwice,
  chargedWithoutDonation,
  paidWithoutCharge,
  amountsThatDiffer,
  refundsThatDiffer,
  refundsWithoutPayment,
  receiptsThatDiffer,
  ...counts
}: Comparison) {
  return {
    chargedTwice,
    chargedWithoutDonation,
    paidWithoutCharge,
    amountsThatDiffer,
    refundsThatDiffer,
    refundsWithoutPayment,
    receiptsThatDiffer,
    open: counts.open,
    isBalanced: counts.chargedCents === counts.ledgerCents && counts.ledgerCents === counts.donatedCents,
    hasOneReceiptEach: counts.receipts === counts.paid && counts.receiptNumbersAreGapless,
  };
}

export const noFaults: ReturnType<typeof faultsOf> = {
  chargedTwice: [],
  chargedWithoutDonation: [],
  paidWithoutCharge: [],
  amountsThatDiffer: [],
  refundsThatDiffer: [],
  refundsWithoutPayment: [],
  receiptsThatDiffer: [],
  open: 0,
  isBalanced: true,
  hasOneReceiptEach: true,
};
