import { randomUUID } from "node:crypto";
import { json, type SimulatedAnswer } from "../exchange.ts";
import { refusal } from "./answers.ts";
import type { Books, Token } from "./books.ts";
import { type CardInput, cardScheme, judgeCard, judgeCardholder, maskCardNumber } from "./cards.ts";

const TOKEN_MS = 10 * 60_000;

/** `POST /single-use-tokens`: stores what the card would do, and nothing that could be charged elsewhere. */
export function tokenise(form: URLSearchParams, books: Books): SimulatedAnswer {
  const card = readCard(form);
  if ("fieldName" in card) return refusal(422, card.fieldName, card.message);
  const token: Token = {
    id: randomUUID(),
    card: {
      cardNumber: maskCardNumber(card.number),
      expiryDateMonth: String(card.month).padStart(2, "0"),
      expiryDateYear: String(card.year % 100).padStart(2, "0"),
      cardScheme: cardScheme(card.number),
    },
    verdict: judgeCard(card, books.now()),
    at: books.now(),
    willAuthenticate: form.get("threeDS2") === "true" ? judgeCardholder(form.get("cardholderName") ?? "") : null,
    authentication: null,
  };
  books.keepToken(token);
  return json(200, {
    singleUseTokenId: token.id,
    paymentMethod: "creditCard",
    creditCard: { ...token.card, cardType: "credit", cardholderName: form.get("cardholderName") ?? "" },
  });
}

/** The token that a payment names, or why it cannot be used. */
export function usableToken(id: string, books: Books): Token | SimulatedAnswer {
  const token = books.findToken(id);
  if (token === undefined) return refusal(422, "singleUseTokenId", "Single-use token not found", id);
  if (books.isTokenUsed(id)) return refusal(422, "singleUseTokenId", "Single-use token has already been used", id);
  const isExpired = books.now() - token.at >= TOKEN_MS;
  return isExpired ? refusal(422, "singleUseTokenId", "Single-use token has expired", id) : token;
}

/** Whether the bank has authenticated this token for this amount, or could not. */
export function isAuthenticated({ authentication }: Token, amountCents: number): boolean {
  return authentication?.amountCents === amountCents && ["Y", "A", "U"].includes(authentication.transStatus);
}

function readCard(form: URLSearchParams): CardInput | { fieldName: string; message: string } {
  const field = (name: string) => (form.get(name) ?? "").trim();
  const number = field("cardNumber").replace(/[ -]/g, "");
  if (field("paymentMethod") !== "creditCard") return { fieldName: "paymentMethod", message: "Must be creditCard" };
  if (!/^\d{13,19}$/.test(number)) return { fieldName: "cardNumber", message: "Enter the 13 to 19 digits of the card" };
  if (!/^(0?[1-9]|1[0-2])$/.test(field("expiryDateMonth"))) {
    return { fieldName: "expiryDateMonth", message: "Choose the month of expiry" };
  }
  if (!/^(20)?\d{2}$/.test(field("expiryDateYear"))) {
    return { fieldName: "expiryDateYear", message: "Choose the year of expiry" };
  }
  if (!/^\d{3,4}$/.test(field("cvn"))) return { fieldName: "cvn", message: "Enter the 3 or 4 digits of the CVN" };
  if (field("cardholderName") === "") return { fieldName: "cardholderName", message: "Enter the name on the card" };
  return {
    number,
    cvn: field("cvn"),
    month: Number(field("expiryDateMonth")),
    year: 2000 + (Number(field("expiryDateYear")) % 100),
  };
}
