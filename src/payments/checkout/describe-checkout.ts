import type { Config } from "#shared/config/config.ts";
import type { Fees } from "../fees.ts";
import type { Checkout } from "./contract.ts";
import { describeGuard, type PayingServices, type PaymentSender } from "./paying.ts";

export const paypalIsNotOffered = "We don’t take PayPal here. Please pay another way.";

type Needs = Pick<PayingServices, "captcha" | "circuits" | "database" | "breaker" | "now"> & {
  readonly config: Config;
  readonly fees: { current(): Fees };
};

/** What a checkout needs, and which payment methods this sender can use now. An unavailable one names the other. */
export async function describeCheckout(
  services: Needs,
  sender: Pick<PaymentSender, "address" | "browser">,
): Promise<Checkout> {
  const { config, captcha, circuits } = services;
  const { limits, payway, braintree } = config;
  const fees = services.fees.current();
  const [cardsAreAway, paypalIsAway, guard] = await Promise.all([
    circuits.isOpen("payway"),
    circuits.isOpen("braintree"),
    describeGuard(services, sender),
  ]);
  const takesCards = !cardsAreAway && guard.takesCards;
  const takesPaypal = braintree.isOffered && !paypalIsAway;
  return {
    currency: "AUD",
    fees: {
      adminPercent: fees.adminBasisPoints / 100,
      cardPercent: fees.merchantBasisPoints.cc / 100,
      paypalPercent: fees.merchantBasisPoints.pp / 100,
    },
    limits: { minimumCents: limits.minimumCents, maximumCents: limits.maximumCents },
    payway: {
      scriptUrl: `${payway.url}/payway.js`,
      publishableKey: payway.publishableKey,
      isAvailable: takesCards,
      message: takesCards ? "" : `${cardsAway} ${takesPaypal ? "You can pay by PayPal." : later}`,
      asksBank: payway.authentication !== null,
    },
    paypal: {
      isAvailable: takesPaypal,
      message: takesPaypal ? "" : paypalAway(braintree.isOffered, takesCards),
      scriptsUrl: braintree.scriptsUrl,
    },
    captcha: { ...captcha.publicConfig(), effort: guard.effort },
  };
}

const cardsAway = "Card payments aren’t available at the moment.";
const later = "Please try again later.";

function paypalAway(isOffered: boolean, takesCards: boolean): string {
  if (!isOffered) return paypalIsNotOffered;
  return `PayPal isn’t available at the moment. ${takesCards ? "You can pay by card." : later}`;
}
