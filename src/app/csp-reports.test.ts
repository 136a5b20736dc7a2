import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSite, type TestSite } from "#test/site.ts";

let site: TestSite;
let lines: string[];
beforeEach(async () => {
  site = await openTestSite({ LOG_LEVEL: "warn", PUBLIC_URL: "https://give.example" });
  lines = [];
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
});
afterEach(() => site.close());

async function report(body: unknown, type = "application/reports+json", address = "203.0.113.7") {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  const request = { method: "POST", url: "/csp-reports", headers: { "content-type": type }, payload } as const;
  return (await site.app.inject({ ...request, remoteAddress: address })).statusCode;
}

const violation = (changes: object = {}) => [
  {
    type: "csp-violation",
    url: "https://give.example/applications/3f0c?key=secret",
    body: {
      documentURL: "https://give.example/applications/3f0c?key=secret",
      effectiveDirective: "script-src-elem",
      blockedURL: "https://evil.example/steal.js?email=amina@example.com",
      sourceFile: "https://give.example/assets/browser-x.js?a=b",
      sample: "amina@example.com",
      disposition: "enforce",
      ...changes,
    },
  },
];

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

test("SEC-10: browsers that know only report-uri are understood too", async () => {
  const old = {
    "csp-report": {
      "document-uri": "https://give.example/donation",
      "violated-directive": "require-trusted-types-for 'script'",
      "blocked-uri": "trusted-types-sink",
      "source-file": "chrome-extension",
      disposition: "report",
    },
  };
  expect(await report(old, "application/csp-report")).toBe(204);
  expect(JSON.parse(lines[0]!).csp).toMatchObject({ page: "/donation", directive: "require-trusted-types-for" });
  expect(await countReports("report")).toBe(1);
});

test("SEC-10: what is no report, or of another site, is dropped", async () => {
  for (const body of ["{", "[]", "null", { "csp-report": 7 }, violation({ documentURL: "https://other.example/" })]) {
    expect(await report(body)).toBe(204);
  }
  expect(await report("x".repeat(20_000))).toBe(413);
  expect(await report("a=b", "application/x-www-form-urlencoded")).toBe(415);
  expect(lines).toEqual([]);
  expect(await countReports("dropped")).toBe(5);
});

test("SEC-10: a flood from one address is refused, fills no log and silences nobody else", async () => {
  const answers = [];
  for (let at = 0; at < 100; at += 1) answers.push(await report(violation({ blockedURL: `https://e${at}.example/` })));
  expect(answers.filter((status) => status === 429)).toHaveLength(80);
  expect(lines.length).toBe(20);
  expect(await report(violation(), undefined, "198.51.100.1")).toBe(204);
  expect(lines.length).toBe(21);
});

test("SEC-10: a flood from many addresses is refused beyond what a process reads in a minute", async () => {
  const answers = [];
  for (let at = 0; at < 300; at += 1) {
    answers.push(
      await report(violation({ blockedURL: `https://e${at}.example/` }), undefined, `198.51.${at >> 8}.${at & 255}`),
    );
  }
  expect(answers.filter((status) => status === 429)).toHaveLength(100);
  expect(lines.length).toBe(100);
});
