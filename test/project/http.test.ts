import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testCards } from "#simulators/control.ts";
import {
  createVisitor,
  newKey,
  openTestSite,
  type TestSite,
  type Visitor,
  wirePayment,
  wirePayPalPayment,
} from "../site.ts";
import { describeWire, isUpToDate, listCalls } from "../wire.ts";

let site: TestSite;
let visitor: Visitor;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_DECLINES: "100000", LOG_LEVEL: "trace" });
  // Log lines go here from now on, so that nothing is printed.
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  visitor = await site.visitor();
});
afterAll(() => site.close());

const lines: string[] = [];
const payment = "/api/payway-payment";
const token = "3f0c1a52-9a1e-4a3c-8a39-0a3a0e6c9a11";

type Sent = { method?: string; url?: string; headers?: Record<string, string>; payload?: string };

async function ask({ method = "POST", url = payment, headers = {}, payload }: Sent) {
  const request = { method: method as "POST", url, headers: { ...visitor.identity, ...headers } };
  const response = await site.app.inject(payload === undefined ? request : { ...request, payload });
  return { status: response.statusCode, headers: response.headers, body: response.body };
}

const json = (payload: string, headers = {}) => ({
  payload,
  headers: { "content-type": "application/json", ...headers },
});

/** The complete envelope of a refusal with this status. */
function expectRefusal(answer: { status: number; body: string }, status: number, error: string) {
  expect(answer.status).toBe(status);
  const envelope = JSON.parse(answer.body);
  expect(envelope).toMatchObject({ code: String(status), status: "false", error });
  expect(envelope.message).toMatch(/\.$|verification$/);
  expect(answer.body).not.toMatch(/\.ts:|node_modules|\\n +at /);
  return envelope;
}

async function countRows(): Promise<string> {
  const { rows } = await site.pool.query(
    `select (select count(*) from donations) || ' ' || (select count(*) from payment_attempts) || ' ' ||
       (select count(*) from captcha_uses) || ' ' || (select count(*) from pgboss.job) as counts`,
  );
  return rows[0].counts;
}

test("API-11: an unknown path below /api is 404 in the envelope", async () => {
  for (const url of ["/api/nothing", "/api/payments", "/api/payments/not-a-uuid", `/api/payments/${token}`]) {
    expectRefusal(await ask({ method: "GET", url }), 404, "not_found");
  }
});

test("API-11: a wrong method is 405 and names the right ones", async () => {
  const wrong = await ask({ method: "GET" });
  expectRefusal(wrong, 405, "wrong_method");
  expect(wrong.headers.allow).toBe("POST, OPTIONS");
  const other = await ask({ ...json("{}"), url: "/api/categories" });
  expectRefusal(other, 405, "wrong_method");
  expect(String(other.headers.allow)).toMatch(/GET/);
});

test("API-11: a body is 415 if it is not JSON, 413 if it is too large, and 400 if it cannot be parsed", async () => {
  expectRefusal(
    await ask({ payload: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }),
    415,
    "wrong_type",
  );
  expectRefusal(await ask({ payload: "<a/>", headers: { "content-type": "text/xml" } }), 415, "wrong_type");
  expectRefusal(await ask(json(JSON.stringify({ donorName: "x".repeat(70_000) }))), 413, "too_large");
  for (const text of [
    "{",
    "nonsense",
    '{"a":1,}',
    "\u0000",
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{}}}',
  ]) {
    expectRefusal(await ask(json(text)), 400, "malformed");
  }
  for (const text of ["[]", "7", '"text"', "true"]) expectRefusal(await ask(json(text)), 400, "malformed");
});

test("API-7: an empty body or null is an empty object, whose missing fields are named one by one", async () => {
  for (const text of ["", "{}", "null"]) {
    const { data } = expectRefusal(await ask(json(text)), 422, "invalid_input");
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining(["singleUseTokenId", "amount", "donor_email", "item_details"]),
    );
  }
});

test("API-8: a payment without the forgery token, with another's or with a made-up one is 403 and stores nothing", async () => {
  const stranger = await createVisitor(site.app);
  const [random = ""] = String(visitor.identity.cookie.split("=")[1]).split(".");
  const made = `${random}.${"A".repeat(22)}`;
  const before = await countRows();
  const headers = { "content-type": "application/json" };
  const payload = JSON.stringify(wirePayment(token, undefined));
  const forgeries: Record<string, string>[] = [
    {},
    { cookie: visitor.identity.cookie },
    { "x-xsrf-token": visitor.identity["x-xsrf-token"] },
    { cookie: visitor.identity.cookie, "x-xsrf-token": stranger.identity["x-xsrf-token"] },
    { cookie: `XSRF-TOKEN=${made}`, "x-xsrf-token": made },
    { cookie: "XSRF-TOKEN=", "x-xsrf-token": "" },
  ];
  for (const forged of forgeries) {
    const response = await site.app.inject({
      method: "POST",
      url: payment,
      headers: { ...headers, ...forged },
      payload,
    });
    expectRefusal({ status: response.statusCode, body: response.body }, 403, "csrf");
  }
  expect(await countRows()).toBe(before);
});

