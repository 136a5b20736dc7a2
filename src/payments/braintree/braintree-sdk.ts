import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { Config } from "#shared/config/config.ts";

export type BraintreeOptions = Config["braintree"];

/** The part of Braintree's SDK that we use. Results are `unknown` because the SDK's own types are not reliable. */
export type Gateway = {
  readonly config: { timeout: number; baseMerchantPath(): string };
  readonly http: { post(path: string, body: object): Promise<unknown> };
  readonly clientToken: { generate(request: object): Promise<unknown> };
  readonly paymentMethodNonce: { find(nonce: string): Promise<unknown> };
  readonly transaction: {
    sale(request: object): Promise<unknown>;
    find(transactionId: string): Promise<unknown>;
    refund(transactionId: string, request: object): Promise<unknown>;
    void(transactionId: string, request: object): Promise<unknown>;
  };
  readonly webhookNotification: { parse(signature: string, payload: string): Promise<unknown> };
};

/** The result of one SDK call, or why there is none. */
export type BraintreeReply =
  | { readonly kind: "answered"; readonly value: unknown }
  /** Refused before processing: wrong keys, rights, path or id (404), or an outdated SDK. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  /** HTTP 429: not processed; may be sent later. */
  | { readonly kind: "busy"; readonly reason: string }
  | { readonly kind: "never_sent"; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string };

/** What the SDK doesn't report, observed on the connection. */
type Trace = {
  request: ClientRequest | null;
  isConnected: boolean;
  isLate: boolean;
  isTooLarge: boolean;
  status: number | null;
  errorCode: string | null;
};

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const REFUSALS: Readonly<Record<string, number>> = {
  authenticationError: 401,
  authorizationError: 403,
  notFoundError: 404,
  upgradeRequired: 426,
};

/**
 * Makes one call with the official SDK. Never rejects for anything the network or Braintree does. SDK 3.40.0 waits
 * forever on a slowly trickling answer, ends the process on invalid JSON, and drops the cause of network errors. Its
 * search stream never ends if a page lacks a row. So each call has a deadline, and an agent watches the connection: a
 * request that never got a connection was never sent.
 */
export async function callBraintree(
  options: BraintreeOptions,
  work: (gateway: Gateway) => Promise<unknown>,
  timeoutMs = options.timeoutMs,
): Promise<BraintreeReply> {
  const trace: Trace = {
    request: null,
    isConnected: false,
    isLate: false,
    isTooLarge: false,
    status: null,
    errorCode: null,
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    const gateway = await openGateway(options, await watchingAgent(options.url.startsWith("http:"), trace));
    gateway.config.timeout = timeoutMs;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        trace.isLate = true;
        reject(new Error("late"));
        trace.request?.destroy();
      }, timeoutMs);
    });
    return { kind: "answered", value: await Promise.race([work(gateway), deadline]) };
  } catch (error) {
    return explainFailure(error, trace);
  } finally {
    clearTimeout(timer);
  }
}

/** Braintree allows request keys to few merchants; without one, nothing may be sent twice. */
export function requestKey({ hasRequestKeys }: BraintreeOptions, key: string): { apiRequestKey?: string } {
  return hasRequestKeys ? { apiRequestKey: key } : {};
}

/** Imports the SDK on first use, because that takes tens of milliseconds. */
export async function openGateway(options: BraintreeOptions, customHttpAgent?: Agent): Promise<Gateway> {
  const { default: braintree } = await import("braintree");
  const { merchantId, publicKey, privateKey } = options;
  const environment = environmentOf(braintree, options.url);
  const config = { environment, merchantId, publicKey, privateKey, customHttpAgent };
  // The SDK's types lack `http`, and the order and key of a refund.
  return new braintree.BraintreeGateway(config) as unknown as Gateway;
}

function environmentOf({ Environment }: typeof import("braintree"), url: string) {
  if (url === "sandbox") return Environment.Sandbox;
  if (url === "production") return Environment.Production;
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === "https:";
  const server = hostname.replace(/^\[|\]$/g, "");
  const serverPort = port || (isSecure ? "443" : "80");
  return new Environment(server, serverPort, url, isSecure, server, serverPort);
}

/** One connection per call: a reused one that the other side has closed would make the outcome unknown. */
async function watchingAgent(isPlain: boolean, trace: Trace): Promise<Agent> {
  const { Agent } = isPlain ? await import("node:http") : await import("node:https");
  const agent = new Agent() as Agent & {
    addRequest(request: ClientRequest, ...rest: unknown[]): void;
  };
  const addRequest = agent.addRequest;
  agent.addRequest = (request, ...rest) => {
    trace.request = request;
    request.once("socket", (socket) =>
      socket.once(isPlain ? "connect" : "secureConnect", () => {
        trace.isConnected = true;
      }),
    );
    request.once("error", (error: NodeJS.ErrnoException) => {
      trace.errorCode = error.code ?? null;
    });
    request.prependOnceListener("response", (response) => watchAnswer(response, trace));
    addRequest.call(agent, request, ...rest);
  };
  return agent;
}

function watchAnswer(response: IncomingMessage, trace: Trace) {
  trace.status = response.statusCode ?? null;
  // Invalid XML throws an error that we can catch; invalid JSON would end the process.
  response.headers["content-type"] = "application/xml";
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) return;
    trace.isTooLarge = true;
    trace.request?.destroy();
  });
}

function explainFailure(error: unknown, trace: Trace): BraintreeReply {
  const { type = "", code } = error as { type?: string; code?: unknown };
  const refused = REFUSALS[type];
  if (refused !== undefined) {
    return { kind: "refused", status: refused, reason: `Braintree refused the call (HTTP ${refused})` };
  }
  if (type === "tooManyRequestsError") {
    return { kind: "busy", reason: "Braintree is limiting our calls (HTTP 429)" };
  }
  if (!trace.isConnected) {
    const why = trace.errorCode ?? (typeof code === "string" ? code : trace.isLate ? "no connection in time" : type);
    return { kind: "never_sent", reason: `Braintree cannot be reached${why === "" ? "" : ` (${why})`}` };
  }
  return { kind: "lost", reason: explainLoss(trace) };
}

function explainLoss({ isLate, isTooLarge, status, errorCode }: Trace): string {
  if (isLate) return "Braintree did not answer in time";
  if (isTooLarge) return "Braintree's answer is too large";
  if (status !== null && status !== 200 && status !== 201 && status !== 422) return `Braintree answered HTTP ${status}`;
  if (status === null && errorCode !== null) return `the connection to Braintree broke (${errorCode})`;
  return "Braintree's answer cannot be read";
}
