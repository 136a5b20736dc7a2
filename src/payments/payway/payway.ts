import { z } from "zod";
import type { AuthenticationRequest, Provider } from "../provider.ts";
import type { Authentication } from "../tables.ts";
import { findPaywayByReference, findPaywayPayment, listPaywayTransactions } from "./payway-books.ts";
import { refusedField, sendPaywayCharge, TOKEN } from "./payway-charge.ts";
import { exchange, isSuccessful, type PaywayOptions } from "./payway-http.ts";
import { findPaywayRefund, sendPaywayRefund } from "./payway-refunds.ts";
import { dollarsOf, parseJson } from "./payway-transactions.ts";

export type { PaywayOptions } from "./payway-http.ts";

/** Westpac PayWay over its REST API. */
export function createPayway(given: PaywayOptions): Provider {
  const options = { ...given, url: given.url.replace(/\/$/, "") };
  return {
    name: "payway",
    charge: (charge) => sendPaywayCharge(options, charge),
    findByOrderReference: (orderReference) => findPaywayByReference(options, orderReference),
    refund: (request) => sendPaywayRefund(options, request),
    hasRefundKeys: true,
    findRefund: (request) => findPaywayRefund(options, request),
    listTransactions: (days) => listPaywayTransactions(options, days),
    findPayment: (payment) => findPaywayPayment(options, payment),
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

const Answer = z.object({ transStatus: z.enum(["Y", "A", "C", "N", "R", "U"]) });

/**
 * 3-D Secure for one card token, which it does not consume. PayWay does not publish this call: path, JSON and fields
 * are those of QuickStream, a sibling product with the same tokens, and are untested against PayWay itself. Both
 * functions throw if there is no answer. If PayWay rejects the token, the answer is `R`, so that a made-up token never
 * looks like an outage.
 */
function createAuthentication(options: PaywayOptions, path: string) {
  return {
    begin: ({ instrument, amountCents, currency, email }: AuthenticationRequest) =>
      ask(options, path, instrument, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          // EMV codes: a payment authentication, for a payment.
          messageCategory: "01",
          threeDSRequestorAuthenticationInd: "01",
          currency,
          principalAmount: dollarsOf(amountCents),
          email,
        }),
      }),
    find: (instrument: string) => ask(options, path, instrument, { method: "GET" }),
  };
}

async function ask(
  options: PaywayOptions,
  path: string,
  instrument: string,
  request: Parameters<typeof exchange>[2],
): Promise<Authentication> {
  if (!TOKEN.test(instrument)) return "R";
  const reply = await exchange(options, `/single-use-tokens/${instrument}/${path}`, request);
  if (reply.kind !== "answered") throw new Error(`3-D Secure gave no answer: ${reply.reason}.`);
  const { status, body } = reply;
  if ((status === 404 || status === 422) && refusedField(body) === "singleUseTokenId") return "R";
  if (!isSuccessful(status)) throw new Error(`3-D Secure gave no answer: PayWay answered HTTP ${status}.`);
  const answer = Answer.safeParse(parseJson(body));
  if (!answer.success) throw new Error("3-D Secure gave no answer that can be read.");
  return answer.data.transStatus;
}