test("API-8: any GET below /api sets the token in a cookie that scripts can read and the browser's in one they cannot, and keeps valid ones", async () => {
  const first = await site.app.inject("/api/checkout");
  const [token] = first.cookies.filter(({ name }) => name === "XSRF-TOKEN");
  expect(token).toMatchObject({ path: "/", sameSite: "Lax" });
  expect(token).not.toHaveProperty("httpOnly");
  expect(first.cookies.find(({ name }) => name === "browser")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  expect((await ask({ method: "GET", url: "/api/checkout" })).headers["set-cookie"]).toBeUndefined();
});

test("API-11: deep nesting and huge numbers are refused like other bad input", async () => {
  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const bodies = [
    `{"item_details":${nested}}`,
    JSON.stringify(wirePayment(token, undefined, { item_details: nested })),
    JSON.stringify(wirePayment(token, undefined, { item_details: `[${'{"a":'.repeat(5000)}1${"}".repeat(5000)}]` })),
    `{"amount":1e400,"user_id":99999999999999999999999999}`,
    JSON.stringify(wirePayment(token, undefined, { user_id: "9".repeat(30) })),
    JSON.stringify(wirePayment(token, undefined, { amount: Number.MAX_VALUE })),
  ];
  for (const body of bodies) expectRefusal(await ask(json(body)), 422, "invalid_input");
});

/** Values to send in a field, most of the wrong type. */
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.double(),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    "0",
    -1,
    0,
    1e21,
    "NaN",
    "\u0000",
    "\ud800",
    "a\r\nb: c",
    "'; drop table donations; --",
  ),
  fc.constantFrom<unknown>(
    "<script>alert(1)</script>",
    "{{7*7}}",
    "../../etc/passwd",
    "__proto__",
    [],
    [[]],
    {},
    "[null]",
    '[{"quantity":1e9}]',
  ),
);
const fields = Object.keys(wirePayment(token, "captcha"));
const lineFields = Object.keys(JSON.parse(wirePayment(token, undefined).item_details)[0]);

test("API-11: 600 payments with any value in any field never get a 5xx, always the envelope, and store nothing", async () => {
  const before = await countRows();
  const inLine = fc.record({ field: fc.constantFrom(...lineFields), value: strange }).map(({ field, value }) => {
    const [line] = JSON.parse(wirePayment(token, undefined).item_details);
    return { item_details: JSON.stringify([{ ...line, [field]: value }]) };
  });
  const onTop = fc
    .record({ field: fc.constantFrom(...fields), value: strange })
    .map(({ field, value }) => ({ [field]: value }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(onTop, inLine), async (changes) => {
      const { status, body } = await ask(json(JSON.stringify(wirePayment(token, undefined, changes)), newKey()));
      expect([400, 403, 422]).toContain(status);
      expect(JSON.parse(body)).toMatchObject({ code: String(status), status: "false", error: expect.any(String) });
    }),
    { seed: 20_261_121, numRuns: 600 },
  );
  expect(await countRows()).toBe(before);
});

test("API-11: 300 PayPal payments with any value in any field, and continued payments with any id, never get a 5xx and store nothing", async () => {
  const before = await countRows();
  const nonce = "a-nonce-that-nobody-made";
  const names = Object.keys(wirePayPalPayment(nonce, "captcha")).filter((name) => name !== "payload");
  const changed = fc.record({ field: fc.constantFrom(...names), value: strange }).map(({ field, value }) => ({
    url: "/api/payment",
    body: wirePayPalPayment(nonce, undefined, { [field]: value }),
  }));
  const goingOn = fc
    .record({ id: strange, abandoned: strange })
    .map((body) => ({ url: "/api/payway-3ds", body: body as object }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, goingOn), async ({ url, body: sent }) => {
      const { status, body } = await ask({ ...json(JSON.stringify(sent), newKey()), url });
      expect([400, 403, 422]).toContain(status);
      expect(JSON.parse(body)).toMatchObject({ code: String(status), status: "false", error: expect.any(String) });
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
  expect(await countRows()).toBe(before);
});

test("API-11: bytes that are not text, and headers of any kind, never get a 5xx", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 40 }), async (bytes, key) => {
      const headers = {
        ...visitor.identity,
        "content-type": "application/json",
        "idempotency-key": key.replace(/[^\x20-\x7e]/g, "?"),
      };
      const response = await site.app.inject({ method: "POST", url: payment, headers, payload: Buffer.from(bytes) });
      expect(response.statusCode).toBeLessThan(500);
      expect(response.json()).toMatchObject({ status: "false" });
    }),
    { seed: 7, numRuns: 200 },
  );
});

test("API-1: every declared call is mounted, and docs/wire.md says what the contracts say", async () => {
  const calls = await listCalls();
  expect(calls.length).toBeGreaterThan(4);
  for (const { method, path } of calls) {
    expect(site.app.hasRoute({ method, url: `/api${path.replace(/\{(\w+)\}/g, ":$1")}` }), path).toBe(true);
  }
  const wire = await describeWire();
  expect(wire).toContain("| `donor_first_name` | `firstName` |");
  expect(wire).toContain("Query:\n\n| wire | ours | form |\n|---|---|---|\n| `email` | the same | string");
  expect(await isUpToDate(), "run `npm run wire`").toBe(true);
});

