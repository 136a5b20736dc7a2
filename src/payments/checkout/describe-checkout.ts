import type { Config } from "#shared/config.ts";
import type { Checkout } from "./contract.ts";
import { describeGuard, type PayingServices, type Sender } from "./paying.ts";

export const paypalIsNotOffered = "PayPal is not offered here. Please pay another way.";

type Needs = Pick<PayingServices, "captcha" | "circuits" | "database" | "breaker" | "now"> & {
  readonly config: Config;
};

/** What the checkout needs to know, and which way to pay is closed to this sender now: what is away says what is not. */
export async function describeCheckout(
  services: Needs,
  sender: Pick<Sender, "address" | "browser">,
): Promise<Checkout> {
  const { config, captcha, circuits } = services;
  const { fees, limits, payway, braintree } = config;
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
      message: takesCards ? "" : sayAway("Card payments are", takesPaypal && "PayPal"),
      asksBank: payway.authentication !== null,
    },
    paypal: {
      isAvailable: takesPaypal,
      message: takesPaypal ? "" : braintree.isOffered ? sayAway("PayPal is", takesCards && "card") : paypalIsNotOffered,
      scriptsUrl: braintree.scriptsUrl,
    },
    captcha: { ...captcha.publicConfig(), effort: guard.effort },
  };
}

function sayAway(subject: string, other: string | false): string {
  return `${subject} not available at the moment. ${other ? `You can pay by ${other}.` : "Please try again later."}`;
}
