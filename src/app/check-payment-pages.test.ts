import Fastify from "fastify";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { checkPaymentPages, type PageCheck } from "./check-payment-pages.ts";
import { hashOf } from "./rendering/script-files.ts";
import { watchPaymentPages } from "./watch-payment-pages.ts";

const code = Buffer.from("pay();");
const scripts = ["/assets/shell.js", "/assets/pay.js"].map((address) => ({
  address,
  integrity: hashOf(code),
  purpose: "takes the payment",
}));
const html = `<!doctype html><html><head><script type="importmap">{"integrity":{}}</script>
<script type="module" src="/assets/shell.js" integrity="${hashOf(code)}"></script>
<link rel="modulepreload" href="/assets/pay.js" integrity="${hashOf(code)}">
<script type="application/ld+json">{"name":"Donate"}</script></head><body><a href="/terms">Terms</a></body></html>`;
const headers = { "content-security-policy": "default-src 'none'; script-src 'self'", "x-frame-options": "DENY" };

type Plant = { html?: (html: string) => string; headers?: object; bytes?: Buffer; status?: number };

function check({ html: change = (same) => same, bytes = code, status = 200, ...plant }: Plant): Promise<string[]> {
  const pageCheck: PageCheck = {
    paths: ["/donation"],
    scripts,
    expect: async () => ({ status: 200, headers, html }),
    fetch: async (path) =>
      path === "/donation"
        ? { status, headers: { ...headers, ...plant.headers }, body: Buffer.from(change(html)) }
        : { status: 200, headers: {}, body: path === "/assets/pay.js" ? bytes : code },
  };
  return checkPaymentPages(pageCheck);
}
const plantHtml = (text: string) => check({ html: (page) => page.replace("</body>", `${text}</body>`) });

test("SEC-11: an unchanged page and data that browsers do not run raise no alarm", async () => {
  expect(await check({})).toEqual([]);
  expect(await check({ html: (page) => page.replace('"Donate"', '"Give"') })).toEqual([]);
});

test("SEC-11: an extra script, a changed byte, an inline script, a weakened policy and a frame raise the alarm", async () => {
  expect(await plantHtml('<script src="https://evil.example/x.js"></script>')).toEqual([
    "/donation: it has the script https://evil.example/x.js (classic, integrity none)",
    "/donation: the inventory of scripts does not have https://evil.example/x.js",
  ]);
  expect(await check({ bytes: Buffer.from("pay()!") })).toEqual([
    "/assets/pay.js: its bytes are not those of the build",
  ]);
  expect(await plantHtml("<script>steal()</script>")).toEqual([
    `/donation: it has an inline script (classic, ${hashOf("steal()")})`,
  ]);
  const weaker = { "content-security-policy": "default-src 'none'; script-src 'self' 'unsafe-inline'" };
  expect(await check({ headers: weaker })).toEqual(["/donation: the header content-security-policy is changed"]);
  expect(await plantHtml('<iframe src="https://evil.example/"></iframe>')).toEqual([
    "/donation: it has an element <iframe> to https://evil.example/",
  ]);
});

test.each([
  ["a handler", '<img src="/x" onerror="steal()">', /handler onerror/],
  ["an address that runs a script", '<a href=" javascript:steal()">x</a>', /href of <a> runs a script/],
  ["a base address", '<base href="https://evil.example/">', /<base>/],
  ["an address to go on to", '<meta http-equiv="refresh" content="0;url=//evil.example">', /<meta> for refresh/],
  ["a frame inside a picture", '<svg><foreignObject><iframe srcdoc="x"></iframe></foreignObject></svg>', /<iframe>/],
  [
    "the same script twice",
    `<script type="module" src="/assets/shell.js" integrity="${hashOf(code)}"></script>`,
    /it has/,
  ],
  ["a preloaded script", '<link rel="preload" as="script" href="https://evil.example/x.js">', /inventory/],
])("SEC-11: %s raises the alarm too", async (_, planted, text) => {
  expect((await plantHtml(planted)).join("\n")).toMatch(text);
});

test("SEC-11: missing parts and redirects raise the alarm", async () => {
  const [first, second] = await check({ html: (page) => page.replace(/integrity="[^"]+"/, "") });
  expect(first).toMatch(/it has the script \/assets\/shell.js \(module, integrity none\)/);
  expect(second).toMatch(/it lacks the script \/assets\/shell.js/);
  expect(await check({ status: 302 })).toEqual(["/donation: answered 302"]);
});

test("SEC-11: the alarm is logged and counted in the metrics, an unreachable page is no all-clear, and a closed site is not checked", async () => {
  const lines: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
  let planted = "";
  let isClosed = true;
  app.get("/donation", (_, reply) => reply.type("text/html").send(html));
  const front = Fastify();
  front.get("/donation", (_, reply) => reply.type("text/html").send(html + planted));
  front.get("/assets/:file", (_, reply) => reply.send(code));
  const publicUrl = await front.listen({ port: 0 });
  const registry = new Registry();
  const run = watchPaymentPages(app, { paths: ["/donation"], scripts, publicUrl, registry, isClosed: () => isClosed });
  const figure = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value;
  planted = "<p>This site is being set up.</p>";
  await run();
  expect(await figure("payment_page_checked_timestamp_seconds")).toBe(0);
  [isClosed, planted] = [false, ""];
  await run();
  expect(await figure("payment_page_differences")).toBe(0);
  planted = "<script>steal()</script>";
  await run();
  expect(await figure("payment_page_differences")).toBe(1);
  const checkedAt = await figure("payment_page_checked_timestamp_seconds");
  await front.close();
  await run();
  expect(await figure("payment_page_differences")).toBe(1);
  expect(await figure("payment_page_checked_timestamp_seconds")).toBe(checkedAt);
  const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /pages/.test(msg));
  expect(said.map(({ level }) => level)).toEqual([30, 50, 40]);
  expect(said[1]).toMatchObject({ alarm: "payment_pages", differences: [expect.stringContaining("an inline script")] });
  await app.close();
});
