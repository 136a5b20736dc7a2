import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { Config } from "#shared/config.ts";

export type BraintreeOptions = Config["braintree"];

/** The part of Braintree's SDK that is used here. What it answers is `unknown`: its own types promise more than it keeps. */
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

/** What came back from one call of the SDK, or why nothing usable did. */
export type Reply =
  | { readonly kind: "answered"; readonly value: unknown }
  /** Refused before it was processed: wrong keys, rights, path or id (404), an SDK that is too old. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  /** HTTP 429: not processed, and welcome later. */
  | { readonly kind: "busy"; readonly reason: string }
  | { readonly kind: "never_sent"; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string };

/** What the SDK does not tell, seen on the connection itself. */
type Trace = {
  request: ClientRequest | null;
  isConnected: boolean;
  isLate: boolean;
  isTooLarge: boolean;
  status: number | null;
  errorCode: string | null;
};

const LARGEST_BODY = 8 * 1024 * 1024;
const REFUSALS: Readonly<Record<string, number>> = {
  authenticationError: 401,
  authorizationError: 403,
  notFoundError: 404,
  upgradeRequired: 426,
};

/**
 * Makes one call with the official SDK, and rejects for nothing that the network or Braintree may do. Measured with SDK
 * 3.40.0: it waits for ever on an answer that drips, ends the process on a JSON answer that cannot be parsed, drops the
 * cause of a network error, and its search stream never ends when a page lacks a row. Hence the deadline, and an agent
 * that watches the connection: a request whose connection was never made was never sent.
 */
export async function callBraintree(
  options: BraintreeOptions,
  work: (gateway: Gateway) => Promise<unknown>,
  timeoutMs = options.timeoutMs,
): Promise<Reply> {
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

/** Braintree allows the key to few; without it nothing may be sent twice. */
export function requestKey({ hasRequestKeys }: BraintreeOptions, key: string): { apiRequestKey?: string } {
  return hasRequestKeys ? { apiRequestKey: key } : {};
}

/** The SDK takes tens of milliseconds to load, so it is loaded when it is first needed, not at the start. */
export async function openGateway(options: BraintreeOptions, customHttpAgent?: Agent): Promise<Gateway> {
  const { default: braintree } = await import("braintree");
  const { merchantId, publicKey, privateKey } = options;
  const environment = environmentOf(braintree, options.url);
  const config = { environment, merchantId, publicKey, privateKey, customHttpAgent };
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

/** A connection for each call, since one that the other side has closed meanwhile would make the outcome unknown. */
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
  // As XML, an answer that is none is an error that can be caught; as JSON it would end the process.
  response.headers["content-type"] = "application/xml";
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= LARGEST_BODY) return;
    trace.isTooLarge = true;
    trace.request?.destroy();
  });
}

function explainFailure(error: unknown, trace: Trace): Reply {
  const { type = "", code } = error as { type?: string; code?: unknown };
  const refused = REFUSALS[type];
  if (refused !== undefined) {
    return { kind: "refused", status: refused, reason: `Braintree refused the call (HTTP ${refused})` };
  }
  if (type === "tooManyRequestsError") {
    return { kind: "busy", reason: "Braintree takes no more calls now (HTTP 429)" };
  }
  if (!trace.isConnected) {
    const why = trace.errorCode ?? (typeof code === "string" ? code : trace.isLate ? "no connection in time" : type);
    return { kind: "never_sent", reason: `Braintree cannot be reached${why === "" ? "" : ` (${why})`}` };
  }
  return { kind: "lost", reason: explainLoss(trace) };
}

function explainLoss({ isLate, isTooLarge, status, errorCode }: Trace): string {
  if (isLate) return "Braintree did not answer in time";
  if (isTooLarge) return "Braintree's answer is larger than any true one";
  if (status !== null && status !== 200 && status !== 201 && status !== 422) return `Braintree answered HTTP ${status}`;
  if (status === null && errorCode !== null) return `the connection to Braintree broke (${errorCode})`;
  return "Braintree's answer cannot be read";
}
