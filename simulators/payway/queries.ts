import { type Call, json, type SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import { describeTransaction, failure, refusal, summariseTransaction } from "./answers.ts";
import type { Books, Transaction } from "./books.ts";

const PAGE_SIZE = 20;
const LAG_MS = 5000;

/** `GET /transactions/{id}` */
export function getTransaction(transactionId: string, books: Books): SimulatedAnswer {
  const transaction = books.find(transactionId);
  if (transaction === undefined) return refusal(404, "transactionId", "Transaction not found", transactionId);
  return json(200, describeTransaction(transaction, books));
}

type Search = { readonly field: string; matches(transaction: Transaction, wanted: string): boolean };

const SEARCHES: Readonly<Record<string, Search>> = {
  "search-order": { field: "orderNumber", matches: (transaction, wanted) => transaction.orderReference === wanted },
  "search-receipt": { field: "receiptNumber", matches: (transaction, wanted) => transaction.transactionId === wanted },
  "search-customer": {
    field: "customerNumber",
    matches: (transaction, wanted) => transaction.detail.customerNumber === wanted,
  },
};

/** `GET /transactions/search-…`: summaries, newest first, with a `next` link while there are more. */
export function searchTransactions(call: Call, fault: Fault | null, books: Books): SimulatedAnswer {
  const name = call.path.split("/").at(-1) ?? "";
  const search = SEARCHES[name];
  if (search === undefined) return refusal(404, "search", "No such search", name);
  const wanted = call.query.get(search.field) ?? "";
  if (wanted === "") return refusal(422, search.field, "Say what to search for");
  if (fault?.do === "search_500") return failure(500);

  const visibleSince = books.now() - (fault?.do === "search_lag" ? (fault.ms ?? LAG_MS) : 0);
  const found = books
    .list()
    .filter((transaction) => search.matches(transaction, wanted) && Date.parse(transaction.at) <= visibleSince)
    .flatMap((transaction) => (fault?.do === "search_duplicates" ? [transaction, transaction] : [transaction]));
  const rows = fault?.do === "search_empty" ? [] : found;

  const page = Math.max(1, Number.parseInt(call.query.get("page") ?? "1", 10) || 1);
  const firstPage = fault?.do === "search_two_pages" ? Math.floor(rows.length / 2) : PAGE_SIZE;
  // The link says where page 1 ended, so that page 2 continues there even if the fault has ended.
  const split = page === 1 ? firstPage : Number(call.query.get("split") ?? PAGE_SIZE);
  const start = page === 1 ? 0 : split + (page - 2) * PAGE_SIZE;
  const end = page === 1 ? split : start + PAGE_SIZE;

  const link = (rel: string, number: number) => {
    const query = new URLSearchParams({ [search.field]: wanted, page: String(number), split: String(split) });
    return { rel, href: `http://${call.headers.host}${call.path}?${query}` };
  };
  const links = [link("self", page)];
  if (end < rows.length) links.push(link("next", page + 1));
  if (page > 1) links.push(link("prev", page - 1));
  return json(200, { links, data: rows.slice(start, end).map(summariseTransaction) });
}
