import type { FastifyInstance } from "fastify";
import { Counter, type Registry } from "prom-client";
import { z } from "zod";
import { DAY_MS } from "#shared/day-length.ts";
import { subnetOf } from "#shared/http/client-address.ts";
import { CSP_REPORTS } from "./rendering/content-security-policy.ts";

const BODY_LIMIT = 16 * 1024;
const WINDOW_MS = 60_000;
const MAX_OF_ONE_ADDRESS = 20;
const MAX_IN_ALL = 200;
/** Different violations logged per day, each once; any further ones are only counted. */
const MAX_LOGGED = 100;

const Text = z.string().max(4000).optional().catch(undefined);
const Disposition = z.enum(["enforce", "report"]).catch("enforce");

/** The body that browsers send to `report-uri`. */
const Report = z.object({
  "csp-report": z.object({
    "document-uri": z.string().max(4000),
    "effective-directive": Text,
    "violated-directive": Text,
    "blocked-uri": Text,
    "source-file": Text,
    disposition: Disposition,
  }),
});

type Violation = Record<"page" | "directive" | "blocked" | "source" | "disposition", string>;

/**
 * Receives browsers' reports about the security policy (SEC-10). Anyone can send anything here, so only a few reports a
 * minute are read and the rest dropped unread. Each process logs each violation once a day, and only origins, names and
 * the first part of a path: never a query, a sample of the page or a visitor's address.
 */
export async function cspReports(app: FastifyInstance, { publicUrl, registry }: ReportOptions): Promise<void> {
  const count = new Counter({
    name: "csp_reports_total",
    help: "Reports of the content security policy: enforce, report (would have been refused), dropped (too many, or not ours)",
    labelNames: ["disposition"],
    registers: [registry],
  });
  const isTooMany = countInWindow();
  const logged = new Set<string>();
  let loggedUntil = 0;
  app.removeAllContentTypeParsers();
  const types = ["application/csp-report", "application/json"];
  app.addContentTypeParser(types, { parseAs: "string", bodyLimit: BODY_LIMIT }, (_, body, done) => done(null, body));
  app.addHook("onRequest", async (request, response) => {
    if (!isTooMany(subnetOf(request.ip))) return;
    count.inc({ disposition: "dropped" });
    return response.code(204).send();
  });
  const options = { schema: { hide: true } as object, logLevel: "warn" as const };
  app.post(CSP_REPORTS, options, async (request, response) => {
    const violation = readReport(String(request.body ?? ""), new URL(publicUrl).origin);
    count.inc({ disposition: violation?.disposition ?? "dropped" });
    if (Date.now() >= loggedUntil) {
      logged.clear();
      loggedUntil = Date.now() + DAY_MS;
    }
    const key = JSON.stringify(violation);
    if (violation !== null && !logged.has(key) && logged.size < MAX_LOGGED) {
      logged.add(key);
      request.log.warn({ csp: violation }, "a browser reported a violation of the content security policy");
    }
    return response.code(204).send();
  });
}

type ReportOptions = { readonly publicUrl: string; readonly registry: Registry };

/** Counts requests per network address for a minute. In memory, so that a flood writes nothing to the database. */
function countInWindow(): (address: string) => boolean {
  const counts = new Map<string, number>();
  let total = 0;
  let until = 0;
  return (address) => {
    if (Date.now() >= until) {
      counts.clear();
      total = 0;
      until = Date.now() + WINDOW_MS;
    }
    const ofAddress = (counts.get(address) ?? 0) + 1;
    if (ofAddress > MAX_OF_ONE_ADDRESS || total >= MAX_IN_ALL) return true;
    counts.set(address, ofAddress);
    total += 1;
    return false;
  };
}

/** A report about a page of this site without anything personal; null for anything else. */
function readReport(text: string, origin: string): Violation | null {
  const report = Report.safeParse(parse(text)).data?.["csp-report"];
  if (report === undefined || URL.parse(report["document-uri"])?.origin !== origin) return null;
  const directive = report["effective-directive"] ?? report["violated-directive"] ?? "";
  return {
    page: placeOf(report["document-uri"], origin),
    directive: /^[a-z-]{3,40}/.exec(directive)?.[0] ?? "",
    blocked: placeOf(report["blocked-uri"], origin),
    source: placeOf(report["source-file"], origin),
    disposition: report.disposition,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keywords such as 'inline' as they are; our addresses as a file or first part of the path; others as origin. */
function placeOf(named: string | undefined, origin: string): string {
  if (named === undefined || /^[a-z-]{0,40}$/.test(named)) return named ?? "";
  const url = URL.parse(named);
  if (url === null) return "other";
  if (url.origin !== origin) return url.origin === "null" ? url.protocol : url.origin;
  return /^\/(?:assets\/[\w.-]{1,80}|[\w-]{0,40})/.exec(url.pathname)?.[0] ?? "/";
}
