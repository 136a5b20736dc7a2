/**
 * The simulator's `braintree.paypalCheckout`: PayPal's button, its order and the nonce, as in braintree-web 3.144.0.
 * Like the real one it never answers if PayPal's script does not load.
 */
(() => {
  const VERSION = "3.144.0";
  const base = new URL(".", document.currentScript.src);
  // The real one uses a plain string; this one passes Trusted Types.
  const policy = window.trustedTypes?.createPolicy("paypal-simulator", { createScriptURL: (url) => url });

  function braintreeError(type, code, message, originalError) {
    return Object.assign(new Error(message), { name: "BraintreeError", type, code, details: { originalError } });
  }

  /** As in the real one: a promise, or a callback when one is given last. */
  function callable(work) {
    return (...given) => {
      const callback = typeof given.at(-1) === "function" ? given.pop() : null;
      const promise = (async () => work(...given))();
      if (callback === null) return promise;
      promise.then(
        (value) => callback(null, value),
        (error) => callback(error),
      );
      return undefined;
    };
  }

  const create = callable(async ({ client }) => {
    if (client === undefined) {
      throw braintreeError("MERCHANT", "INSTANTIATION_OPTION_REQUIRED", "options.client is required.");
    }
    const { gatewayConfiguration } = client.getConfiguration();
    if (!gatewayConfiguration.paypalEnabled) {
      throw braintreeError("MERCHANT", "PAYPAL_NOT_ENABLED", "PayPal is not enabled for this merchant.");
    }
    return openCheckout(client, gatewayConfiguration);
  });

  function openCheckout(client, { paypal }) {
    let script = null;
    let lastIntent;

    const loadPayPalSDK = (options = {}) =>
      new Promise((resolve) => {
        const { dataAttributes: _, ...query } = options;
        script = document.createElement("script");
        script.onload = () => resolve(checkout);
        const url = new URL("paypal-sdk.js", base);
        url.search = new URLSearchParams({ components: "buttons", "client-id": paypal.clientId, ...query }).toString();
        script.src = policy?.createScriptURL(url.href) ?? url.href;
        document.head.prepend(script);
      });

    async function createPayment({ flow, amount, currency, intent, displayName, enableShippingAddress }) {
      if (flow !== "checkout") {
        throw braintreeError("MERCHANT", "PAYPAL_FLOW_OPTION_REQUIRED", "The simulator knows flow 'checkout' only.");
      }
      const data = {
        amount,
        currencyIsoCode: currency,
        intent: intent === "capture" ? "sale" : intent,
        experienceProfile: { brandName: displayName ?? paypal.displayName, noShipping: String(!enableShippingAddress) },
      };
      const endpoint = "paypal_hermes/create_payment_resource";
      const { paymentResource } = await client.request({ endpoint, method: "post", data }).catch((cause) => {
        if (cause.details?.httpStatus !== 422) throw cause;
        const message = "PayPal payment options are invalid.";
        throw braintreeError("MERCHANT", "PAYPAL_INVALID_PAYMENT_OPTION", message, cause);
      });
      lastIntent = intent;
      return new URL(paymentResource.redirectUrl).searchParams.get("token");
    }

    async function tokenizePayment({ payerID, paymentID, orderID, intent }) {
      const paypalAccount = { paymentToken: paymentID ?? orderID, payerId: payerID, intent: intent ?? lastIntent };
      const endpoint = "payment_methods/paypal_accounts";
      const { paypalAccounts } = await client.request({ endpoint, method: "post", data: { paypalAccount } });
      const [{ nonce, type, details }] = paypalAccounts;
      return { nonce, type, details: details.payerInfo };
    }

    const checkout = {
      getClientId: callable(() => paypal.clientId),
      loadPayPalSDK: callable(loadPayPalSDK),
      createPayment: callable(createPayment),
      tokenizePayment: callable(tokenizePayment),
      teardown: callable(() => script?.remove()),
    };
    return checkout;
  }

  window.braintree = { ...window.braintree, paypalCheckout: { create, isSupported: () => true, VERSION } };
})();
