import { z } from "zod";
import { exchange, isSuccessful, type PaywayConnection, type Reply } from "./payway-http.ts";
import type { Charge, Found, Outcome, Provider } from "./provider.ts";

export type PaywayOptions = PaywayConnection & {
  readonly merchantId: string;
  /** Whether a search without a hit proves that nothing was charged: true of the simulator, never of the real PayWay. */
  readonly searchIsAuthoritative: boolean;
};

const MOST_PAGES = 20;
const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Declines that PayWay itself is not sure of; the books are to be asked before anybody is told. */
const SOFT_CODES = new Set(["Q2", "Q3", "Q4", "Q6", "QE", "QI", "QX", "91"]);
/**
 * The call was refused before it was processed: a wrong key, path or form, which only an operator can mend. A proxy's 407
 * never gets here: fetch makes it a network error without a code, which counts as unknown.
 */
const CONFIGURATION_STATUSES = new Set([400, 401, 403, 404, 405, 406, 409, 410, 415, 501]);

/** Dollars as PayWay writes them, a number or a text; `centsOf` reads them. */
const Dollars = z
  .union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)])
  .refine((dollars) => Math.abs(Number(dollars) * 100 - centsOf(dollars)) < 1e-6, "not whole cents");

const TransactionId = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);

/** Only what is named here is kept: a field that PayWay adds, or a card or name in one, never reaches `raw`. */
const Transaction = z.object({
  transactionId: TransactionId.nullish(),
  receiptNumber: z.string().nullish(),
  status: z.string(),
  responseCode: z.string().nullish(),
  responseText: z.string().transform(withoutSecrets).nullish(),
  transactionType: z.string(),
  orderNumber: z.string(),
  currency: z.string(),
  principalAmount: Dollars,
  surchargeAmount: Dollars.nullish(),
  paymentAmount: Dollars.nullish(),
  transactionDateTime: z.string().nullish(),
  settlementDate: z.string().nullish(),
  declinedDate: z.string().nullish(),
  fraudResult: z.string().transform(withoutSecrets).nullish(),
  cardCountry: z.string().nullish(),
  customerIpCountry: z.string().nullish(),
  creditCard: z
    .object({
      cardNumber: z
        .string()
        .regex(/^\d{6}\.{3}\d{3}$/)
        .nullish()
        .catch(null),
      cardScheme: z.string().nullish(),
      cardType: z.string().nullish(),
    })
    .nullish(),
});
type Transaction = z.infer<typeof Transaction>;

