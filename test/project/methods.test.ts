import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

let site: WholeSite;
let port: number;
beforeAll(async () => {
  site = await openWholeSite();
  await site.app.listen({ port: 0, host: "127.0.0.1" });
  port = (site.app.server.address() as AddressInfo).port;
});
afterAll(() => site.close());

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "LOCK", "QUERY"];
/** Bodies of every kind that a parser might refuse. */
const bodies: readonly { payload?: string; headers?: Record<string, string> }[] = [
  {},
  { payload: "{", headers: { "content-type": "application/json" } },
  { payload: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
  { payload: "x", headers: { "content-type": "no type" } },
  { payload: "--x\r\n", headers: { "content-type": "multipart/form-data; boundary=x" } },
  { payload: "x".repeat(70_000), headers: { "content-type": "text/plain" } },
];

/** A path that matches the route. */
const fill = (url: string) =>
  url
    .replace(/:n\(.*?\)|:id\(.*?\)/g, "1")
    .replace(/:country/, "1")
    .replace(/:\w+/g, "a")
    .replace("*", "x");

/** The methods that each path accepts; GET includes HEAD. */
function listPaths(): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const route of site.routes) {
    const [method = "", url = ""] = route.split(" ");
    const path = fill(url);
    paths.set(path, [...(paths.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  }
  return paths;
}

test("API-16: every path refuses other methods with 405 and names its own, whatever the body", async () => {
  const paths = listPaths();
  expect(paths.size).toBeGreaterThan(80);
  const faults: string[] = [];
  for (const [path, taken] of paths) {
    for (const [index, method] of methods.filter((one) => !taken.includes(one)).entries()) {
      const body = bodies[index % bodies.length];
      const { statusCode, headers } = await site.app.inject({ method: method as "PUT", url: path, ...body });
      const allow = String(headers.allow).split(", ");
      const isRight = statusCode === (method === "OPTIONS" ? 204 : 405);
      if (!isRight || taken.some((one) => !allow.includes(one)))
        faults.push(`${method} ${path}: ${statusCode} ${allow}`);
    }
  }
  expect(faults).toEqual([]);
});

test("API-16: an unknown path is 404 for every method, whatever the body", async () => {
  for (const path of ["/no-such-page", "/assets", "/api/nothing", "/images/a/b/c", "/webhooks/braintree", "/a%20b"]) {
    for (const [index, method] of methods.entries()) {
      const body = bodies[index % bodies.length];
      const { statusCode } = await site.app.inject({ method: method as "PUT", url: path, ...body });
      expect(statusCode, `${method} ${path}`).toBe(404);
    }
  }
});

test("API-16: a page that accepts no form says what to do, and a program gets the same status", async () => {
  const sent = await site.app.inject({
    method: "POST",
    url: "/contact",
    payload: "name=Amina",
    headers: bodies[2]!.headers!,
  });
  expect([sent.statusCode, sent.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect(sent.headers["content-type"]).toContain("text/html");
  expect(sent.body).toContain("go back, wait until the page has loaded, and send it again");
  expect(sent.body).not.toContain("incident");
});

test("API-16: refusals by static files and the provider's webhook have their own status, and are not failures of ours", async () => {
  site.lines.length = 0;
  const webhook = "/api/webhooks/braintree";
  const form = "application/x-www-form-urlencoded";
  const post = (type: string, payload: string) => ({
    method: "POST" as const,
    url: webhook,
    payload,
    headers: { "content-type": type },
  });
  const asked = [
    [{ url: "/favicon.ico", headers: { range: "bytes=90-99" } }, 416],
    [{ url: "/icons/favicon.ico", headers: { range: "bytes=90-99" } }, 416],
    [{ url: "/icons/favicon.ico", headers: { "if-match": '"x"' } }, 412],
    [{ url: "/icons/favicon.ico", headers: { range: "nonsense" } }, 200],
    [{ url: "/icons/" }, 404],
    [{ url: "/icons/%00" }, 404],
    [{ url: "/icons/..%2f..%2fpackage.json" }, 404],
    [{ url: "/icons/..%5c..%5cpackage.json" }, 404],
    [{ url: "/icons/.env" }, 404],
    [{ url: `/icons/${"a".repeat(5000)}` }, 404],
    [{ url: "/icons/favicon.ico/x" }, 404],
    [{ url: "/api/docs/static/..%2f..%2fpackage.json" }, 404],
    [{ url: "/images/%00" }, 404],
    [{ url: "/%E0%A4%A" }, 404],
    [{ url: webhook }, 400],
    [post("application/json", "{}"), 415],
    [post(form, "x".repeat(70_000)), 413],
    [post(form, "nonsense"), 403],
  ] as const;
  const faults: string[] = [];
  for (const [request, status] of asked) {
    const { statusCode } = await site.app.inject(request as { url: string });
    if (statusCode !== status) faults.push(`${JSON.stringify(request).slice(0, 120)}: ${statusCode}, not ${status}`);
  }
  expect(faults).toEqual([]);
  expect(site.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toEqual([]);
});

/** Sends raw bytes, and reads the status of the first answer. */
async function sendRaw(bytes: string): Promise<{ status: number; text: string }> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (data) => (text += data));
  socket.on("error", () => undefined);
  socket.write(bytes, "latin1");
  await once(socket, "close");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

test("API-16: malformed requests over a raw connection get a fitting status, or a closed connection", async () => {
  const host = "host: 127.0.0.1\r\nconnection: close\r\n";
  const asked: readonly [string, readonly number[]][] = [
    [`OPTIONS * HTTP/1.1\r\n${host}\r\n`, [204]],
    [`GET http://127.0.0.1/healthz HTTP/1.1\r\n${host}\r\n`, [200]],
    [`DELETE http://127.0.0.1/healthz?a=1 HTTP/1.1\r\n${host}\r\n`, [405]],
    [`GET http://127.0.0.1 HTTP/1.1\r\n${host}\r\n`, [200]],
    [`CONNECT 127.0.0.1:80 HTTP/1.1\r\n${host}\r\n`, [0, 400, 404, 405]],
    [`NONSENSE / HTTP/1.1\r\n${host}\r\n`, [400]],
    [`POST /contact HTTP/1.1\r\n${host}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`, [400]],
    [`POST /contact HTTP/1.1\r\n${host}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, [400]],
    [`POST /contact HTTP/1.1\r\n${host}expect: nonsense\r\ncontent-length: 1\r\n\r\nx`, [405, 417]],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, [431]],
    [`GET /${"a".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, [414, 431]],
    [`GET /login HTTP/1.1\r\n${host}upgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n`, [200]],
    ["GET / HTTP/1.1\r\n\r\n", [400]],
    ["\u0016\u0003\u0001", [400, 0]],
  ];
  for (const [bytes, statuses] of asked) {
    const { status, text } = await sendRaw(bytes);
    expect(statuses, `${bytes.slice(0, 60)}: ${text.slice(0, 200)}`).toContain(status);
  }
  expect((await sendRaw(`OPTIONS * HTTP/1.1\r\n${host}\r\n`)).text).toMatch(/^allow: .*GET/im);
});
