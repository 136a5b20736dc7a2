import type { Checkout, PaymentMethod } from "../contract.ts";

export const methods = ["cc", "pp"] as const satisfies readonly PaymentMethod[];

export const methodName = { cc: "Credit card", pp: "PayPal" } as const;

const unexplained = {
  cc: "Card payments aren’t available at the moment.",
  pp: "PayPal isn’t available at the moment.",
} as const;

const chooseOther = { cc: "Choose credit card to continue.", pp: "Choose PayPal to continue." } as const;

/** Why a payment method can't be used now; undefined if it can. */
export function awayMessage(method: PaymentMethod, { payway, paypal }: Checkout): string | undefined {
  const { isAvailable, message } = method === "cc" ? payway : paypal;
  return isAvailable ? undefined : message || unexplained[method];
}

/** What to do if the chosen method can't be used, `otherwise` if neither can; undefined if it can be used. */
export function methodFault(method: PaymentMethod, checkout: Checkout, otherwise: string): string | undefined {
  if (awayMessage(method, checkout) === undefined) return undefined;
  const other = method === "cc" ? "pp" : "cc";
  return awayMessage(other, checkout) === undefined
    ? chooseOther[other]
    : `You can’t pay by card or PayPal at the moment. ${otherwise}`;
}
