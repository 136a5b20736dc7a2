import { dayInSydney, formatDay, formatDollars, plural } from "#shared/language.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import type { ProviderName } from "../tables.ts";
import type { FindingKind } from "./compare.ts";
import type { ReportData } from "./reconciliation-store.ts";

export const providerTitles = {
  payway: "PayWay",
  braintree: "Braintree (PayPal)",
} as const satisfies Record<ProviderName, string>;

type ReconciliationReport = {
  readonly title: string;
  /** Whether all books were read and no finding is open. */
  readonly isEqual: boolean;
  readonly isWhole: boolean;
  readonly blocks: readonly Block[];
};

/** The treasurer's report for one day: totals, and each difference with what to do about it. */
export function presentReport({ day, runs, findings }: ReportData): ReconciliationReport {
  const open = findings.filter(({ resolved_at }) => resolved_at === null);
  const settled = findings.filter(({ resolved_at }) => resolved_at !== null);
  const unread = runs.filter(({ state }) => state !== "done");
  const isWhole = runs.length > 0 && unread.length === 0;
  const isEqual = isWhole && open.length === 0;
  const title = [
    ...(isEqual ? ["All equal"] : []),
    ...(open.length > 0 ? [plural(open.length, { one: "One difference", other: `${open.length} differences` })] : []),
    ...(isWhole ? [] : ["Not all books could be read"]),
  ].join("; ");
  return {
    title,
    isEqual,
    isWhole,
    blocks: [
      paragraph(
        `We compared the payment providers’ books for ${formatDay(day)}, and for the weeks before it, with our own ` +
          `ledger, payment by payment.${isEqual ? " Every payment and every refund agrees to the cent." : ""}`,
      ),
      ...runs.filter(({ state }) => state === "done").flatMap(presentSums),
      ...unread.map(({ provider, detail }) =>
        paragraph(
          `We couldn’t compare the books of ${providerTitles[provider]}: ${detail || "the comparison isn’t finished yet."} ` +
            "We try again every hour, and tomorrow’s comparison includes this day again.",
        ),
      ),
      ...(open.length > 0 ? [paragraph("Please check:")] : []),
      ...open.map((finding) => paragraph(`• ${describeFinding(finding)}`)),
      ...(settled.length > 0 ? [paragraph("Resolved since the last report, nothing to do:")] : []),
      ...settled.map((finding) => remark(`• ${describeDifference(finding)}`)),
    ],
  };
}

function presentSums({
  provider,
  provider_cents,
  ledger_cents,
  transactions,
  detail,
}: ReportData["runs"][number]): Block[] {
  const theirs = provider_cents ?? 0;
  const ours = ledger_cents ?? 0;
  return [
    {
      kind: "rows",
      rows: [
        [`${providerTitles[provider]}, payments and refunds`, String(transactions)],
        ["Charged less refunded, by the provider", formatDollars(theirs)],
        ["By our ledger", formatDollars(ours)],
        ["Difference", formatDollars(theirs - ours)],
      ],
    },
    ...(detail === "" ? [] : [remark(detail)]),
  ];
}

export type DescribedFinding = ReportData["findings"][number];

/** One finding: what differs and, on its own line, what to do about it. */
function describeFinding(finding: DescribedFinding): string {
  const since = dayInSydney(finding.found_at);
  const isOld = since !== dayInSydney(finding.last_seen_at);
  const first = isOld ? ` First reported on ${formatDay(since)}.` : "";
  return `${describeDifference(finding)}${first}\n→ ${adviceOf(finding)}`;
}

