import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { basicCredentials, type Call, type CallSubject, type SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import type { Ledger } from "../ledger.ts";
import { createFaultCard } from "../payway/fault-card.ts";
import type { ProviderPart } from "../provider-part.ts";
import type { Settings } from "../settings.ts";
import { describeNonce, describeTransaction, failure, refusal } from "./answers.ts";
import { type Books, type NonceKind, openBooks } from "./books.ts";
import { describeClientToken } from "./client-token.ts";
import { createBraintreeTransactions } from "./idempotency.ts";
import { findNonce, isUsed } from "./nonces.ts";
import { createNotifications, type Notifications } from "./notifications.ts";
import { type BraintreePages, createBraintreePages } from "./pages.ts";
import { recordPast } from "./past.ts";
import { type Criteria, readPage, searchIds } from "./queries.ts";
import { actExternally, refund, voidTransaction } from "./refunds.ts";
import { readCents, sell, type TransactionFields, text } from "./sales.ts";
import { element, group, xml } from "./xml.ts";

const GATEWAY = "/merchants";
const PAGES = "/braintree";

export type BraintreePart = ProviderPart & {
  readonly notifications: Notifications;
  readonly findTransaction: Books["find"];
  /** A nonce as from PayPal's window; only tests request one here. */
  createNonce(kind: NonceKind): string;
};

/** Braintree's gateway under `/merchants/{id}`, with its books in `ledger`, and its browser's side under `/braintree`. */
export function createBraintreePart(settings: Settings["braintree"], ledger: Ledger, clock: Clock): BraintreePart {
  const books = openBooks(ledger, clock, (kind, transaction) => notifications.noteChange(kind, transaction));
  const notifications = createNotifications(settings, () => books);
  const createNonce = (kind: NonceKind) => books.addNonce(kind).id;
  const pages = createBraintreePages({ settings, createNonce, now: clock.now });
  const faultCard = createFaultCard();
  const answerGateway = createGateway(settings, books);

  async function answer(call: Call, fault: Fault | null): Promise<SimulatedAnswer> {
    if (!isGateway(call.path)) {
      if (fault?.do === "slow") await pause(fault.ms ?? 8000);
      return pages.serve(call, fault);
    }
    return refuseCaller(call, settings) ?? answerGateway(call, fault);
  }

  return {
    owns: (path) => isGateway(path) || path === PAGES || path.startsWith(`${PAGES}/`),
    describe: (call) => describe(call, books, pages),
    faultOfCard(call) {
      const { op, token, amountCents } = describe(call, books, pages);
      const nonce = op === "charge" && token !== null ? findNonce(token, books) : undefined;
      if (nonce?.kind !== "fault" || amountCents === null || refuseCaller(call, settings) !== null) return null;
      return faultCard.take(amountCents, text(readFields(call).api_request_key) || nonce.id);
    },
    answer,
    failure,
    rows: () =>
      books
        .list()
        .reverse()
        .map(({ detail: _, ...row }) => row),
    resolvePending: books.resolvePending,
    actExternally: (act) => actExternally(act, books),
    recordPast: (payment) => recordPast(payment, books),
    notifications,
    findTransaction: books.find,
    createNonce,
  };
}

/** The calls of the server's SDK, after their keys are checked. */
function createGateway(
  settings: Settings["braintree"],
  books: Books,
): (call: Call, fault: Fault | null) => Promise<SimulatedAnswer> {
  const account = settings.merchantAccountId;
  const take = createBraintreeTransactions(books, account, settings.hasRequestKeys);

  return async function answerGateway(call, fault) {
    const body = readBody(call);
    if (body === null) return failure(400);
    const op = operation(call);
    const fields = readFields(call);
    const target = targetOf(call);
    // A slow call waits inside this function, where a second call with the same key finds it in progress.
    if (fault?.do === "slow" && !["charge", "refund", "void"].includes(op)) await pause(fault.ms ?? 8000);
    const transaction = ["refund", "void", "get"].includes(op) ? books.find(target) : undefined;
    const search = (body.search ?? {}) as Criteria;
    const order = { path: call.path, fields, fault };
    switch (op) {
      case "client_token":
        return createClientToken(body, settings, books);
      case "nonce": {
        const nonce = findNonce(target, books);
        if (nonce === undefined) return failure(404);
        return xml(200, describeNonce(nonce.id, nonce.kind === "card", isUsed(nonce, books)));
      }
      case "charge":
        return take({ ...order, make: (trace) => sell(fields, fault, books, account, trace) });
      case "search":
        return searchIds(search, fault, books);
      case "search_page":
        return readPage(search, books, account);
    }
    if (transaction === undefined) return failure(404);
    switch (op) {
      case "get":
        return xml(200, describeTransaction(transaction, books, account));
      case "refund":
        return take({ ...order, make: (trace) => refund(transaction, fields, books, trace) });
      default:
        return take({ ...order, make: (trace) => voidTransaction(transaction, books, trace) });
    }
  };
}

function createClientToken(
  body: Record<string, unknown>,
  settings: Settings["braintree"],
  books: Books,
): SimulatedAnswer {
  const wanted = (body.client_token as { merchant_account_id?: unknown } | undefined)?.merchant_account_id;
  if (wanted !== undefined && wanted !== settings.merchantAccountId) {
    const message = "Merchant account ID specified does not exist.";
    return refusal({ code: "92809", attribute: "merchant_account_id", message });
  }
  return xml(201, group("client-token", [element("value", describeClientToken(settings, books.now()))]));
}

/** 401 for wrong keys, 403 for right ones at another merchant's path. */
function refuseCaller({ headers, path }: Call, settings: Settings["braintree"]): SimulatedAnswer | null {
  const { user, password } = basicCredentials(headers);
  if (user !== settings.publicKey || password !== settings.privateKey) return failure(401);
  return path.split("/")[2] === settings.merchantId ? null : failure(403);
}

function describe(call: Call, books: Books, pages: BraintreePages): CallSubject {
  if (!isGateway(call.path)) {
    const op = pages.operation(call);
    return { provider: "braintree", op, orderReference: null, amountCents: null, token: null };
  }
  const op = operation(call);
  const fields = readFields(call);
  const transaction = ["get", "refund", "void"].includes(op) ? books.find(targetOf(call)) : undefined;
  const searched = (readBody(call)?.search as { order_id?: { is?: unknown } } | undefined)?.order_id?.is;
  return {
    provider: "braintree",
    op,
    orderReference: text(fields.order_id) || text(searched) || (transaction?.orderReference ?? null),
    amountCents: readCents(fields.amount) ?? transaction?.amountCents ?? null,
    token: op === "nonce" ? targetOf(call) : text(fields.payment_method_nonce) || null,
  };
}

/** The name of a call in fault rules and the request log. */
function operation({ method, path }: Call): string {
  const route = `${method} ${path.split("/").slice(3).join("/")}`;
  if (route === "POST client_token") return "client_token";
  if (route === "POST transactions") return "charge";
  if (route === "POST transactions/advanced_search_ids") return "search";
  if (route === "POST transactions/advanced_search") return "search_page";
  if (/^GET payment_method_nonces\/[^/]+$/.test(route)) return "nonce";
  if (/^GET transactions\/[^/]+$/.test(route)) return "get";
  if (/^POST transactions\/[^/]+\/refund$/.test(route)) return "refund";
  if (/^PUT transactions\/[^/]+\/void$/.test(route)) return "void";
  return "other";
}

function isGateway(path: string): boolean {
  return path.startsWith(`${GATEWAY}/`);
}

/** The transaction or nonce that the path names. */
function targetOf({ path }: Call): string {
  return path.split("/")[4] ?? "";
}

function readFields(call: Call): TransactionFields {
  return (readBody(call)?.transaction ?? {}) as TransactionFields;
}

/** The JSON of the body; empty without one, null when it is none. */
function readBody({ body }: Call): Record<string, unknown> | null {
  if (body === "") return {};
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
