import { type Cell, dayOf, timeOf } from "#admin/export/export-formats.ts";
import { describePaymentState } from "#payments/payment-words.ts";
import { isPaid } from "#payments/states.ts";
import { plainDollars } from "#shared/money.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import type { ExportedDonation, ExportedRefund } from "../../server/search/read-donations.ts";
import { methodWords, refundKindWords } from "../list/filter-words.ts";

type ExportColumn = {
  /** The name in the first line, and in docs/back-office.md. */
  readonly name: string;
  /** True if the column may show somebody's faith, so that it is exported only if asked for. */
  readonly isSensitive?: true;
  readonly ofDonation: (donation: ExportedDonation) => Cell;
  readonly ofRefund: (refund: ExportedRefund, donation: ExportedDonation) => Cell;
};

const same = (name: string, cell: (donation: ExportedDonation) => Cell): ExportColumn => ({
  name,
  ofDonation: cell,
  ofRefund: (_, donation) => cell(donation),
});

type Cents<Of> = (of: Of) => number;

/** A column that adds up to what the ledger says: nothing of what was never charged, and less what was refunded. */
const charged = (name: string, of: Cents<ExportedDonation>, refunded: Cents<ExportedRefund>): ExportColumn => ({
  name,
  ofDonation: (donation) => ({ cents: donation.state !== null && isPaid(donation.state) ? of(donation) : 0 }),
  ofRefund: (refund) => ({ cents: -refunded(refund) }),
});

/** The columns of an export, in their order. */
export const exportColumns: readonly ExportColumn[] = [
  { name: "Row", ofDonation: () => "Donation", ofRefund: ({ kind }) => refundKindWords[kind] },
  { name: "Day", ofDonation: ({ givenAt }) => dayOf(givenAt), ofRefund: ({ at }) => dayOf(at) },
  { name: "Time", ofDonation: ({ givenAt }) => timeOf(givenAt), ofRefund: ({ at }) => timeOf(at) },
  same("Donation", ({ reference }) => reference),
  same("Receipt", ({ receiptNumber }) => (receiptNumber === null ? "" : formatReceiptNumber(receiptNumber))),
  same("First name", (donation) => unlessAnonymous(donation, donation.firstName)),
  same("Last name", (donation) => unlessAnonymous(donation, donation.lastName)),
  same("Email", (donation) => unlessAnonymous(donation, donation.email)),
  same("Postcode", (donation) => unlessAnonymous(donation, donation.postcode ?? "")),
  same("Anonymous", ({ isAnonymous }) => (isAnonymous ? "Yes" : "No")),
  same("Paid by", ({ method }) => methodWords[method]),
  same("State", ({ state }) => describePaymentState(state).label),
  {
    name: "Amount",
    ofDonation: ({ totalCents }) => ({ cents: totalCents }),
    ofRefund: ({ cents }) => ({ cents: -cents }),
  },
  charged(
    "Received",
    ({ totalCents }) => totalCents,
    ({ cents }) => cents,
  ),
  // Not by what is deductible: that would tell who gave Qurban.
  charged(
    "Without fees",
    ({ subtotalCents }) => subtotalCents,
    ({ cents, adminFeeCents, merchantFeeCents }) => cents - adminFeeCents - merchantFeeCents,
  ),
  charged(
    "Admin fee",
    ({ adminFeeCents }) => adminFeeCents,
    (refund) => refund.adminFeeCents,
  ),
  charged(
    "Merchant fee",
    ({ merchantFeeCents }) => merchantFeeCents,
    (refund) => refund.merchantFeeCents,
  ),
  same("Currency", ({ currency }) => currency),
  same("Provider", ({ provider }) => provider ?? ""),
  {
    name: "Provider reference",
    ofDonation: ({ paymentReference }) => paymentReference ?? "",
    ofRefund: ({ reference }) => reference,
  },
  {
    name: "Transaction",
    ofDonation: ({ transactionId }) => transactionId ?? "",
    ofRefund: ({ transactionId }) => transactionId ?? "",
  },
  { ...same("For", ({ lines }) => (lines ?? []).map(describeLine).join("; ")), isSensitive: true },
];

const unlessAnonymous = ({ isAnonymous }: ExportedDonation, text: string) => (isAnonymous ? "" : text);

const describeLine = ({ title, part, cents: given }: NonNullable<ExportedDonation["lines"]>[number]) =>
  `${part === "" ? title : `${title}: ${part}`} ${plainDollars(given)}`;

/** The rows of a donation: itself, and each refund of it. */
export function rowsOf(donation: ExportedDonation, columns: readonly ExportColumn[]): Cell[][] {
  const refunds = donation.refunds ?? [];
  return [
    columns.map(({ ofDonation }) => ofDonation(donation)),
    ...refunds.map((refund) => columns.map(({ ofRefund }) => ofRefund(refund, donation))),
  ];
}

/** The columns in their order; what was given to, which may show faith, only if asked for. */
export function columnsFor(withGifts: boolean): readonly ExportColumn[] {
  return exportColumns.filter(({ isSensitive }) => withGifts || !isSensitive);
}
