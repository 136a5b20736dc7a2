import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { basicCredentials, type Call, type CallSubject, json, type SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import type { Ledger } from "../ledger.ts";
import type { ProviderPart } from "../provider-part.ts";
import type { Settings } from "../settings.ts";
import { failure, refusal } from "./answers.ts";
import { authenticate, findAuthentication } from "./authentication.ts";
import { type Books, openBooks } from "./books.ts";
import { answerChallenge, showChallenge } from "./challenge.ts";
import { createFaultCard } from "./fault-card.ts";
import { serveFrameFile } from "./frame.ts";
import { createPaywayTransactions } from "./idempotency.ts";
import { recordPast } from "./past.ts";
import { pay, readCents } from "./payments.ts";
import { getTransaction, searchTransactions } from "./queries.ts";
import { actExternally, refund, voidTransaction } from "./refunds.ts";
import { tokenise } from "./tokens.ts";

const BASE = "/payway/rest/v1";

/** PayWay under `/payway/rest/v1`, with its books in `ledger`. */
export function createPaywayPart(settings: Settings["payway"], ledger: Ledger, clock: Clock): ProviderPart {
  const books = openBooks(ledger, clock);
  const faultCard = createFaultCard();
  const bank = { books, merchantId: settings.merchantId };

  const takeTransaction = createPaywayTransactions(books, settings.idempotencyMode, (form, fault, trace) => {
    const type = form.get("transactionType");
    if (type === "payment") return pay(form, fault, bank, trace);
    if (type === "refund") return refund(form, books, trace);
    return refusal(422, "transactionType", "This facility takes payment and refund", type ?? "");
  });

  async function answer(call: Call, fault: Fault | null): Promise<SimulatedAnswer> {
    const op = operation(call, settings);
    const file = serveFrameFile(call.path.slice(BASE.length), fault);
    // The cardholder's browser has no key, only the token's id, which it may know.
    const isOpen = file !== null || op === "challenge" || op === "challenge_answer";
    const refused = isOpen ? null : refuseCaller(call, op, settings);
    if (refused !== null) return refused;
    // A slow charge waits inside this function, where a second call with the same key finds it in progress.
    if (fault?.do === "slow" && op !== "charge" && op !== "refund") await pause(fault.ms ?? 8000);
    if (file !== null) return file;
    const form = new URLSearchParams(call.body);
    // `…/transactions/{id}` or `…/single-use-tokens/{id}`.
    const id = call.path.split("/")[5] ?? "";
    switch (op) {
      case "root":
        return json(200, { links: [{ rel: "transactions", href: `http://${call.headers.host}${BASE}/transactions` }] });
      case "token":
        return fault?.do === "token_422" ? refusal(422, "cardNumber", "Check the card number") : tokenise(form, books);
      case "charge":
      case "refund":
        return spoilAnswer(await takeTransaction(call, fault), fault);
      case "void":
        return voidTransaction(id, books);
      case "search":
        return searchTransactions(call, fault, books);
      case "get":
        return getTransaction(id, books);
      case "authenticate":
        return authenticate(id, call.body, books);
      case "find_authentication":
        return findAuthentication(id, books);
      case "challenge":
        return showChallenge(id, books);
      case "challenge_answer":
        return answerChallenge(id, call, books);
      default:
        return isKnownPath(call.path, settings) ? failure(405) : failure(404);
    }
  }

  return {
    owns: (path) => path === BASE || path.startsWith(`${BASE}/`),
    describe: (call) => describe(call, books, settings),
    faultOfCard(call) {
      const { op, token, amountCents } = describe(call, books, settings);
      const isFaultCard = op === "charge" && token !== null && books.findToken(token)?.verdict.kind === "fault";
      const key = call.headers["idempotency-key"]?.toString() ?? token;
      return isFaultCard && amountCents !== null && key ? faultCard.take(amountCents, key) : null;
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
  };
}

function describe(call: Call, books: Books, settings: Settings["payway"]): CallSubject {
  const op = operation(call, settings);
  const isOfToken = call.path.startsWith(`${BASE}/single-use-tokens/`);
  const form = new URLSearchParams(call.body);
  const transaction = op === "get" || op === "void" ? books.find(call.path.split("/")[5] ?? "") : undefined;
  return {
    provider: "payway",
    op,
    orderReference: form.get("orderNumber") ?? call.query.get("orderNumber") ?? transaction?.orderReference ?? null,
    amountCents: readCents(form.get("principalAmount")) ?? transaction?.amountCents ?? null,
    token: isOfToken ? (call.path.split("/")[5] ?? null) : form.get("singleUseTokenId"),
  };
}

/** The name of a call in fault rules and the request log. */
function operation({ method, path, body }: Call, { authenticationPath }: Settings["payway"]): string {
  const route = `${method} ${path.slice(BASE.length)}`;
  const [, tokenId, rest] = /^\/single-use-tokens\/([^/]+)\/(.+)$/.exec(path.slice(BASE.length)) ?? [];
  if (tokenId !== undefined) {
    const ofToken: Readonly<Record<string, string>> = {
      [`POST ${authenticationPath}`]: "authenticate",
      [`GET ${authenticationPath}`]: "find_authentication",
      "GET challenge-iframe.htm": "challenge",
      "POST challenge": "challenge_answer",
    };
    return ofToken[`${method} ${rest}`] ?? "other";
  }
  if (route === "GET ") return "root";
  if (route === "GET /payway.js") return "script";
  if (route === "GET /creditCard-iframe.htm") return "frame";
  if (route === "POST /single-use-tokens") return "token";
  if (route === "POST /transactions") {
    return new URLSearchParams(body).get("transactionType") === "refund" ? "refund" : "charge";
  }
  if (/^POST \/transactions\/\d+\/void$/.test(route)) return "void";
  if (/^GET \/transactions\/search-[a-z]+$/.test(route)) return "search";
  if (/^GET \/transactions\/\d+$/.test(route)) return "get";
  return "other";
}

/** Checks keys as PayWay does: the publishable one creates tokens, the secret one does everything else. */
function refuseCaller(call: Call, op: string, settings: Settings["payway"]): SimulatedAnswer | null {
  const { user, password } = basicCredentials(call.headers);
  const isKnown = password === "" && (user === settings.publishableKey || user === settings.secretKey);
  if (!isKnown) return failure(401);
  const wanted = op === "token" ? settings.publishableKey : settings.secretKey;
  if (user !== wanted) return failure(403);
  const wantedType = op === "authenticate" ? "application/json" : "application/x-www-form-urlencoded";
  const isWantedType = (call.headers["content-type"] ?? "").startsWith(wantedType);
  return call.method === "POST" && call.body !== "" && !isWantedType ? failure(415) : null;
}

function isKnownPath(path: string, { authenticationPath }: Settings["payway"]): boolean {
  if (path.startsWith(`${BASE}/single-use-tokens/`)) return path.endsWith(`/${authenticationPath}`);
  return /^\/(single-use-tokens|transactions(\/\d+(\/void)?|\/search-(order|receipt|customer))?)?$/.test(
    path.slice(BASE.length),
  );
}

/** Faults in the answer only: what was booked is right. */
function spoilAnswer(answer: SimulatedAnswer, fault: Fault | null): SimulatedAnswer {
  if (answer.status !== 201) return answer;
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  switch (fault?.do) {
    case "wrong_amount":
      return json(201, { ...body, principalAmount: Number(body.principalAmount) + 1 });
    case "wrong_order":
      return json(201, { ...body, orderNumber: "SOMEBODY-ELSES" });
    case "missing_id":
      return json(201, { ...body, transactionId: undefined });
    default:
      return answer;
  }
}
