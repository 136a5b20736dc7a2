/**
 * The simulator's `braintree.client`: as much of braintree-web 3.144.0 as a PayPal button needs, with the same names,
 * errors and habits. It calls the host it was loaded from, not the one in the client token.
 */
(() => {
  const VERSION = "3.144.0";
  const base = new URL("..", document.currentScript.src);
  const statusCodes = {
    401: "CLIENT_AUTHORIZATION_INVALID",
    403: "CLIENT_AUTHORIZATION_INSUFFICIENT",
    429: "CLIENT_RATE_LIMITED",
  };

  function braintreeError(type, code, message, details) {
    return Object.assign(new Error(message), { name: "BraintreeError", type, code, details });
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

  const simulatorUrl = (address) => new URL(`.${new URL(address).pathname}`, base);

  async function ask(url, method, fingerprint, data) {
    const body = { ...data, authorizationFingerprint: fingerprint };
    if (method === "GET") url.search = new URLSearchParams(body).toString();
    const response = await fetch(url, {
      method,
      headers: { "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    }).catch((cause) => {
      throw networkError(cause);
    });
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    const details = { httpStatus: response.status, originalError: answer };
    if (response.ok || response.status >= 500) throw networkError(details);
    const code = statusCodes[response.status] ?? "CLIENT_REQUEST_ERROR";
    throw braintreeError("MERCHANT", code, `Braintree answered ${response.status}.`, details);
  }

  const networkError = (details) =>
    braintreeError("NETWORK", "CLIENT_GATEWAY_NETWORK", "Cannot contact the gateway at this time.", details);

  function readToken(authorization) {
    try {
      return JSON.parse(atob(authorization));
    } catch {
      throw braintreeError("MERCHANT", "CLIENT_INVALID_AUTHORIZATION", "Authorization is invalid.");
    }
  }

  const create = callable(async ({ authorization }) => {
    const { configUrl, authorizationFingerprint } = readToken(authorization);
    const gatewayConfiguration = await ask(simulatorUrl(configUrl), "GET", authorizationFingerprint, {});
    const configuration = { authorization, authorizationFingerprint, gatewayConfiguration };
    const api = `${gatewayConfiguration.clientApiUrl}/v1/`;
    return {
      getVersion: () => VERSION,
      getConfiguration: () => structuredClone(configuration),
      request: callable(({ endpoint, method, data }) =>
        ask(simulatorUrl(`${api}${endpoint}`), method.toUpperCase(), authorizationFingerprint, data),
      ),
      teardown: callable(() => {}),
    };
  });

  window.braintree = { ...window.braintree, client: { create, VERSION } };
})();
