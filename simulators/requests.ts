import type { IncomingHttpHeaders } from "node:http";
import type { Call, CallSubject } from "./exchange.ts";

const KEPT = 20_000;
/** By their last part, if fields are nested. */
const SECRET_FIELDS = new Set([
  "cardNumber",
  "cvn",
  "cardholderName",
  "expiryDateMonth",
  "expiryDateYear",
  "singleUseTokenId",
  "payment_method_nonce",
  "device_data",
  "authorizationFingerprint",
]);

/** The card tokens and nonces in a path. */
const SECRET_IN_PATH = /(\/(?:single-use-tokens|payment_method_nonces)\/)[^/]+/;

/** One call as `GET /__sim/requests` shows it, never with a key, card or token. */
export type LoggedRequest = {
  readonly at: string;
  readonly provider: string;
  readonly op: string;
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  /** The fields of the body; JSON fields have their full name, such as `transaction.order_id`. */
  readonly form: Record<string, string>;
  readonly fault: string | null;
  /** Null during the call, and for good if its socket was reset or left hanging. */
  status: number | null;
};

export type RequestLog = {
  add(call: Call, subject: CallSubject, fault: string | null, at: number): LoggedRequest;
  list(): readonly LoggedRequest[];
};

/** Keeps the latest 20,000 calls. */
export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  return {
    add(call, subject, fault, at) {
      const request: LoggedRequest = {
        at: new Date(at).toISOString(),
        provider: subject.provider,
        op: subject.op,
        method: call.method,
        path: call.path.replace(SECRET_IN_PATH, "$1[removed]"),
        query: withoutSecretFields([...call.query]),
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
  const type = call.headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded"))
    return withoutSecretFields([...new URLSearchParams(call.body)]);
  return type.startsWith("application/json") ? withoutSecretFields(fieldsOfJson(call.body)) : {};
}

function withoutSecretFields(fields: [string, string][]): Record<string, string> {
  const isSecret = (name: string) => SECRET_FIELDS.has(name.split(".").at(-1) ?? name);
  return Object.fromEntries(fields.map(([name, value]) => [name, isSecret(name) ? "[removed]" : value]));
}

function fieldsOfJson(body: string): [string, string][] {
  try {
    return flatten("", JSON.parse(body));
  } catch {
    return [];
  }
}

function flatten(name: string, value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  if (Array.isArray(value)) return [[name, value.join(",")]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(name === "" ? key : `${name}.${key}`, inner));
}
