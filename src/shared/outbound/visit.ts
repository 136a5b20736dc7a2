import { lookup } from "node:dns/promises";
import type { Agent, RequestOptions } from "node:http";
import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** What became of asking for an address on the internet. */
export type Visit =
  /** The status of the page to which all redirects lead. */
  | { readonly kind: "answered"; readonly status: number }
  /** Nobody is there: no such host, no connection, a certificate that browsers warn of, redirects without end. */
  | { readonly kind: "failed"; readonly reason: "no_host" | "no_connection" | "certificate" | "redirects" }
  /** It may not be asked for (another scheme or port, a password, no public address), or the answer cannot be read. */
  | { readonly kind: "unclear" };

type Address = { readonly address: string; readonly family: number };

/** How to reach the internet; tests have their own. */
export type Network = {
  readonly resolve: (host: string) => Promise<readonly Address[]>;
  /** Must make a new connection for each request, through the `lookup` of its options. */
  readonly agents?: { readonly http: Agent; readonly https: Agent };
};

const internet: Network = { resolve: (host) => lookup(host, { all: true }) };

const FOLLOW_MS = 10_000;
const MAX_REDIRECTS = 5;
const MAX_HEAD_BYTES = 16 * 1024;
const PORTS = new Set(["", "80", "443"]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

// An import reads all that they export, and so loads what `fetch` is made of (PERF-5).
const http = process.getBuiltinModule("node:http");
const https = process.getBuiltinModule("node:https");

class Unclear extends Error {}

/**
 * Asks for an address on the public internet, by HEAD, and by GET if that gets no good answer. Follows redirects; no body
 * is read. Each host's addresses are checked, and only these are connected to, so that no name and no redirect leads into
 * a private network. Never rejects for what the other side does.
 */
export async function visit(
  address: string,
  { userAgent, network = internet }: { userAgent: string; network?: Network },
): Promise<Visit> {
  const visited = await follow(address, "HEAD", { userAgent, network });
  const isRefused = visited.kind === "unclear" || (visited.kind === "answered" && visited.status >= 400);
  return isRefused ? follow(address, "GET", { userAgent, network }) : visited;
}

type Method = "HEAD" | "GET";
type Asking = { readonly userAgent: string; readonly network: Network };

async function follow(address: string, method: Method, asking: Asking): Promise<Visit> {
  const signal = AbortSignal.timeout(FOLLOW_MS);
  try {
    let url = URL.parse(address);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (url === null) return { kind: "unclear" };
      const { status, location } = await ask(url, { ...asking, method, signal });
      if (location === undefined || !REDIRECTS.has(status)) return { kind: "answered", status };
      url = URL.parse(location, url.href);
    }
    return { kind: "failed", reason: "redirects" };
  } catch (error) {
    const reason = reasons.get((error as { code?: unknown }).code);
    return reason === undefined ? { kind: "unclear" } : { kind: "failed", reason };
  }
}

/** By the code of the error. Others may be our own fault, or a refusal of programs. */
const reasons: ReadonlyMap<unknown, (Visit & { kind: "failed" })["reason"]> = new Map([
  ["ENOTFOUND", "no_host"],
  ["CERT_HAS_EXPIRED", "certificate"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate"],
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EAI_AGAIN", "ABORT_ERR"].map(
    (code) => [code, "no_connection"] as const,
  ),
]);

type Answer = { readonly status: number; readonly location: string | undefined };

/** @throws Unclear before anything is sent, or if a connection brings no answer; otherwise the error of the network. */
async function ask(
  url: URL,
  { method, signal, userAgent, network }: Asking & { method: Method; signal: AbortSignal },
): Promise<Answer> {
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  if (!isWeb || !PORTS.has(url.port) || url.username !== "" || url.password !== "") throw new Unclear();
  const addresses = await findPublicAddresses(url.hostname, { network, signal });
  const kind = url.protocol === "https:" ? "https" : "http";
  const options: RequestOptions = {
    method,
    signal,
    maxHeaderSize: MAX_HEAD_BYTES,
    // Connects to what was checked: a name that is resolved again may have another address by now.
    lookup: (_host, { all }, done) =>
      all ? done(null, [...addresses]) : done(null, addresses[0]!.address, addresses[0]!.family),
    agent: network.agents?.[kind] ?? false,
    headers: { "user-agent": userAgent, accept: "text/html,*/*;q=0.8" },
  };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = { http, https }[kind].request(url, options, (response) => {
    resolve({ status: response.statusCode!, location: response.headers.location });
    response.destroy();
  });
  let isConnected = false;
  sent.on("socket", (socket) => {
    // A site that stops need not wait for another's answer.
    socket.unref().once("connect", () => {
      isConnected = true;
    });
  });
  sent.on("error", (error: NodeJS.ErrnoException) => {
    const isBroken = isConnected && reasons.get(error.code) !== "certificate";
    reject(isBroken ? new Unclear() : error);
  });
  sent.end();
  return promise;
}

/** @throws Unclear if any address of the host is not public. */
async function findPublicAddresses(
  hostname: string,
  { network, signal }: { network: Network; signal: AbortSignal },
): Promise<readonly Address[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  // For an address, a connection would not call `lookup`.
  const family = isIP(host);
  const addresses = family === 0 ? await untilAborted(signal, network.resolve(host)) : [{ address: host, family }];
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) throw new Unclear();
  return addresses;
}

/** A name service that does not answer would hold the check up. */
function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(Object.assign(new Error("too late"), { code: "ABORT_ERR" }));
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener("abort", abort));
}
