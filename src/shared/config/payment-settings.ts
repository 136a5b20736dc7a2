import type { Environment } from "./environment.ts";

/** Braintree's browser scripts, in the version that the journeys test. */
const BRAINTREE_SCRIPTS = "https://js.braintreegateway.com/web/3.144.0/js";

/** The payment providers, and how long a payment may take with them. */
export function readPaymentSettings(settings: Environment, simulatorUrl: string) {
  const isDemo = settings.PAYMENTS === "simulated";
  // A bank's sandbox may list a charge late; only our own simulator lists it immediately.
  const isSimulated = (url: string) => isDemo && URL.parse(url)?.hostname === "127.0.0.1";
  const paywayUrl = (settings.PAYWAY_URL ?? `${simulatorUrl}/payway/rest/v1`).replace(/\/$/, "");
  const braintreeUrl = (settings.BRAINTREE_URL ?? (isDemo ? simulatorUrl : "production")).replace(/\/$/, "");
  return {
    payway: readPayWay(settings, paywayUrl, isSimulated(paywayUrl)),
    /** PayPal. `url` is `sandbox`, `production`, or the gateway's address without a path. */
    braintree: readBraintree(settings, braintreeUrl, isSimulated(braintreeUrl)),
    payments: {
      tries: settings.PAYMENT_TRIES,
      leaseMs: leaseOf(settings),
      customerWaitMs: settings.CUSTOMER_WAIT_MS,
      giveUpMs: (settings.UNKNOWN_GIVE_UP_S ?? (isSimulated(paywayUrl) ? 30 : 86_400)) * 1000,
      tickMs: settings.SETTLE_TICK_MS,
      crashPoint: settings.CRASH_POINT,
    },
  };
}

function readPayWay(settings: Environment, url: string, isSimulated: boolean) {
  return {
    url,
    publishableKey: settings.PAYWAY_PUBLISHABLE_KEY,
    secretKey: settings.PAYWAY_SECRET_KEY,
    merchantId: settings.PAYWAY_MERCHANT_ID,
    searchIsAuthoritative: isSimulated,
    timeoutMs: settings.PROVIDER_TIMEOUT_MS,
    /** 3-D Secure; null while it is off. `unavailableMaximumCents` may be charged when the card's bank cannot be asked. */
    authentication:
      settings.PAYWAY_3DS === "on"
        ? { path: settings.PAYWAY_3DS_PATH, unavailableMaximumCents: settings.PAYWAY_3DS_UNAVAILABLE_MAXIMUM }
        : null,
  };
}

function readBraintree(settings: Environment, url: string, isSimulated: boolean) {
  const scriptsUrl = settings.BRAINTREE_SCRIPTS_URL ?? (isSimulated ? `${url}/braintree/js` : BRAINTREE_SCRIPTS);
  return {
    isOffered: settings.PAYPAL === "on",
    url,
    merchantId: settings.BRAINTREE_MERCHANT_ID,
    publicKey: settings.BRAINTREE_PUBLIC_KEY,
    privateKey: settings.BRAINTREE_PRIVATE_KEY,
    merchantAccountId: settings.BRAINTREE_MERCHANT_ACCOUNT_ID,
    /** The folder of `client.min.js` and `paypal-checkout.min.js`. */
    scriptsUrl: scriptsUrl.replace(/\/$/, ""),
    hasRequestKeys: settings.BRAINTREE_REQUEST_KEYS === "on",
    searchIsAuthoritative: isSimulated,
    timeoutMs: settings.BRAINTREE_TIMEOUT_MS,
  };
}

/** Longer than a call and its one retry may take; PayPal checks the nonce first. */
function leaseOf({ PAYMENT_TRIES, PROVIDER_TIMEOUT_MS, BRAINTREE_TIMEOUT_MS }: Environment): number {
  const nonceMs = Math.min(15_000, BRAINTREE_TIMEOUT_MS);
  return (
    PAYMENT_TRIES * Math.max(PROVIDER_TIMEOUT_MS, BRAINTREE_TIMEOUT_MS + nonceMs) +
    Math.min(10_000, 2 * PROVIDER_TIMEOUT_MS)
  );
}