const SearchPage = z.object({
  data: z.array(z.object({ transactionId: TransactionId, transactionType: z.string() })),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

const Refusal = z.object({
  data: z.array(z.object({ fieldName: z.string().nullish(), message: z.string().nullish() })),
});

/**
 * Westpac PayWay over its REST API. `charge` makes exactly one HTTP call and speaks of that call alone: after an earlier
 * call under the same key whose outcome is unknown, a `not_charged` (token already used, key in use) settles nothing.
 */
export function createPayway(given: PaywayOptions): Provider {
  const options = { ...given, url: given.url.replace(/\/$/, "") };
  return {
    name: "payway",
    charge: (charge) => sendCharge(options, charge),
    findByOrderReference: (orderReference) => findByOrderReference(options, orderReference),
    checkCredentials: () => checkCredentials(options),
  };
}

async function sendCharge(options: PaywayOptions, charge: Charge): Promise<Outcome> {
  if (!TOKEN.test(charge.instrument)) return { kind: "not_charged", reason: "bad token", mayRetry: false };
  const form = new URLSearchParams({
    singleUseTokenId: charge.instrument,
    customerNumber: charge.customerReference,
    transactionType: "payment",
    principalAmount: (charge.amountCents / 100).toFixed(2),
    currency: charge.currency.toLowerCase(),
    orderNumber: charge.orderReference,
    merchantId: options.merchantId,
    customerIpAddress: charge.customerAddress,
  });
  const reply = await exchange(options, "/transactions", {
    method: "POST",
    body: form,
    headers: { "idempotency-key": charge.idempotencyKey },
  });
  switch (reply.kind) {
    case "never_sent":
      return { kind: "not_charged", reason: reply.reason, mayRetry: true };
    case "lost":
      return { kind: "unknown", reason: reply.reason, mayResend: true };
    case "broken":
      return { kind: "unknown", reason: reply.reason, mayResend: false };
    case "answered":
      return isSuccessful(reply.status) ? readCharge(reply.body, charge) : readError(reply);
  }
}

/** A 2xx: success only when status, id, type, order, currency and amount all say so. */
function readCharge(body: string | null, charge: Charge): Outcome {
  const unknown = (reason: string): Outcome => ({ kind: "unknown", reason, mayResend: false });
  const parsed = Transaction.safeParse(parseJson(body));
  if (!parsed.success) return unknown("PayWay accepted the call, but its answer cannot be read");
  const transaction = parsed.data;
  if (transaction.transactionType !== "payment") return unknown("PayWay answered about another type of transaction");
  if (transaction.orderNumber !== charge.orderReference) return unknown("PayWay answered about another order");
  if (centsOf(transaction.principalAmount) !== charge.amountCents)
    return unknown("PayWay answered with another amount");
  if (transaction.currency.toUpperCase() !== charge.currency) return unknown("PayWay answered in another currency");
  const outcome = classify(transaction);
  if (outcome.kind === "declined" && SOFT_CODES.has(outcome.responseCode ?? "")) {
    return unknown(`PayWay declined with code ${outcome.responseCode}, which is not its last word`);
  }
  return outcome;
}

/** What a well-formed transaction means. PayWay's `status` decides; its codes differ from bank to bank. */
function classify(transaction: Transaction): Outcome {
  const { status } = transaction;
  const transactionId = transaction.transactionId ?? null;
  const responseCode = transaction.responseCode ?? null;
  if (status === "declined" || status === "voided") {
    return { kind: "declined", transactionId, status, responseCode, raw: transaction };
  }
  const isApproved = status === "approved" || status === "approved*";
  if (!isApproved && status !== "pending" && status !== "suspended") {
    return { kind: "unknown", reason: "PayWay answered with a status that nobody here knows", mayResend: false };
  }
  if (transactionId === null) {
    return { kind: "unknown", reason: "PayWay answered without a transaction id", mayResend: false };
  }
  return {
    kind: isApproved ? "succeeded" : "processing",
    transactionId,
    status,
    responseCode,
    amountCents: centsOf(transaction.principalAmount),
    paidCents: centsOf(transaction.paymentAmount ?? transaction.principalAmount),
    currency: transaction.currency.toUpperCase(),
    orderReference: transaction.orderNumber,
    raw: transaction,
  };
}

function readError(reply: Extract<Reply, { kind: "answered" }>): Outcome {
  const { status } = reply;
  const later = reply.retryAfterMs === undefined ? {} : { retryAfterMs: reply.retryAfterMs };
  if (status === 422) return { kind: "not_charged", reason: readRefusal(reply.body), mayRetry: false };
  if (status === 429) {
    return { kind: "not_charged", reason: "PayWay takes no more calls now (HTTP 429)", mayRetry: true, ...later };
  }
  if (status === 503) {
    return { kind: "unknown", reason: "PayWay is not available (HTTP 503)", mayResend: true, ...later };
  }
  if (CONFIGURATION_STATUSES.has(status)) {
    const reason = `PayWay refused the call (HTTP ${status}): check PAYWAY_URL, PAYWAY_SECRET_KEY and PAYWAY_MERCHANT_ID`;
    return { kind: "not_charged", reason, mayRetry: false };
  }
  return { kind: "unknown", reason: `PayWay answered HTTP ${status}`, mayResend: false };
}

function readRefusal(body: string | null): string {
  const field = Refusal.safeParse(parseJson(body)).data?.data[0];
  return `PayWay refused ${field?.fieldName ?? "a field"} (HTTP 422): ${withoutSecrets(field?.message ?? "it does not say why")}`;
}

/** Asks PayWay's books: payments of this order only, each by its id, since a summary lacks the order number. */
async function findByOrderReference(options: PaywayOptions, orderReference: string): Promise<Found> {
  const query = new URLSearchParams({ orderNumber: orderReference });
  const ids = new Set<string>();
  let path: string | null = `/transactions/search-order?${query}`;
  for (let page = 1; path !== null; page += 1) {
    if (page > MOST_PAGES) throw new Error(`PayWay's search for one order has more than ${MOST_PAGES} pages.`);
    const body = await read(options, path);
    if (body === null) break;
    const { data, links } = parseAs(SearchPage, body);
    for (const row of data) if (row.transactionType === "payment") ids.add(row.transactionId);
    path = nextPath(options.url, links);
  }
  const outcomes: Outcome[] = [];
  for (const id of ids) {
    const transaction = parseAs(Transaction, (await read(options, `/transactions/${id}`)) ?? "");
    if (transaction.transactionId !== id) throw new Error("PayWay answered a query about another transaction.");
    if (transaction.orderNumber === orderReference) outcomes.push(classify(transaction));
  }
  return { outcomes, isAuthoritative: options.searchIsAuthoritative };
}

/** The secret key goes along with the next call, so a link that leads anywhere but below our own base is refused. */
function nextPath(base: string, links: z.infer<typeof SearchPage>["links"]): string | null {
  const next = links.find(({ rel }) => rel === "next")?.href;
  if (next === undefined) return null;
  const href = new URL(next, `${base}/`).href;
  if (!href.startsWith(`${base}/transactions/`)) throw new Error("PayWay's search links to another address.");
  return href.slice(base.length);
}

async function checkCredentials(options: PaywayOptions): Promise<void> {
  const reply = await exchange(options, "", { method: "GET" });
  if (reply.kind !== "answered") throw new Error(`PayWay cannot be reached at ${options.url}: ${reply.reason}.`);
  if (reply.status === 401 || reply.status === 403) {
    throw new Error(`PayWay does not accept the secret key (HTTP ${reply.status}): check PAYWAY_SECRET_KEY.`);
  }
  if (!isSuccessful(reply.status)) {
    throw new Error(`PayWay answered HTTP ${reply.status} at ${options.url}: check PAYWAY_URL.`);
  }
}

/** The body of a query that succeeded, null for a 404. */
async function read(options: PaywayOptions, path: string): Promise<string | null> {
  const reply = await exchange(options, path, { method: "GET" });
  if (reply.kind !== "answered") throw new Error(`PayWay's books cannot be read now: ${reply.reason}.`);
  if (reply.status === 404) return null;
  if (!isSuccessful(reply.status))
    throw new Error(`PayWay's books cannot be read now: it answered HTTP ${reply.status}.`);
  return reply.body;
}

function parseAs<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(body));
  if (!parsed.success)
    throw new Error("PayWay's books cannot be read now: its answer is not in the form it should be.");
  return parsed.data;
}

function centsOf(dollars: number | string): number {
  return Math.round(Number(dollars) * 100);
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** PayWay's free texts go into logs and records: what looks like a card number or a token in them does not. */
function withoutSecrets(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "[token]")
    .replace(/\d(?:[ -]?\d){12,18}/g, "[number]")
    .slice(0, 200);
}
