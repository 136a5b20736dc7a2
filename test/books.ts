import type pg from "pg";
import type { LedgerRow } from "#simulators/ledger.ts";

/** What two sets of books say of each other: every list is empty when all is well. */
export type Comparison = {
  donations: number;
  chargedCents: number;
  ledgerCents: number;
  donatedCents: number;
  chargedTwice: string[];
  chargedWithoutDonation: string[];
  paidWithoutCharge: string[];
  amountsThatDiffer: string[];
  receipts: number;
  paid: number;
  receiptNumbersAreGapless: boolean;
  open: number;
};

/** Holds the provider's own books against the attempts, the ledger, the donations and the receipts, to the cent. */
export async function compareBooks(pool: pg.Pool, provider: readonly LedgerRow[]): Promise<Comparison> {
  const approved = provider.filter(({ type, status }) => type === "payment" && status.startsWith("approved"));
  const { rows: attempts } = await pool.query<{
    reference: string;
    state: string;
    cents: number;
    total: number | null;
  }>(
    `select a.order_reference as reference, a.state, a.amount_cents as cents, d.total_cents as total
       from payment_attempts a left join donations d on d.id = a.donation_id`,
  );
  const byReference = new Map(attempts.map((attempt) => [attempt.reference, attempt]));
  const charges = Map.groupBy(approved, ({ orderReference }) => orderReference);
  const paid = attempts.filter(({ state }) => state.startsWith("succeeded"));
  const one = async (text: string) => Number((await pool.query<{ value: string }>(text)).rows[0]?.value ?? 0);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    donations: await one("select count(*) as value from donations"),
    chargedCents: sum(approved.map(({ amountCents }) => amountCents)),
    ledgerCents: await one(
      "select coalesce(sum(amount_cents), 0) as value from ledger_entries where account = 'receivable:payway'",
    ),
    donatedCents: sum(paid.map(({ total }) => Number(total))),
    chargedTwice: [...charges].filter(([, rows]) => rows.length > 1).map(([reference]) => reference),
    chargedWithoutDonation: [...charges.keys()].filter(
      (reference) => !byReference.get(reference)?.state.startsWith("succeeded"),
    ),
    paidWithoutCharge: paid.filter(({ reference }) => !charges.has(reference)).map(({ reference }) => reference),
    amountsThatDiffer: paid
      .filter(
        ({ reference, cents, total }) =>
          charges.get(reference)?.[0]?.amountCents !== Number(cents) || Number(cents) !== Number(total),
      )
      .map(({ reference }) => reference),
    receipts: await one("select count(*) as value from receipts"),
    paid: paid.length,
    receiptNumbersAreGapless: (await one("select coalesce(max(number), 0) - count(*) as value from receipts")) === 0,
    open: attempts.filter(({ state }) => ["created", "submitting", "unknown", "processing"].includes(state)).length,
  };
}

/** The part of a comparison that must be empty, whatever happened. */
export function faultsOf({
  chargedTwice,
  chargedWithoutDonation,
  paidWithoutCharge,
  amountsThatDiffer,
  ...counts
}: Comparison) {
  return {
    chargedTwice,
    chargedWithoutDonation,
    paidWithoutCharge,
    amountsThatDiffer,
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
  open: 0,
  isBalanced: true,
  hasOneReceiptEach: true,
};
