import { z } from "zod";
import { addDays, startOfDayInSydney } from "#shared/language.ts";
import type { FoundCharges, ProviderTransaction } from "../provider.ts";
import { type BraintreeOptions, type BraintreeReply, callBraintree, type Gateway } from "./braintree-sdk.ts";
import { BraintreeTransaction, classifyBraintreeSale, describeBraintreeTransaction } from "./braintree-transactions.ts";

/** The most hits that Braintree returns for one search; it does not say when there are more. */
const MAX_HITS = 50_000;

const Hits = z.object({
  searchResults: z.object({ pageSize: z.int().min(1), ids: z.array(z.string()).or(z.literal("")) }),
});
const Page = z.object({
  creditCardTransactions: z.object({ transaction: BraintreeTransaction.or(z.array(BraintreeTransaction)).optional() }),
});

type Criteria = { readonly orderId: { is: string } } | { readonly createdAt: { min: Date; max: Date } };

/** Finds the sales of this order. Braintree's search index may lag. */
export async function findBraintreeByReference(
  options: BraintreeOptions,
  orderReference: string,
): Promise<FoundCharges> {
  const found = await search(options, { orderId: { is: orderReference } });
  const sales = found.filter(({ type, orderId }) => type === "sale" && orderId === orderReference);
  return { outcomes: sales.map(classifyBraintreeSale), isAuthoritative: options.searchIsAuthoritative };
}

/** All transactions of these days in Sydney, by any means of payment, and the later refunds of their sales. */
export async function listBraintreeTransactions(
  options: BraintreeOptions,
  days: readonly string[],
): Promise<ProviderTransaction[]> {
  const found = new Map<string, BraintreeTransaction>();
  for (const { first, last } of joinDays(days)) {
    const min = startOfDayInSydney(first);
    const max = new Date(startOfDayInSydney(addDays(last, 1)).getTime() - 1);
    for (const transaction of await search(options, { createdAt: { min, max } }))
      found.set(transaction.id, transaction);
  }
  for (const { refundIds } of [...found.values()]) {
    for (const id of refundIds) if (!found.has(id)) found.set(id, await findRelated(options, id));
  }
  return [...found.values()].map(describeBraintreeTransaction);
}

/** One charge and its refunds; null if there is none with that id. */
export async function findBraintreePayment(
  options: BraintreeOptions,
  transactionId: string,
): Promise<ProviderTransaction[] | null> {
  const sale = await findBraintreeTransaction(options, transactionId);
  return sale === null
    ? null
    : [sale, ...(await listBraintreeRefunds(options, sale))].map(describeBraintreeTransaction);
}

/** The refunds that Braintree lists for a sale, in its order. @throws Error if one can't be read now. */
export async function listBraintreeRefunds(
  options: BraintreeOptions,
  sale: BraintreeTransaction,
): Promise<BraintreeTransaction[]> {
  const refunds: BraintreeTransaction[] = [];
  for (const id of sale.refundIds) refunds.push(await findRelated(options, id));
  return refunds;
}

/** Null if Braintree has no transaction with that id. @throws Error if the books can't be read now. */
export async function findBraintreeTransaction(
  options: BraintreeOptions,
  transactionId: string,
): Promise<BraintreeTransaction | null> {
  const reply = await callBraintree(options, (gateway) => gateway.transaction.find(transactionId));
  if (reply.kind === "refused" && reply.status === 404) return null;
  const transaction = parseAs(BraintreeTransaction, reply);
  if (transaction.id !== transactionId) throw new Error("Braintree answered a query about another transaction.");
  return transaction;
}

async function findRelated(options: BraintreeOptions, id: string): Promise<BraintreeTransaction> {
  const refund = await findBraintreeTransaction(options, id);
  if (refund === null) throw new Error("Braintree's books cannot be read now: a refund that a sale lists is missing.");
  return refund;
}

/** In two steps, as Braintree's API has it: the ids, then the transactions by page. The SDK's stream may never end. */
async function search(options: BraintreeOptions, criteria: Criteria): Promise<BraintreeTransaction[]> {
  const hits = parseAs(Hits, await post(options, "advanced_search_ids", criteria)).searchResults;
  const ids = [...new Set(hits.ids)];
  if (ids.length >= MAX_HITS) throw new Error(`One search finds ${MAX_HITS} transactions or more: choose fewer days.`);
  const found = new Map<string, BraintreeTransaction>();
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

function post(options: BraintreeOptions, search: string, criteria: object): Promise<BraintreeReply> {
  const path = ({ config }: Gateway) => `${config.baseMerchantPath()}/transactions/${search}`;
  return callBraintree(options, (gateway) => gateway.http.post(path(gateway), { search: criteria }));
}

function parseAs<Schema extends z.ZodType>(schema: Schema, reply: BraintreeReply): z.output<Schema> {
  if (reply.kind !== "answered") throw new Error(`Braintree's books cannot be read now: ${reply.reason}.`);
  const parsed = schema.safeParse(reply.value);
  if (parsed.success) return parsed.data;
  throw new Error("Braintree's books cannot be read now: its answer has an unexpected form.");
}

function joinDays(days: readonly string[]): { first: string; last: string }[] {
  const runs: { first: string; last: string }[] = [];
  for (const day of [...new Set(days)].sort()) {
    const run = runs.at(-1);
    if (run !== undefined && addDays(run.last, 1) === day) run.last = day;
    else runs.push({ first: day, last: day });
  }
  return runs;
}
