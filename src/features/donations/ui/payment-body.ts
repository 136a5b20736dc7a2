import { type Category, lineCents, type PaymentMethod, type Priced, price } from "../cart.ts";
import type { CardPayment, Checkout } from "../contract.ts";
import type { Flow } from "./flow.ts";
import { donorName } from "./personal.ts";

/** What the donor is shown and the payment says; one computation for both (DON-9, DON-10, DON-12). */
export function priceCart(
  { lines, coversAdminFee }: Pick<Flow, "lines" | "coversAdminFee">,
  categories: readonly Category[],
  fees: Checkout["fees"],
  method: PaymentMethod = "cc",
): Priced {
  const priced = lines.map((line) => ({
    ...line,
    adminFeeApplies: categories.find(({ title }) => title === line.category)?.adminFeeApplies ?? true,
  }));
  return price(priced, method, coversAdminFee, feeRates(fees));
}

export function feeRates({ adminPercent, cardPercent, paypalPercent }: Checkout["fees"]) {
  const basisPoints = (percent: number) => Math.round(percent * 100);
  return {
    adminBasisPoints: basisPoints(adminPercent),
    merchantBasisPoints: { cc: basisPoints(cardPercent), pp: basisPoints(paypalPercent) },
  };
}

/** The card payment of a cart (DON-18). */
export function cardPayment({ flow, priced, userId, token, captcha }: Parts): CardPayment {
  const { personal, lines } = flow;
  const email = personal.email.trim();
  const firstName = personal.firstName.trim();
  const lastName = personal.lastName.trim();
  return {
    token,
    totalCents: priced.totalCents,
    donorName: donorName({ ...personal, firstName, lastName }),
    firstName,
    lastName,
    email,
    donorEmail: email,
    firstLineCategory: lines[0]?.category ?? "",
    source: "web",
    userId,
    method: "PAYWAY",
    paymentType: "Credit Card",
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

type Parts = {
  readonly flow: Pick<Flow, "personal" | "lines">;
  readonly priced: Priced;
  readonly userId: number;
  readonly token: string;
  readonly captcha: string;
};
