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
