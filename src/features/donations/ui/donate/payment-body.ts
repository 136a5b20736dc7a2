import type { Checkout } from "#payments/checkout/contract.ts";
import {
  type CartCategory,
  type CartLine,
  findCategory,
  lineCents,
  type OfferedCategory,
  type Priced,
  price,
  subtotalCents,
} from "../../cart.ts";
import type { CardPayment, PayPalPayment } from "../../contract.ts";
import type { Flow } from "./flow.ts";
import { donorName } from "./personal.ts";

/** The amounts that the donor sees and the payment sends (DON-9, DON-10, DON-12). */
export function priceCart(
  { lines, coversAdminFee, method }: Pick<Flow, "lines" | "coversAdminFee" | "method">,
  categories: readonly CartCategory[],
  fees: Checkout["fees"],
): Priced {
  const priced = lines.map((line) => ({
    ...line,
    adminFeeApplies: findCategory(line, categories)?.adminFeeApplies ?? true,
  }));
  return price(priced, method, coversAdminFee, feeRates(fees));
}

/** The tax-deductible amount that the receipt will show: deductible lines only, without fees. */
export function cartDeductibleCents(lines: readonly CartLine[], categories: readonly OfferedCategory[]): number {
  return subtotalCents(lines.filter((line) => findCategory(line, categories)?.isDeductible));
}

/** Basis points from the percentages of `/checkout`. */
export function feeRates({ adminPercent, cardPercent, paypalPercent }: Checkout["fees"]) {
  const basisPoints = (percent: number) => Math.round(percent * 100);
  return {
    adminBasisPoints: basisPoints(adminPercent),
    merchantBasisPoints: { cc: basisPoints(cardPercent), pp: basisPoints(paypalPercent) },
  };
}

export type PaymentBody = CardPayment | PayPalPayment;

/** The body of a card payment. `token` is PayWay's single-use token. */
export function cardPayment(parts: PaymentParts, token: string): CardPayment {
  return { ...commonFields(parts), token, method: "PAYWAY", paymentType: "Credit Card" };
}

/** Of PayPal's answer, only the nonce and its type are sent on. */
export function payPalPayment(parts: PaymentParts, { nonce, type }: { nonce: string; type: string }): PayPalPayment {
  return { ...commonFields(parts), nonce, payload: { nonce, type }, method: "braintree", paymentType: "PAYPAL" };
}

function commonFields({ flow, priced, userId, captcha }: PaymentParts) {
  const { personal, lines } = flow;
  const email = personal.email.trim();
  const firstName = personal.firstName.trim();
  const lastName = personal.lastName.trim();
  return {
    totalCents: priced.totalCents,
    donorName: donorName({ ...personal, firstName, lastName }),
    firstName,
    lastName,
    email,
    donorEmail: email,
    firstLineCategory: lines[0]?.category ?? "",
    source: "web" as const,
    userId,
    lines: lines.map((line, index) => ({
      ...line,
      onBehalfOf: [...line.onBehalfOf],
      netCents: lineCents(line),
      adminShareCents: priced.adminSharesCents[index],
      merchantShareCents: priced.merchantSharesCents[index],
    })),
    ...(personal.isAnonymous ? {} : { postcode: personal.postcode.trim() }),
    isAnonymous: personal.isAnonymous,
    captcha,
  };
}

type PaymentParts = {
  readonly flow: Pick<Flow, "personal" | "lines">;
  readonly priced: Priced;
  readonly userId: number;
  readonly captcha: string;
};
