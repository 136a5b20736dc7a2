import { formatDollars } from "#shared/language.ts";
import type { PaymentState } from "./states.ts";

export const providerNames = { payway: "PayWay", braintree: "PayPal" } as const;

/** What the event of a payment means, by its name in `#payments/states.ts`. Refunds have their own words below. */
export const paymentEventWords: Readonly<Record<string, (provider: string) => string>> = {
  payment_created: () => "The donor sent the donation from the donation page, and their bank was asked first.",
  charged_elsewhere: (provider) => `${provider} took the charge. It was not made on this site.`,
  submission_started: (provider) => `The charge went to ${provider}.`,
  challenge_required: () => "The donor’s bank asked them to confirm.",
  payment_cancelled: () => "The donor did not confirm it at their bank. Nothing was charged.",
  charge_approved: (provider) => `Paid. ${provider} approved the charge, and we put it on the books.`,
  charge_declined: (provider) => `Declined. ${provider} did not take the charge.`,
  charge_pending: (provider) => `${provider} has the charge and has not decided yet.`,
  answer_lost: (provider) => `${provider}’s answer was lost. We did not charge again; we asked what had become of it.`,
  charge_found: (provider) => `Paid. ${provider} has the charge, and we put it on the books.`,
  decline_found: (provider) => `Declined. ${provider} says that it did not take the charge.`,
  pending_charge_found: (provider) => `${provider} found the charge and has not decided yet.`,
  charge_never_found: (provider) => `${provider} never had the charge. Nothing was taken.`,
  late_charge_found: (provider) => `Paid after all. ${provider} had taken the charge, and we put it on the books.`,
  dispute_opened: () => "The donor disputes the payment at their bank.",
  dispute_won: () => "The dispute was decided for us: the money stays.",
};

type RefundFacts = { readonly amount_cents: number; readonly provider: "payway" | "braintree" };

/** The symbol of a payment's event; a clock for any other. */
export const eventIcons = {
  payment_created: "drop",
  charged_elsewhere: "drop",
  submission_started: "drop",
  challenge_required: "shield",
  charge_approved: "ok",
  charge_found: "ok",
  late_charge_found: "ok",
  charge_declined: "no",
  decline_found: "no",
  charge_never_found: "no",
  payment_cancelled: "no",
  answer_lost: "query",
  dispute_opened: "flag",
  dispute_won: "ok",
} as const;

/** What the event of a refund means, by its name in `#payments/refunds/refund-states.ts`. */
export const refundEventWords: Readonly<Record<string, (refund: RefundFacts) => string>> = {
  refund_requested: ({ amount_cents }) => `A refund of ${formatDollars(amount_cents)} was requested.`,
  refund_sent: ({ provider }) => `The refund went to ${providerNames[provider]}.`,
  refund_found: ({ amount_cents, provider }) =>
    `Refunded. ${providerNames[provider]} has given ${formatDollars(amount_cents)} back.`,
  refund_given_up: () => "The refund was given up. No money went back.",
  refund_postponed: ({ provider }) => `${providerNames[provider]} did not take the refund yet. We try again.`,
  refund_made: ({ amount_cents, provider }) =>
    `Refunded. ${providerNames[provider]} gave ${formatDollars(amount_cents)} back.`,
  refund_refused: ({ provider }) => `${providerNames[provider]} refused the refund. No money went back.`,
  answer_lost: ({ provider }) => `${providerNames[provider]}’s answer about the refund was lost. We asked again.`,
  refund_never_found: ({ provider }) => `${providerNames[provider]} never had the refund. No money went back.`,
  refund_sent_again: ({ provider }) => `The refund went to ${providerNames[provider]} again.`,
  late_refund_found: ({ amount_cents }) => `Refunded after all: ${formatDollars(amount_cents)} went back.`,
};

type TakenBack = { readonly kind: string; readonly amount_cents: number; readonly requested_by: string };

/** What went back, or off our books, without a refund of ours; undefined for a refund. */
export function describeTakenBack({ kind, amount_cents, requested_by }: TakenBack): string | undefined {
  const amount = formatDollars(amount_cents);
  if (kind === "chargeback") return `The dispute was decided against us: ${amount} went back.`;
  if (kind !== "reversal") return undefined;
  return requested_by === "staff"
    ? `Reversed: the provider does not have the charge of ${amount}, so it is off our books. No money went back.`
    : `The provider took the payment back by itself: ${amount}.`;
}

/** The word and look for the state of a payment. `null`: none was ever sent. */
export function describePaymentState(state: PaymentState | null) {
  return state === null ? ({ label: "Not sent", look: "off" } as const) : stateWords[state];
}

const confirming = { label: "Confirming", look: "act" } as const;
const paid = { label: "Paid", look: "ok" } as const;

const stateWords = {
  created: confirming,
  requires_action: confirming,
  submitting: confirming,
  processing: confirming,
  unknown: { label: "No answer", look: "warn" },
  succeeded: paid,
  succeeded_late: paid,
  partially_refunded: { label: "Partly refunded", look: "plain" },
  refunded: { label: "Refunded", look: "plain" },
  disputed: { label: "Disputed", look: "bad" },
  failed: { label: "Declined", look: "off" },
  cancelled: { label: "Not finished", look: "off" },
  not_found: { label: "Not charged", look: "off" },
} as const satisfies Readonly<
  Record<PaymentState, { label: string; look: "ok" | "plain" | "off" | "act" | "warn" | "bad" }>
>;
