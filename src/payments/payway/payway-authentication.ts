import { z } from "zod";
import type { AuthenticationRequest } from "../provider.ts";
import type { Authentication } from "../tables.ts";
import { refusedField, TOKEN } from "./payway-charge.ts";
import { exchange, isSuccessful, type PaywayOptions } from "./payway-http.ts";
import { dollarsOf, parseJson } from "./payway-transactions.ts";

const Answer = z.object({ transStatus: z.enum(["Y", "A", "C", "N", "R", "U"]) });

/**
 * 3-D Secure about one card token, which is not consumed by it. PayWay does not publish this call: path, JSON and fields
 * are those of QuickStream, its sibling with the same tokens, and have not been tried against PayWay itself. Both throw
 * where no answer could be had; a token that PayWay does not take is `R`, so that nobody's made-up token looks like trouble.
 */
export function createAuthentication(options: PaywayOptions, path: string) {
  return {
    begin: ({ instrument, amountCents, currency, email }: AuthenticationRequest) =>
      ask(options, path, instrument, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          // A payment, asked for because of the payment itself.
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
