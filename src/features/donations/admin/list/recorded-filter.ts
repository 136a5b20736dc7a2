import { WITH_SEARCH_WORDS } from "#admin/audit.ts";
import { readMeanings } from "../../server/search/search-words.ts";

/**
 * The filter as the audit trail records it. The trail can never be changed, so it has no names and addresses of donors:
 * search words are recorded only if they name a thing, such as a receipt, or are a number.
 */
export function recordFilter(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const filled = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ""));
  return filled.q === undefined || namesNobody(filled.q) ? filled : { ...filled, q: WITH_SEARCH_WORDS };
}

function namesNobody(q: string): boolean {
  const { reference, receipt, receiptNumber, cents, cardEnd } = readMeanings(q);
  return [reference, receipt, receiptNumber, cents, cardEnd].some((meaning) => meaning !== null);
}