test("API-10: OpenAPI 3.1 describes every declared call from the schemas that validate it, and can be browsed", async () => {
  const { openapi, paths } = (await site.app.inject("/api/openapi.json")).json();
  expect(openapi).toBe("3.1.0");
  for (const { method, path, summary } of await listCalls()) {
    expect(paths[`/api${path}`]?.[method.toLowerCase()], path).toMatchObject({ summary });
  }
  const body = paths["/api/payway-payment"].post.requestBody.content["application/json"].schema;
  expect(Object.keys(body.properties).sort(), "add it to wirePayment in test/site.ts").toEqual(
    [...fields, "repeat"].sort(),
  );
  const { parameters } = paths["/api/captcha"].get;
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(["action", "effort"]);
  const summary = paths["/api/donation-summary-pdf"].post.responses["200"].content["application/json"].schema;
  expect(summary.properties).toHaveProperty("url");
  const page = await site.app.inject("/api/docs/");
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-type"]).toMatch("text/html");
});

test("REL-4: the site is alive and ready, but not ready while the database lacks a migration", async () => {
  expect((await site.app.inject("/healthz")).json()).toEqual({ status: "alive" });
  expect((await site.app.inject("/readyz")).json()).toEqual({ status: "ready" });
  const { rows } = await site.pool.query(
    "delete from migrations where name = (select max(name) from migrations) returning *",
  );
  try {
    const response = await site.app.inject("/readyz");
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ status: "the database is not migrated" });
    expect(response.headers["retry-after"]).toBe("2");
    expect((await site.app.inject("/healthz")).statusCode).toBe(200);
  } finally {
    await site.pool.query("insert into migrations values ($1, $2)", [rows[0].name, rows[0].applied_at]);
  }
});

test("REL-4: metrics count requests, payments and jobs, and are only for this machine or with the token", async () => {
  await site.give(visitor);
  const { body, headers } = await site.app.inject("/metrics");
  expect(headers["content-type"]).toMatch("text/plain");
  expect(body).toMatch(/^http_request_seconds_count\{.*route="\/api\/payway-payment".*\} \d+$/m);
  expect(body).toMatch(/^payments\{state="succeeded"\} [1-9]/m);
  expect(body).toMatch(/^jobs\{state="waiting"\} \d/m);
  expect(body).toMatch(/^payments_oldest_open_seconds 0$/m);
  expect((await site.app.inject({ url: "/metrics", remoteAddress: "203.0.113.9" })).statusCode).toBe(404);
});

test("REL-4: the log of a whole donation, paid and declined, has no personal data or secrets", async () => {
  const somebody = await site.visitor("198.51.100.77");
  lines.length = 0;
  const changes = {
    donorName: "Zulaikha Quraishi",
    donor_first_name: "Zulaikha",
    donor_last_name: "Quraishi",
    repeat: true,
  };
  const paid = await site.give(somebody, { changes });
  const declined = await site.give(somebody, { changes, card: testCards.declined });
  const byPayPal = await site.givePayPal(somebody, { changes });
  const refused = await site.givePayPal(somebody, { changes, kind: "card" });
  expect([paid, declined, byPayPal, refused].map(({ answer }) => answer.code)).toEqual(["200", "402", "200", "402"]);
  const { clientToken } = (await somebody.ask({ url: "/api/generateToken" })).json();
  await ask({
    url: "/api/webhooks/braintree",
    payload: "bt_signature=forged-by-somebody&bt_payload=c2VjcmV0LXBheWxvYWQ%3D",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await site.app.inject({ url: paid.answer.data.receiptUrl, remoteAddress: "198.51.100.77" });
  await ask(json(JSON.stringify(wirePayment(token, "x", { donor_email: "not an address of zulaikha" }))));
  expect(lines.filter((line) => line.includes('"answered"')).length).toBeGreaterThan(3);
  for (const line of lines) JSON.parse(line);
  const secrets = [
    "Zulaikha",
    "Quraishi",
    "amina@example.com",
    "2144",
    "198.51.100.77",
    "zulaikha",
    paid.body.singleUseTokenId,
    declined.body.singleUseTokenId,
    paid.body.captcha,
    somebody.identity["x-xsrf-token"],
    paid.key["idempotency-key"],
    site.config.secretKey,
    site.config.payway.secretKey,
    "key=",
    testCards.approved.number,
    testCards.declined.number,
    byPayPal.body.braintree_nonce,
    refused.body.braintree_nonce,
    clientToken,
    site.config.braintree.privateKey,
    "forged-by-somebody",
    "c2VjcmV0LXBheWxvYWQ",
  ];
  // A time may contain the digits of a postcode.
  const log = lines.join("").replace(/"time":\d+/g, "");
  for (const secret of secrets) expect(log).not.toContain(String(secret));
});
