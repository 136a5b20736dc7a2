import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { openTestSite, type TestSite } from "#test/site.ts";

let site: TestSite;
let lines: string[];
beforeEach(async () => {
  site = await openTestSite({ LOG_LEVEL: "warn", PUBLIC_URL: "https://give.example" });
  lines = [];
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
});
afterEach(() => site.close());

async function report(body: unknown, type = "application/csp-report", address = "203.0.113.7") {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  const request = { method: "POST", url: "/csp-reports", headers: { "content-type": type }, payload } as const;
  return (await site.app.inject({ ...request, remoteAddress: address })).statusCode;
}

const violation = (changes: object = {}) => ({
  "csp-report": {
    "document-uri": "https://give.example/applications/3f0c?key=secret",
    referrer: "https://give.example/login?email=amina@example.com",
    "effective-directive": "script-src-elem",
    "violated-directive": "script-src-elem",
    "original-policy": "default-src 'none'",
    "blocked-uri": "https://evil.example/steal.js?email=amina@example.com",
    "source-file": "https://give.example/assets/browser-x.js?a=b",
    "script-sample": "amina@example.com",
    disposition: "enforce",
    ...changes,
  },
});

async function countReports(disposition: string): Promise<number> {
  const { body } = await site.app.inject("/metrics");
  return Number(new RegExp(`^csp_reports_total\\{disposition="${disposition}"\\} (\\d+)$`, "m").exec(body)?.[1] ?? 0);
}

test("SEC-10: a violation is logged once without anything personal, and each report is counted", async () => {
  expect([await report(violation()), await report(violation())]).toEqual([204, 204]);
  expect(lines.map((line) => JSON.parse(line).csp)).toEqual([
    {
      page: "/applications",
      directive: "script-src-elem",
      blocked: "https://evil.example",
      source: "/assets/browser-x.js",
      disposition: "enforce",
    },
  ]);
  expect(lines.join()).not.toMatch(/secret|amina|3f0c/);
  expect(await countReports("enforce")).toBe(2);
});

test("SEC-10: report-only violations are told apart, and keywords and browser extensions stay as they are", async () => {
  const changes = {
    "effective-directive": undefined,
    "violated-directive": "require-trusted-types-for 'script'",
    "blocked-uri": "trusted-types-sink",
    "source-file": "chrome-extension://abc/secret.js",
    disposition: "report",
  };
  expect(await report(violation(changes))).toBe(204);
  expect(JSON.parse(lines[0]!).csp).toMatchObject({
    directive: "require-trusted-types-for",
    blocked: "trusted-types-sink",
    source: "chrome-extension:",
  });
  expect(await countReports("report")).toBe(1);
});

test("SEC-10: anything that is not a report, or is about another site, is dropped", async () => {
  for (const body of [
    "{",
    "[]",
    "null",
    { "csp-report": 7 },
    violation({ "document-uri": "https://other.example/" }),
  ]) {
    expect(await report(body)).toBe(204);
  }
  expect(await report("x".repeat(20_000))).toBe(413);
  expect(await report("a=b", "application/x-www-form-urlencoded")).toBe(415);
  expect(lines).toEqual([]);
  expect(await countReports("dropped")).toBe(5);
});

async function flood(reports: number, addressOf: (at: number) => string) {
  for (let at = 0; at < reports; at += 1) {
    await report(violation({ "blocked-uri": `https://e${at}.example/` }), undefined, addressOf(at));
  }
}

test("SEC-10: a flood from one address is dropped, fills no log and does not block other reports", async () => {
  await flood(100, () => "203.0.113.7");
  expect(await countReports("dropped")).toBe(80);
  expect(lines.length).toBe(20);
  await report(violation(), undefined, "198.51.100.1");
  expect(lines.length).toBe(21);
});

longTest("SEC-10: a flood from many addresses is dropped beyond what a process reads in a minute", async () => {
  await flood(300, (at) => `198.51.${at >> 8}.${at & 255}`);
  expect(await countReports("dropped")).toBe(100);
  expect(lines.length).toBe(100);
});
