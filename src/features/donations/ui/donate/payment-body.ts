import type { Checkout } from "#payments/checkout/contract.ts";
import {
  type CartLine,
  type Category,
  lineCents,
  type OfferedCategory,
  type Priced,
  price,
  subtotalCents,
} from "../../cart.ts";
import type { CardPayment, PayPalPayment } from "../../contract.ts";
import type { Flow } from "./flow.ts";
import { donorName } from "./personal.ts";

/** What the donor is shown and the payment says; one computation for both (DON-9, DON-10, DON-12). */
export function priceCart(
  { lines, coversAdminFee, method }: Pick<Flow, "lines" | "coversAdminFee" | "method">,
  categories: readonly Category[],
  fees: Checkout["fees"],
): Priced {
  const priced = lines.map((line) => ({
    ...line,
    adminFeeApplies: categories.find(({ title }) => title === line.category)?.adminFeeApplies ?? true,
  }));
  return price(priced, method, coversAdminFee, feeRates(fees));
}

/** What of a cart the receipt will state as a tax-deductible gift: no fees, and no lines that are none. */
export function giftCents(lines: readonly CartLine[], categories: readonly OfferedCategory[]): number {
  const isGift = new Map(categories.map(({ title, isDeductible }) => [title, isDeductible]));
  return subtotalCents(lines.filter(({ category }) => isGift.get(category)));
}

export function feeRates({ adminPercent, cardPercent, paypalPercent }: Checkout["fees"]) {
  const basisPoints = (percent: number) => Math.round(percent * 100);
  return {
    adminBasisPoints: basisPoints(adminPercent),
    merchantBasisPoints: { cc: basisPoints(cardPercent), pp: basisPoints(paypalPercent) },
  };
}

export type DonationPayment = CardPayment | PayPalPayment;

/** The card payment of a cart (DON-18). */
export function cardPayment(parts: PaymentParts, token: string): CardPayment {
  return { ...commonFields(parts), token, method: "PAYWAY", paymentType: "Credit Card" };
}

/** The PayPal payment of a cart. Of what PayPal gave only what stands for the approval goes on. */
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

export type PaymentParts = {
  readonly flow: Pick<Flow, "personal" | "lines">;
  readonly priced: Priced;
  readonly userId: number;
  readonly captcha: string;
};
