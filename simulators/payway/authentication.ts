import { z } from "zod";
import { json, type SimulatedAnswer } from "../exchange.ts";
import { refusal } from "./answers.ts";
import type { Books, Token } from "./books.ts";
import { readCents } from "./payments.ts";
import { usableToken } from "./tokens.ts";

const Request = z.object({
  messageCategory: z.literal("01"),
  threeDSRequestorAuthenticationInd: z.literal("01"),
  currency: z.literal("AUD"),
  principalAmount: z.coerce.string().refine((amount) => readCents(amount) !== null, "must be dollars and cents"),
  email: z.email(),
  acctID: z.string().optional(),
});

/** `POST …/{token}/{authenticationPath}`: asks the cardholder's bank. The token stays usable; repeating changes nothing. */
export function authenticate(tokenId: string, body: string, books: Books): SimulatedAnswer {
  const token = knownToken(tokenId, books);
  if ("status" in token) return token;
  const request = Request.safeParse(parse(body));
  if (!request.success) {
    const issue = request.error.issues[0];
    return refusal(422, issue?.path.join(".") ?? "", issue?.message ?? "");
  }
  if (token.willAuthenticate === null) {
    return refusal(422, "singleUseTokenId", "The token was made without threeDS2", tokenId);
  }
  const amountCents = readCents(request.data.principalAmount) ?? 0;
  const authentication = token.authentication ?? { transStatus: token.willAuthenticate, amountCents };
  books.keepToken({ ...token, authentication });
  return json(200, { transStatus: authentication.transStatus });
}

/** `GET` of the same path: the real status, whatever a page was told. */
export function findAuthentication(tokenId: string, books: Books): SimulatedAnswer {
  const token = knownToken(tokenId, books);
  if ("status" in token) return token;
  if (token.authentication === null) return refusal(404, "singleUseTokenId", "Nobody was asked yet", tokenId);
  return json(200, { transStatus: token.authentication.transStatus });
}

function knownToken(tokenId: string, books: Books): Token | SimulatedAnswer {
  if (books.findToken(tokenId) !== undefined) return usableToken(tokenId, books);
  return refusal(404, "singleUseTokenId", "Single-use token not found", tokenId);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
