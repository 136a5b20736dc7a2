import type { Provider } from "../provider.ts";
import { createAuthentication } from "./payway-authentication.ts";
import { findByOrderReference, findPayment, listTransactions } from "./payway-books.ts";
import { sendCharge } from "./payway-charge.ts";
import { exchange, isSuccessful, type PaywayOptions } from "./payway-http.ts";
import { findRefund, sendRefund } from "./payway-refunds.ts";

export type { PaywayOptions } from "./payway-http.ts";

/** Westpac PayWay over its REST API. */
export function createPayway(given: PaywayOptions): Provider {
  const options = { ...given, url: given.url.replace(/\/$/, "") };
  return {
    name: "payway",
    charge: (charge) => sendCharge(options, charge),
    findByOrderReference: (orderReference) => findByOrderReference(options, orderReference),
    refund: (request) => sendRefund(options, request),
    hasRefundKeys: true,
    findRefund: (request) => findRefund(options, request),
    listTransactions: (days) => listTransactions(options, days),
    findPayment: (payment) => findPayment(options, payment),
    ...(options.authentication === null
      ? {}
      : { authentication: createAuthentication(options, options.authentication.path) }),
    checkCredentials: () => checkCredentials(options),
  };
}

async function checkCredentials(options: PaywayOptions): Promise<void> {
  const reply = await exchange(options, "", { method: "GET" });
  if (reply.kind !== "answered") throw new Error(`PayWay cannot be reached at ${options.url}: ${reply.reason}.`);
  if (reply.status === 401 || reply.status === 403) {
    throw new Error(`PayWay does not accept the secret key (HTTP ${reply.status}): check PAYWAY_SECRET_KEY.`);
  }
  if (!isSuccessful(reply.status)) {
    throw new Error(`PayWay answered HTTP ${reply.status} at ${options.url}: check PAYWAY_URL.`);
  }
}
