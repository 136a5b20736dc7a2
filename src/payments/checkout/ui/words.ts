import type { PaymentMethod } from "#payments/checkout/contract.ts";
import type { Organisation } from "#shared/organisation.ts";

export type PaymentAction = "donate" | "tickets";

export const payLabels = {
  donate: {
    card: (amount: string) => `Donate ${amount}`,
    paypal: (amount: string) => `Donate ${amount} with PayPal`,
  },
  tickets: { card: (amount: string) => `Pay ${amount}`, paypal: (amount: string) => `Pay ${amount} with PayPal` },
} as const;

/** What the loading overlay says while a payment is sent. */
export const sendingText = {
  cc: "We’ve sent your card details to the bank. Please don’t close this page",
  pp: "We’ve sent your payment to PayPal. Please don’t close this page",
} as const satisfies Record<PaymentMethod, string>;

/** Who is paid and whom to contact. */
export type Payee = Pick<Organisation, "name" | "abn" | "phone" | "email">;
