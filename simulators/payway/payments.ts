import { isIP } from "node:net";
import type { SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import { refusal } from "./answers.ts";
import type { Books, Token, Trace, Transaction } from "./books.ts";
import { isAuthenticated, usableToken } from "./tokens.ts";

/** The facility adds this much for fault `surcharge`. */
const SURCHARGE = 0.01;

type Bank = { readonly books: Books; readonly merchantId: string };

/** Charges a token, as far as its card allows; a refused field is a 422 and books nothing. */
export function pay(
  form: URLSearchParams,
  fault: Fault | null,
  bank: Bank,
  trace: Trace,
): Transaction | SimulatedAnswer {
  const amountCents = readCents(form.get("principalAmount"));
  const refused = refuseFields(form, amountCents, bank.merchantId);
  if (refused !== null || amountCents === null) return refused as SimulatedAnswer;
  const token = usableToken(form.get("singleUseTokenId") ?? "", bank.books);
  if ("status" in token) return token;

  if (form.get("threeDS2") === "true" && !isAuthenticated(token, amountCents)) {
    return refusal(422, "threeDS2", "The cardholder was not authenticated for this amount");
  }

  const decision = decide(token, amountCents, fault);
  const transaction: Transaction = {
    provider: "payway",
    transactionId: bank.books.takeId(),
    orderReference: form.get("orderNumber") ?? "",
    type: "payment",
    status: decision.status,
    amountCents,
    currency: "AUD",
    parentId: null,
    at: new Date(bank.books.now()).toISOString(),
    detail: {
      responseCode: decision.code,
      surchargeCents: fault?.do === "surcharge" ? Math.round(amountCents * SURCHARGE) : 0,
      customerNumber: form.get("customerNumber") ?? "",
      customerIpAddress: form.get("customerIpAddress") ?? "",
      card: token.card,
      tokenId: token.id,
      resolvesTo: decision.status === "pending" ? (fault?.resolvesTo ?? "approved") : null,
      ...trace,
    },
  };
  bank.books.record(transaction);
  return transaction;
}

/** Dollars with at most two decimals, as cents; null for anything else and for nothing. */
export function readCents(dollars: string | null): number | null {
  if (dollars === null || !/^\d{1,9}(\.\d{1,2})?$/.test(dollars)) return null;
  const cents = Math.round(Number(dollars) * 100);
  return cents > 0 ? cents : null;
}

function decide({ verdict }: Token, amountCents: number, fault: Fault | null): { status: string; code: string } {
  if (fault?.do === "decline") return { status: "declined", code: fault.code ?? "05" };
  if (fault?.do === "pending") return { status: "pending", code: "Q2" };
  if (fault?.do === "suspended") return { status: "suspended", code: "00" };
  if (verdict.kind === "fault") return { status: "approved", code: "00" };
  if (verdict.kind === "declined") return { status: "declined", code: verdict.code };
  if (verdict.kind === "approved_up_to" && amountCents > verdict.limitCents) return { status: "declined", code: "51" };
  return { status: "approved", code: verdict.code };
}

function refuseFields(form: URLSearchParams, amountCents: number | null, merchantId: string): SimulatedAnswer | null {
  const field = (name: string) => form.get(name) ?? "";
  if (amountCents === null) return refusal(422, "principalAmount", "Invalid amount", field("principalAmount"));
  if (field("currency") !== "aud") return refusal(422, "currency", "Must be aud", field("currency"));
  if (!/^[\x21-\x7e]{1,20}$/.test(field("orderNumber"))) {
    return refusal(422, "orderNumber", "Must be 1 to 20 ASCII characters", field("orderNumber"));
  }
  if (!/^[\x21-\x7e]{1,20}$/.test(field("customerNumber"))) {
    return refusal(422, "customerNumber", "Must be 1 to 20 characters", field("customerNumber"));
  }
  if (field("merchantId") !== merchantId) return refusal(422, "merchantId", "Unknown merchant", field("merchantId"));
  // Westpac requires the payer's address from public pages; it is enforced here, so that a missing one fails.
  if (isIP(field("customerIpAddress")) === 0) {
    return refusal(422, "customerIpAddress", "Must be the address of the payer", field("customerIpAddress"));
  }
  return null;
}
