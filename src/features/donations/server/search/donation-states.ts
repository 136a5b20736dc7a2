import type { PaymentState } from "#payments/states.ts";

/** The states of a donation by which staff filter, each with the states of its payment. */
export const donationStates = {
  paid: { label: "Paid", states: ["succeeded", "succeeded_late"] },
  confirming: { label: "Confirming", states: ["created", "requires_action", "submitting", "processing"] },
  review: { label: "No answer", states: ["unknown"] },
  refunded: { label: "Refunded", states: ["partially_refunded", "refunded"] },
  disputed: { label: "Disputed", states: ["disputed"] },
  declined: { label: "Declined", states: ["failed", "cancelled", "not_found"] },
} as const satisfies Readonly<Record<string, { label: string; states: readonly PaymentState[] }>>;
export type DonationState = keyof typeof donationStates;

export const isDonationState = (text: string): text is DonationState => Object.hasOwn(donationStates, text);

/** The word and look for a donation's state in a list. `null`: no payment was ever sent. */
export function describeState(state: PaymentState | null) {
  return state === null ? ({ label: "Not sent", look: "off" } as const) : described[state];
}

const confirming = { label: "Confirming", look: "act" } as const;
const paid = { label: "Paid", look: "ok" } as const;

const described = {
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
