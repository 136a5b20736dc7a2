import type { IncomingHttpHeaders } from "node:http";
import type { LedgerRow } from "./ledger.ts";

/** A request, read whole. */
export type Call = {
  readonly method: string;
  /** Without the query, and without a slash at the end. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** The answer, unless a fault breaks it. */
export type SimulatedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What a call is about, for matching fault rules. */
export type CallSubject = {
  readonly provider: LedgerRow["provider"];
  readonly op: string;
  readonly orderReference: string | null;
  readonly amountCents: number | null;
  readonly token: string | null;
};

export function json(status: number, value: unknown, headers: Record<string, string> = {}): SimulatedAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** User and password of HTTP Basic; both empty if the header is missing or of another kind. */
export function basicCredentials(headers: IncomingHttpHeaders): { user: string; password: string } {
  const [scheme, encoded = ""] = (headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() !== "basic") return { user: "", password: "" };
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon < 0
    ? { user: decoded, password: "" }
    : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
