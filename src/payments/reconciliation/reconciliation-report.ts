import { type Block, remark, said } from "#shared/mail/letter-layout.ts";
import { formatDollars } from "#shared/money.ts";
import { dayInSydney, formatDay } from "#shared/sydney.ts";
import type { ProviderName } from "../tables.ts";
import type { FindingKind } from "./compare.ts";
import type { ReportData } from "./reconciliation-store.ts";

/** What people call each provider. */
export const providerTitles = {
  payway: "PayWay",
  braintree: "Braintree (PayPal)",
} as const satisfies Record<ProviderName, string>;

export type Report = {
  readonly title: string;
  /** Whether every book was read and no finding is open. */
  readonly isEqual: boolean;
  readonly isWhole: boolean;
  readonly blocks: readonly Block[];
};

/** The treasurer's report of one day: sums to the cent, and each difference with what to do about it. */
export function presentReport({ day, runs, findings }: ReportData): Report {
  const open = findings.filter(({ resolved_at }) => resolved_at === null);
  const settled = findings.filter(({ resolved_at }) => resolved_at !== null);
  const unread = runs.filter(({ state }) => state !== "done");
  const isWhole = runs.length > 0 && unread.length === 0;
  const isEqual = isWhole && open.length === 0;
  const title = [
    ...(isEqual ? ["All equal"] : []),
    ...(open.length > 0 ? [open.length === 1 ? "One difference" : `${open.length} differences`] : []),
    ...(isWhole ? [] : ["Not all books could be read"]),
  ].join("; ");
  return {
    title,
    isEqual,
    isWhole,
    blocks: [
      said(
        `We compared what the payment providers say of ${formatDay(day)}, and of the weeks before it, with our own ` +
          `ledger, payment by payment.${isEqual ? " Every payment and every refund agrees to the cent." : ""}`,
      ),
      ...runs.filter(({ state }) => state === "done").flatMap(presentSums),
      ...unread.map(({ provider, detail }) =>
        said(
          `The books of ${providerTitles[provider]} could not be compared: ${detail || "it is not finished yet."} ` +
            "It is tried again by itself every hour, and the next day's comparison looks at this day again.",
        ),
      ),
      ...(open.length > 0 ? [said("Please look at:")] : []),
      ...open.map((finding) => said(`• ${describeFinding(finding)}`)),
      ...(settled.length > 0 ? [said("Put right since the last report, nothing to do:")] : []),
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

type KeptFinding = ReportData["findings"][number];

/** One finding: what differs, and on a line of its own what to do about it. */
export function describeFinding(finding: KeptFinding): string {
  const since = dayInSydney(finding.found_at);
  const isOld = since !== dayInSydney(finding.last_seen_at);
  const first = isOld ? ` First reported on ${formatDay(since)}.` : "";
  return `${describeDifference(finding)}${first}\n→ ${adviceOf(finding)}`;
}

function describeDifference(finding: KeptFinding): string {
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
      return `${at} holds ${theirs}${number} of ${on} that no payment of ours stands for; ${detail}.`;
    case "payment_without_charge":
      return `Our books have ${ourPayment} of ${on} over ${ours} as paid${number}; ${detail}.`;
    case "amount_differs":
      return `We booked ${ours} for ${ourPayment} of ${on}, ${at} charged ${theirs}${number}.`;
    case "currency_differs":
      return `${at} charged ${ourPayment} of ${on}${number} in another currency: ${detail}.`;
    case "status_differs":
      return refund === null
        ? `The books differ on ${ourPayment} of ${on}${number}: ${detail}. We hold ${ours}, ${at} ${theirs}.`
        : `${at} gave back ${theirs}${number} for ${ourRefund}, which our books do not count: ${detail}.`;
    case "charged_twice":
      return `${at} charged ${ourPayment} once more: ${theirs}${number} of ${on}.`;
    case "refund_without_request":
      return `${at} gave back ${theirs} of ${ourPayment} on ${on}${number}, and our books had nothing of it: ${detail}.`;
    case "refund_missing":
      return `Our books have ${ourRefund} over ${ours} on ${on} as made${number}; ${detail}.`;
    case "refund_amount_differs":
      return `We booked ${ours} for ${ourRefund} of ${on}, ${at} gave back ${theirs}${number}.`;
    case "ledger_differs":
      return `The ledger has ${signed(finding.ours_cents)} for ${ourRefund} of ${on}, and ${signed(finding.theirs_cents)} would be right: ${detail}.`;
  }
}

const signed = (cents: number | null) => formatDollars(cents ?? 0);

/** What a person does about it. Nothing here is put right by charging again. */
function adviceOf({ kind, provider, ours_cents, theirs_cents, refund_id }: KeptFinding): string {
  const at = providerTitles[provider];
  const ours = ours_cents ?? 0;
  const theirs = theirs_cents ?? 0;
  const mender = "whoever looks after the site";
  switch (kind as FindingKind) {
    case "charge_without_payment":
      return `Find out at ${at} who paid and for what. Refund it there when it was not meant for us.`;
    case "payment_without_charge":
      return `Search ${at} for it. If it is not there, its receipt must not stand: tell ${mender}, and write to the donor.`;
    case "amount_differs":
      return theirs > ours
        ? `Refund the difference at ${at}: the donor was charged too much.`
        : `Find out at ${at} why. The receipt says too much: tell ${mender}, and write to the donor.`;
    case "currency_differs":
      return `Ask ${at} why, and have the account set to Australian dollars.`;
    case "status_differs":
      if (refund_id !== null || theirs === ours) {
        return `It is asked about by itself. If it is still here tomorrow, compare both at ${at}.`;
      }
      return theirs > 0 && ours === 0
        ? `It is taken onto our books by itself. Write to the donor, who was told that nothing was charged. If it is still here tomorrow, tell ${mender}.`
        : `Look at the charge at ${at}. If nothing was paid, the receipt must not stand: tell ${mender}, and write to the donor.`;
    case "charged_twice":
      return `Refund this charge at ${at}. The first one stands.`;
    case "refund_without_request":
      return `Find out at ${at} who made it and why.`;
    case "refund_missing":
      return `Search ${at} for it. If it is not there, make the refund there: the donor has been told that the money is coming.`;
    case "refund_amount_differs":
      return `Compare both at ${at}, and tell the donor what has really gone back.`;
    case "ledger_differs":
      return `Nobody may correct a ledger by hand: tell ${mender}.`;
  }
}
