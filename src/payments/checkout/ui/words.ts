import type { Organisation } from "#shared/organisation.ts";

export type PaymentAction = "donate" | "tickets";

export const payLabels = {
  donate: {
    card: (amount: string) => `Donate ${amount}`,
    paypal: (amount: string) => `Donate ${amount} with PayPal`,
  },
  tickets: { card: (amount: string) => `Pay ${amount}`, paypal: (amount: string) => `Pay ${amount} with PayPal` },
} as const;

/** Who is paid and whom to contact. */
export type Payee = Pick<Organisation, "name" | "abn" | "phone" | "email">;
