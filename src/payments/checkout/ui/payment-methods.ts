import type { Checkout, PaymentMethod } from "../contract.ts";

export const methods = ["cc", "pp"] as const satisfies readonly PaymentMethod[];

export const methodName = { cc: "Credit card", pp: "PayPal" } as const;

const unexplained = {
  cc: "Card payments are not available just now.",
  pp: "PayPal is not available just now.",
} as const;

/** Why a way of paying cannot be used now; nothing when it can. */
export function awayMessage(method: PaymentMethod, { payway, paypal }: Checkout): string | undefined {
  const { isAvailable, message } = method === "cc" ? payway : paypal;
  return isAvailable ? undefined : message || unexplained[method];
}

/** What to do about the chosen way of paying, and what else where there is no other; nothing when it can be used. */
export function methodFault(method: PaymentMethod, checkout: Checkout, otherwise: string): string | undefined {
  if (awayMessage(method, checkout) === undefined) return undefined;
  const other = method === "cc" ? "pp" : "cc";
  return awayMessage(other, checkout) === undefined
    ? `Choose ${other === "pp" ? "PayPal" : "credit card"} to go on.`
    : `Neither card nor PayPal can be used just now. ${otherwise}`;
}
