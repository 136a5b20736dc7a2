import { z } from "zod";
import { addDays, startOfDayInSydney } from "#shared/sydney.ts";
import type { Found, ProviderTransaction } from "../provider.ts";
import { type BraintreeOptions, callBraintree, type Gateway, type Reply } from "./braintree-sdk.ts";
import { classify, describeTransaction, Transaction } from "./braintree-transactions.ts";

/** Braintree shows at most so many hits of one search, and does not say when there are more. */
const MOST_HITS = 50_000;

const Hits = z.object({
  searchResults: z.object({ pageSize: z.int().min(1), ids: z.array(z.string()).or(z.literal("")) }),
});
const Page = z.object({
  creditCardTransactions: z.object({ transaction: Transaction.or(z.array(Transaction)).optional() }),
});

type Criteria = { readonly orderId: { is: string } } | { readonly createdAt: { min: Date; max: Date } };

/** Asks Braintree's books for the sales of this order. Its index may be late. */
export async function findByOrderReference(options: BraintreeOptions, orderReference: string): Promise<Found> {
  const found = await search(options, { orderId: { is: orderReference } });
  const sales = found.filter(({ type, orderId }) => type === "sale" && orderId === orderReference);
  return { outcomes: sales.map(classify), isAuthoritative: options.searchIsAuthoritative };
}

/** Every transaction made on these days, whatever it was paid with, and the later refunds of their sales. */
export async function listTransactions(
  options: BraintreeOptions,
  days: readonly string[],
): Promise<ProviderTransaction[]> {
  const found = new Map<string, Transaction>();
  for (const { first, last } of joinDays(days)) {
    const min = startOfDayInSydney(first);
    const max = new Date(startOfDayInSydney(addDays(last, 1)).getTime() - 1);
    for (const transaction of await search(options, { createdAt: { min, max } }))
      found.set(transaction.id, transaction);
  }
  for (const { refundIds } of [...found.values()]) {
    for (const id of refundIds) if (!found.has(id)) found.set(id, await findRelated(options, id));
  }
  return [...found.values()].map(describeTransaction);
}

/** One charge and its refunds, by their ids; null where there is none. */
export async function findPayment(
  options: BraintreeOptions,
  transactionId: string,
): Promise<ProviderTransaction[] | null> {
  const sale = await findTransaction(options, transactionId);
  return sale === null ? null : [sale, ...(await listRefundsOf(options, sale))].map(describeTransaction);
}

export async function listRefundsOf(options: BraintreeOptions, sale: Transaction): Promise<Transaction[]> {
  const refunds: Transaction[] = [];
  for (const id of sale.refundIds) refunds.push(await findRelated(options, id));
  return refunds;
}

/** Null where Braintree has none of that id. Throws when the books cannot be read now. */
export async function findTransaction(options: BraintreeOptions, transactionId: string): Promise<Transaction | null> {
  const reply = await callBraintree(options, (gateway) => gateway.transaction.find(transactionId));
  if (reply.kind === "refused" && reply.status === 404) return null;
  const transaction = parseAs(Transaction, reply);
  if (transaction.id !== transactionId) throw new Error("Braintree answered a query about another transaction.");
  return transaction;
}

async function findRelated(options: BraintreeOptions, id: string): Promise<Transaction> {
  const refund = await findTransaction(options, id);
  if (refund === null) throw new Error("Braintree's books cannot be read now: they lack a refund that they name.");
  return refund;
}

/** Two steps, as Braintree has it: the ids, then the transactions page by page. Not by the SDK's stream, which may never end. */
async function search(options: BraintreeOptions, criteria: Criteria): Promise<Transaction[]> {
  const hits = parseAs(Hits, await post(options, "advanced_search_ids", criteria)).searchResults;
  const ids = [...new Set(hits.ids)];
  if (ids.length >= MOST_HITS)
    throw new Error(`One search finds ${MOST_HITS} transactions or more: ask for fewer days.`);
  const found = new Map<string, Transaction>();
  for (let start = 0; start < ids.length; start += hits.pageSize) {
    const page = ids.slice(start, start + hits.pageSize);
    const reply = await post(options, "advanced_search", { ...criteria, ids: page });
    const { transaction = [] } = parseAs(Page, reply).creditCardTransactions;
    for (const one of [transaction].flat()) found.set(one.id, one);
    if (!page.every((id) => found.has(id)))
      throw new Error("Braintree's books cannot be read now: a page lacks a row.");
  }
  return [...found.values()];
}

function post(options: BraintreeOptions, search: string, criteria: object): Promise<Reply> {
  const path = ({ config }: Gateway) => `${config.baseMerchantPath()}/transactions/${search}`;
  return callBraintree(options, (gateway) => gateway.http.post(path(gateway), { search: criteria }));
}

function parseAs<Schema extends z.ZodType>(schema: Schema, reply: Reply): z.output<Schema> {
  if (reply.kind !== "answered") throw new Error(`Braintree's books cannot be read now: ${reply.reason}.`);
  const parsed = schema.safeParse(reply.value);
  if (parsed.success) return parsed.data;
  throw new Error("Braintree's books cannot be read now: its answer is not in the form it should be.");
}

/** Days in a row become one search. */
function joinDays(days: readonly string[]): { first: string; last: string }[] {
  const runs: { first: string; last: string }[] = [];
  for (const day of [...new Set(days)].sort()) {
    const run = runs.at(-1);
    if (run !== undefined && addDays(run.last, 1) === day) run.last = day;
    else runs.push({ first: day, last: day });
  }
  return runs;
}
