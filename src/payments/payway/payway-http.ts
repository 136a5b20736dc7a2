import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";

type PaywayConnection = {
  /** The REST base with its path, such as `https://api.payway.com.au/rest/v1`. */
  readonly url: string;
  readonly secretKey: string;
  /** For one HTTP call, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
};

export type PaywayOptions = PaywayConnection & {
  readonly merchantId: string;
  /** Whether a search without a hit proves that nothing was charged: true for the simulator, never for PayWay. */
  readonly searchIsAuthoritative: boolean;
  /** 3-D Secure; null while it is off. `path` is the last part of its address. */
  readonly authentication: { readonly path: string } | null;
};

/** The answer, or why there is none. `body` is null if it broke off or was too large. */
export type PaywayReply =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterMs?: number; readonly body: string | null }
  | { readonly kind: "never_sent" | "lost" | "broken"; readonly reason: string };

const MAX_BODY_BYTES = 256 * 1024;
const MAX_RETRY_AFTER_MS = 20_000;
const CONNECT_MS = 10_000;
/** Shorter than servers keep a quiet connection, so that none is closed just when a charge is sent on it. */
const QUIET_MS = 4000;
const CONNECT_TIMEOUT = "CONNECT_TIMEOUT";
const ANSWER_TIMEOUT = "ANSWER_TIMEOUT";
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", CONNECT_TIMEOUT]);
const LOST_ON_THE_WAY = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);

// An import would read all of their exports, and so load undici at each start (PERF-5).
const http = process.getBuiltinModule("node:http");
const https = process.getBuiltinModule("node:https");
const keeping = { keepAlive: true, timeout: QUIET_MS } as const;
const agents = { http: new http.Agent(keeping), https: new https.Agent(keeping) };

type Request = {
  readonly method: "GET" | "POST";
  readonly body?: URLSearchParams | string;
  readonly headers?: Record<string, string>;
};

/** Makes one HTTP call, without redirects or retries. Never rejects for network errors. */
export async function exchange(connection: PaywayConnection, path: string, request: Request): Promise<PaywayReply> {
  const sent = send(connection, path, request);
  const giveUp = (code: string) => sent.destroy(Object.assign(new Error("too late"), { code }));
  const timers = [
    setTimeout(() => isConnected(sent) || giveUp(CONNECT_TIMEOUT), CONNECT_MS),
    setTimeout(giveUp, connection.timeoutMs, ANSWER_TIMEOUT),
  ];
  try {
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const retryAfterMs = readRetryAfter(response.headers["retry-after"]);
    const later = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { kind: "answered", status: response.statusCode!, ...later, body: await readBody(response) };
  } catch (error) {
    return explainFailure(error);
  } finally {
    timers.forEach(clearTimeout);
  }
}

/** Uses `node:http`, because `fetch` takes twice as much time of the thread that answers. */
function send({ url, secretKey }: PaywayConnection, path: string, { method, body, headers }: Request): ClientRequest {
  const isSecure = url.startsWith("https:");
  const sent = (isSecure ? https : http).request(url + path, {
    method,
    agent: isSecure ? agents.https : agents.http,
    headers: {
      accept: "application/json",
      authorization: `Basic ${Buffer.from(`${secretKey}:`).toString("base64")}`,
      ...(body instanceof URLSearchParams ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      ...headers,
    },
  });
  // An error may also come while the answer is read, which then breaks off.
  sent.on("error", () => undefined);
  return sent.end(body?.toString());
}

function isConnected({ socket }: ClientRequest): boolean {
  return (
    socket !== null &&
    !socket.connecting &&
    (socket as TLSSocket & { secureConnecting?: boolean }).secureConnecting !== true
  );
}

/** Which network errors prove that nothing was sent, and which don't. */
function explainFailure(error: unknown): PaywayReply {
  const { code } = error as { code?: unknown };
  if (code === ANSWER_TIMEOUT) return { kind: "lost", reason: "PayWay did not answer in time" };
  if (typeof code === "string" && NEVER_SENT.has(code)) {
    return { kind: "never_sent", reason: `PayWay cannot be reached (${code})` };
  }
  if (typeof code === "string" && LOST_ON_THE_WAY.has(code)) {
    return { kind: "lost", reason: `the connection to PayWay broke (${code})` };
  }
  return { kind: "broken", reason: "the call to PayWay failed for an unknown reason" };
}

/** Null if the answer breaks off, takes too long or is too large. */
async function readBody(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Seconds or a date, as milliseconds from now, at most 20 s. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

export function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}
