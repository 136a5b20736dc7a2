import type { IncomingHttpHeaders } from "node:http";
import type { Call, Subject } from "./exchange.ts";

const KEPT = 20_000;
const SECRET_FIELDS = new Set([
  "cardNumber",
  "cvn",
  "cardholderName",
  "expiryDateMonth",
  "expiryDateYear",
  "singleUseTokenId",
]);

/** One call as `GET /__sim/requests` shows it: no key, card or token ever stands here. */
export type LoggedRequest = {
  readonly at: string;
  readonly provider: string;
  readonly op: string;
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly form: Record<string, string>;
  readonly fault: string | null;
  /** Null while the call is under way, and for ever when its socket was reset or left to hang. */
  status: number | null;
};

export type RequestLog = {
  add(call: Call, subject: Subject, fault: string | null, at: number): LoggedRequest;
  list(): readonly LoggedRequest[];
};

/** Remembers the latest 20,000 calls. */
export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  return {
    add(call, subject, fault, at) {
      const request: LoggedRequest = {
        at: new Date(at).toISOString(),
        provider: subject.provider,
        op: subject.op,
        method: call.method,
        path: call.path,
        query: Object.fromEntries(call.query),
        headers: withoutSecrets(call.headers),
        form: formOf(call),
        fault,
        status: null,
      };
      requests.push(request);
      if (requests.length > KEPT) requests.shift();
      return request;
    },
    list: () => requests,
  };
}

function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === "authorization" || name === "cookie" ? "[removed]" : String(value),
    ]),
  );
}

function formOf(call: Call): Record<string, string> {
  if (!(call.headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded")) return {};
  return Object.fromEntries(
    [...new URLSearchParams(call.body)].map(([name, value]) => [name, SECRET_FIELDS.has(name) ? "[removed]" : value]),
  );
}