/** One sentence: what the provider has, beside what we have. */
export function describeDifference(finding: DescribedFinding): string {
  const { provider, reference, detail, payment, refund } = finding;
  const at = providerTitles[provider];
  const on = formatDay(finding.day);
  const ours = formatDollars(Math.abs(finding.ours_cents ?? 0));
  const theirs = formatDollars(Math.abs(finding.theirs_cents ?? 0));
  const number = reference === payment || reference === refund ? "" : `, transaction ${reference}`;
  const ourPayment = payment === null ? "an unknown payment" : `payment ${payment}`;
  const ourRefund = refund === null ? ourPayment : `refund ${refund} of ${ourPayment}`;
  switch (finding.kind as FindingKind) {
    case "charge_without_payment":
      return `${at} has ${theirs}${number} of ${on} that matches no payment of ours; ${detail}.`;
    case "payment_without_charge":
      return `Our books have ${ourPayment} of ${on} for ${ours} as paid${number}; ${detail}.`;
    case "amount_differs":
      return `We booked ${ours} for ${ourPayment} of ${on}, ${at} charged ${theirs}${number}.`;
    case "currency_differs":
      return `${at} charged ${ourPayment} of ${on}${number} in another currency: ${detail}.`;
    case "status_differs":
      return refund === null
        ? `The books differ on ${ourPayment} of ${on}${number}: ${detail}.${ours === theirs ? "" : ` We have ${ours}, ${at} has ${theirs}.`}`
        : `${at} refunded ${theirs}${number} for ${ourRefund}, which our books don’t count: ${detail}.`;
    case "charged_twice":
      return `${at} charged ${ourPayment} again: ${theirs}${number} of ${on}.`;
    case "refund_without_request":
      return `${at} refunded ${theirs} of ${ourPayment} on ${on}${number}, which is not on our books: ${detail}.`;
    case "refund_missing":
      return `Our books have ${ourRefund} for ${ours} on ${on} as made${number}; ${detail}.`;
    case "refund_amount_differs":
      return `We booked ${ours} for ${ourRefund} of ${on}, ${at} refunded ${theirs}${number}.`;
    case "ledger_differs":
      return `The ledger has ${signed(finding.ours_cents)} for ${ourRefund} of ${on}, but should have ${signed(finding.theirs_cents)}: ${detail}.`;
  }
}

const signed = (cents: number | null) => formatDollars(cents ?? 0);

const mender = "whoever runs the site";

/**
 * What staff should do; `place` is where they can, as seen from where they read it. Charging again is never the answer;
 * only a fault of the site needs somebody else.
 */
export function adviceOf(finding: DescribedFinding, place = "under Donations, Reconciliation"): string {
  const at = providerTitles[finding.provider];
  switch (finding.kind as FindingKind) {
    case "charge_without_payment":
      return `Find out at ${at} who paid and for what. If it was a gift, take it in as a donation ${place}. If it was not meant for us, refund it at ${at}: the next comparison closes this difference.`;
    case "payment_without_charge":
      return `Search ${at} for it. If it is not there, nobody was charged: reverse the payment ${place}. That voids the receipt or the tickets, and tells the payer.`;
    case "amount_differs":
      return adviseOnAmount(finding, at);
    case "currency_differs":
      return `Ask ${at} why, and have the account set to Australian dollars. Then close this difference with their answer.`;
    case "status_differs":
      return adviseOnStatus(finding, at);
    case "charged_twice":
      return `Refund this charge at ${at}, and keep the first one. The next comparison closes this difference.`;
    case "refund_without_request":
      return `Find out at ${at} who made it and why, and close this difference with the answer.`;
    case "refund_missing":
      return finding.refundKind === "refund"
        ? `Ask ${at} what became of it: they had confirmed it, and we have told the payer that the money is coming. If it never went back, pay it by bank transfer, tell whoever keeps the accounts, and close this difference with that. A second refund here or at ${at} would be booked twice.`
        : `${at} still holds this charge, which our books have as taken back. Refund it at ${at}, then close this difference.`;
    case "refund_amount_differs":
      return `Compare both at ${at}, tell the payer how much was actually refunded, and close this difference with that.`;
    case "ledger_differs":
      return `This is a fault of the site. Tell ${mender} the payment and both amounts. Never correct a ledger by hand.`;
  }
}

function adviseOnAmount({ ours_cents }: DescribedFinding, at: string): string {
  return ours_cents === 0
    ? `We asked for another amount, so this is not on our books. Refund the charge at ${at}, ask the payer to pay again, and close this difference with that.`
    : `The site takes no answer with another amount, so this is a fault of the site or of ${at}. Tell ${mender} the payment, the transaction and both amounts. Refund nothing at ${at} before they have answered.`;
}

function adviseOnStatus({ ours_cents, theirs_cents, refund_id }: DescribedFinding, at: string): string {
  const [ours, theirs] = [ours_cents ?? 0, theirs_cents ?? 0];
  if (refund_id !== null || theirs === ours) {
    return `The site follows ${at} automatically. If it is still here tomorrow, compare both at ${at}, and close this difference with what you found.`;
  }
  return theirs > 0 && ours === 0
    ? `The site adds it to our books automatically. Write to the payer, who was told that nothing was charged. If it is still here tomorrow, refund the charge at ${at}, and ask the payer to pay again: the next comparison closes this difference.`
    : `${at} has not decided yet, or does not say. The site checks every night: if nothing was paid, it voids the receipt or the tickets, and tells the payer. If it is still here in a week, ask ${at}.`;
}
