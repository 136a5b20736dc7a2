import { z } from "zod";
import type { FoundCharges, ProviderTransaction } from "../provider.ts";
import { customerOfDay } from "../reference.ts";
import { exchange, isSuccessful, type PaywayOptions } from "./payway-http.ts";
import {
  type BookedTransaction,
  centsOf,
  classifyPaywayPayment,
  describePaywayTransaction,
  PaywayDollars,
  PaywayTransaction,
  parseJson,
  paywayStatus,
  readTime,
  TransactionId,
} from "./payway-transactions.ts";

const MAX_PAGES_OF_ORDER = 20;
/** Enough for a day with tens of thousands of payments. */
const MAX_PAGES_OF_DAY = 5000;

/** A row of a search, which has no order number or parent, and sometimes no time. */
const Summary = z.object({
  transactionId: TransactionId,
  transactionType: z.string(),
  status: z.string(),
  currency: z.string(),
  principalAmount: PaywayDollars,
  transactionDateTime: z.string().nullish(),
});
type Summary = z.infer<typeof Summary>;

const OrderRow = Summary.pick({ transactionId: true, transactionType: true });
const Links = z.array(z.object({ rel: z.string(), href: z.string() })).default([]);

/** Finds this order's payments, reading each by its id because a search row has no order number. */
export async function findPaywayByReference(options: PaywayOptions, orderReference: string): Promise<FoundCharges> {
  const payments = await listOfOrder(options, orderReference, "payment");
  return { outcomes: payments.map(classifyPaywayPayment), isAuthoritative: options.searchIsAuthoritative };
}

/** The payments or refunds with this order number. */
export async function listOfOrder(
  options: PaywayOptions,
  orderReference: string,
  type: "payment" | "refund",
): Promise<BookedTransaction[]> {
  const query = new URLSearchParams({ orderNumber: orderReference });
  const rows = await search(options, `/transactions/search-order?${query}`, OrderRow, MAX_PAGES_OF_ORDER);
  const ids = rows.filter(({ transactionType }) => transactionType === type).map(({ transactionId }) => transactionId);
  const found: BookedTransaction[] = [];
  for (const id of new Set(ids)) found.push(await findRelated(options, id));
  return found.filter(({ orderNumber }) => orderNumber === orderReference);
}

/**
 * The payments under these days' customer numbers, and their refunds. PayWay files a refund under its payment's
 * customer (inferred), so today's refund of an older payment is listed with the payment's day.
 */
export async function listPaywayTransactions(
  options: PaywayOptions,
  days: readonly string[],
): Promise<ProviderTransaction[]> {
  const listed: ProviderTransaction[] = [];
  for (const day of new Set(days)) {
    for (const row of await listOfCustomer(options, customerOfDay(day))) {
      if (row.transactionType === "refund") {
        listed.push(describePaywayTransaction(await findRelated(options, row.transactionId)));
      } else if (row.transactionType === "payment" || row.transactionType === "capture") {
        listed.push(describeSummary(row));
      }
    }
  }
  return listed;
}

/** One payment and its refunds; null if PayWay has none with that id. */
export async function findPaywayPayment(
  options: PaywayOptions,
  { transactionId, day }: { transactionId: string; day: string },
): Promise<ProviderTransaction[] | null> {
  const payment = await findPaywayTransaction(options, transactionId);
  if (payment === null) return null;
  const refunds = await listPaywayRefunds(options, payment, payment.customerNumber ?? customerOfDay(day));
  return [payment, ...refunds].map(describePaywayTransaction);
}

/** The refunds under a customer number whose parent is this payment. */
export async function listPaywayRefunds(
  options: PaywayOptions,
  payment: BookedTransaction,
  customerNumber: string,
): Promise<BookedTransaction[]> {
  const refunds: BookedTransaction[] = [];
  for (const row of await listOfCustomer(options, customerNumber)) {
    if (row.transactionType !== "refund") continue;
    const refund = await findRelated(options, row.transactionId);
    if (refund.parentTransaction?.transactionId === payment.transactionId) refunds.push(refund);
  }
  return refunds;
}

/** Null if PayWay has no transaction with that id. @throws Error if the books can't be read now. */
export async function findPaywayTransaction(
  options: PaywayOptions,
  transactionId: string,
): Promise<BookedTransaction | null> {
  const body = await read(options, `/transactions/${encodeURIComponent(transactionId)}`);
  if (body === null) return null;
  const transaction = parseAs(PaywayTransaction, body);
  if (transaction.transactionId !== transactionId) {
    throw new Error("PayWay answered a query about another transaction.");
  }
  return { ...transaction, transactionId };
}

async function findRelated(options: PaywayOptions, transactionId: string): Promise<BookedTransaction> {
  const transaction = await findPaywayTransaction(options, transactionId);
  if (transaction !== null) return transaction;
  throw new Error("PayWay's books cannot be read now: a transaction that they list is missing.");
}

async function listOfCustomer(options: PaywayOptions, customerNumber: string): Promise<Summary[]> {
  const query = new URLSearchParams({ customerNumber });
  const rows = await search(options, `/transactions/search-customer?${query}`, Summary, MAX_PAGES_OF_DAY);
  return [...new Map(rows.map((row) => [row.transactionId, row])).values()];
}

function describeSummary(row: Summary): ProviderTransaction {
  return {
    transactionId: row.transactionId,
    type: "payment",
    status: paywayStatus(row),
    providerStatus: row.status,
    amountCents: centsOf(row.principalAmount),
    currency: row.currency.toUpperCase(),
    orderReference: null,
    parentId: null,
    at: readTime(row.transactionDateTime),
    dispute: null,
  };
}

/** All rows of a search, page by page; none for a 404. */
async function search<Row extends z.ZodType>(
  options: PaywayOptions,
  firstPath: string,
  row: Row,
  maxPages: number,
): Promise<z.output<Row>[]> {
  const Page = z.object({ data: z.array(row), links: Links });
  const rows: z.output<Row>[] = [];
  let path: string | null = firstPath;
  for (let page = 1; path !== null; page += 1) {
    if (page > maxPages) throw new Error(`PayWay's search has more than ${maxPages} pages.`);
    const body = await read(options, path);
    if (body === null) break;
    const { data, links } = parseAs(Page, body);
    rows.push(...data);
    path = nextPath(options.url, links);
  }
  return rows;
}

/** The next call carries the secret key, so a link that leads outside our base URL is refused. */
function nextPath(base: string, links: z.infer<typeof Links>): string | null {
  const next = links.find(({ rel }) => rel === "next")?.href;
  if (next === undefined) return null;
  const href = new URL(next, `${base}/`).href;
  if (!href.startsWith(`${base}/transactions/`)) throw new Error("PayWay's search links to another address.");
  return href.slice(base.length);
}

/** The body of a successful query; null for a 404. */
async function read(options: PaywayOptions, path: string): Promise<string | null> {
  const reply = await exchange(options, path, { method: "GET" });
  if (reply.kind !== "answered") throw new Error(`PayWay's books cannot be read now: ${reply.reason}.`);
  if (reply.status === 404) return null;
  if (isSuccessful(reply.status)) return reply.body ?? "";
  throw new Error(`PayWay's books cannot be read now: it answered HTTP ${reply.status}.`);
}

function parseAs<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(body));
  if (!parsed.success) throw new Error("PayWay's books cannot be read now: its answer has an unexpected form.");
  return parsed.data;
}
