import type { SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import { describeTransaction, failure, refusal } from "./answers.ts";
import type { Books, Transaction } from "./books.ts";
import { element, group, xml } from "./xml.ts";

const PAGE_SIZE = 50;
const LAG_MS = 5000;

/** A search as the SDK sends it: by field, `{is}`, `{min, max}` or a list of values. */
export type Criteria = Readonly<Record<string, unknown>>;

type Test = (transaction: Transaction, wanted: unknown) => boolean;

/** The fields to search by. Braintree has more; others are refused here, never ignored. */
const TESTS: Readonly<Record<string, Test>> = {
  id: (transaction, wanted) => is(transaction.transactionId, wanted),
  order_id: (transaction, wanted) => is(transaction.orderReference, wanted),
  created_at: (transaction, wanted) => isWithin(transaction.at, wanted),
  ids: (transaction, wanted) => isAmong(transaction.transactionId, wanted),
  status: (transaction, wanted) => isAmong(transaction.status, wanted),
  type: (transaction, wanted) => isAmong(transaction.type === "payment" ? "sale" : "credit", wanted),
  payment_instrument_type: (transaction, wanted) => isAmong(transaction.detail.instrument, wanted),
};

/** `POST transactions/advanced_search_ids`: the ids of all matches, newest first, to read in pages. */
export function searchIds(search: Criteria, fault: Fault | null, books: Books): SimulatedAnswer {
  const strange = Object.keys(search).find((field) => TESTS[field] === undefined);
  if (strange !== undefined) {
    return refusal({ code: "81201", attribute: "base", message: `This simulator cannot search by ${strange}.` });
  }
  if (fault?.do === "search_500") return failure(500);
  const visibleSince = books.now() - (fault?.do === "search_lag" ? (fault.ms ?? LAG_MS) : 0);
  const found = books
    .list()
    .filter((transaction) => Date.parse(transaction.at) <= visibleSince)
    .filter((transaction) => Object.entries(search).every(([field, wanted]) => TESTS[field]?.(transaction, wanted)))
    .flatMap(({ transactionId }) =>
      fault?.do === "search_duplicates" ? [transactionId, transactionId] : [transactionId],
    );
  const ids = fault?.do === "search_empty" ? [] : found;
  const pageSize = fault?.do === "search_two_pages" ? Math.max(1, Math.ceil(ids.length / 2)) : PAGE_SIZE;
  return xml(
    200,
    group("search-results", [
      element("page-size", pageSize),
      group(
        "ids",
        ids.map((id) => element("item", id)),
        "array",
      ),
    ]),
  );
}

/** `POST transactions/advanced_search`: the transactions of one page of ids. */
export function readPage(search: Criteria, books: Books, merchantAccountId: string): SimulatedAnswer {
  const ids = Array.isArray(search.ids) ? search.ids.map(String) : [];
  const found = ids.map((id) => books.find(id)).filter((transaction) => transaction !== undefined);
  return xml(
    200,
    group(
      "credit-card-transactions",
      [
        element("current-page-number", 1),
        element("page-size", PAGE_SIZE),
        element("total-items", found.length),
        ...found.map((transaction) => describeTransaction(transaction, books, merchantAccountId)),
      ],
      "collection",
    ),
  );
}

function is(value: string, wanted: unknown): boolean {
  return value === (wanted as { is?: unknown }).is;
}

function isAmong(value: string, wanted: unknown): boolean {
  return Array.isArray(wanted) && wanted.includes(value);
}

/** Whole seconds with both ends included, as in the answers; a time without a zone is UTC. */
function isWithin(at: string, wanted: unknown): boolean {
  const { min, max } = wanted as { min?: unknown; max?: unknown };
  const second = Math.floor(Date.parse(at) / 1000);
  const isAfter = min === undefined || second >= Math.floor(readTime(min) / 1000);
  return isAfter && (max === undefined || second <= Math.floor(readTime(max) / 1000));
}

function readTime(value: unknown): number {
  const text = String(value);
  return Date.parse(/(Z|UTC|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
}
