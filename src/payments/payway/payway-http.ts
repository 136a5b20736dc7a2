export type PaywayConnection = {
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

const LARGEST_BODY = 256 * 1024;
const LONGEST_RETRY_AFTER_MS = 20_000;
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
const LOST_ON_THE_WAY = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

type Request = {
  readonly method: "GET" | "POST";
  readonly body?: URLSearchParams | string;
  readonly headers?: Record<string, string>;
};

/** Makes one HTTP call, without redirects or retries. Never rejects for network errors. */
export async function exchange(connection: PaywayConnection, path: string, request: Request): Promise<PaywayReply> {
  let response: Response;
  try {
    response = await fetch(connection.url + path, {
      ...request,
      redirect: "error",
      signal: AbortSignal.timeout(connection.timeoutMs),
      headers: {
        accept: "application/json",
        authorization: `Basic ${Buffer.from(`${connection.secretKey}:`).toString("base64")}`,
        ...request.headers,
      },
    });
  } catch (error) {
    return explainFailure(error);
  }
  const retryAfterMs = readRetryAfter(response.headers.get("retry-after"));
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { kind: "answered", status: response.status, ...later, body: await readBody(response) };
}

/** Which network errors prove that nothing was sent, and which don't; measured with Node's fetch. */
function explainFailure(error: unknown): PaywayReply {
  if (error instanceof Error && error.name === "TimeoutError") {
    return { kind: "lost", reason: "PayWay did not answer in time" };
  }
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  if (typeof code === "string" && NEVER_SENT.has(code)) {
    return { kind: "never_sent", reason: `PayWay cannot be reached (${code})` };
  }
  if (typeof code === "string" && LOST_ON_THE_WAY.has(code)) {
    return { kind: "lost", reason: `the connection to PayWay broke (${code})` };
  }
  return { kind: "broken", reason: "the call to PayWay failed for an unknown reason" };
}

/** Null if the answer breaks off, takes too long or is too large. */
async function readBody(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > LARGEST_BODY) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Seconds or a date, as milliseconds from now, at most 20 s. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

export function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}
