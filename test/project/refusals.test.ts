import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { logOutCall } from "#features/accounts/contract.ts";
import type { Route } from "#shared/contract/route.ts";
import { describeRoute } from "#shared/http/describe-route.ts";
import { longTest } from "#test/long-test.ts";
import { formType, textParts, writeForm } from "../application-form.ts";
import { openMember } from "../member.ts";
import type { Visitor } from "../site.ts";
import { listCalls } from "../wire.ts";
import { matrix } from "./authorisation-matrix.ts";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

let site: WholeSite;
let guest: Visitor;
let calls: readonly Route[];
beforeAll(async () => {
  // Zod's text, which shows where we have no sentence of our own.
  z.config({ localeError: () => "zod's own words" });
  site = await openWholeSite({ LIMITS_LOGINS: "100000", LIMITS_LOGINS_PER_ADDRESS: "100000" });
  guest = await site.visitor();
  calls = await listCalls();
});
afterAll(() => site.close());

const json = "application/json";
const urlOf = ({ path }: Route, id = "3f0c1a52-9a1e-4a3c-8a39-0a3a0e6c9a11") => `/api${path.replace(/\{\w+\}/g, id)}`;
const routeOf = ({ method, path }: Route) => `${method} /api${path.replace(/\{(\w+)\}/g, ":$1")}`;
const without = (visitor: Visitor) => ({ cookie: visitor.identity.cookie });

async function send(method: string, url: string, payload: string | Buffer, headers: Record<string, string>) {
  const request = { method: method as "POST", url, headers, remoteAddress: "203.0.113.7" };
  const response = await site.app.inject(method === "GET" ? request : { ...request, payload });
  return { status: response.statusCode, headers: response.headers, body: response.body };
}

// ---- Sentences (API-14) --------------------------------------------------------------------------------------------

const long = "x".repeat(6000);
const lineNames = ["donation_type", "donation_type_option", "quantity", "donation_amount", "donation_shared_name"];
const lineNamed = (value: unknown) => JSON.stringify([Object.fromEntries(lineNames.map((name) => [name, value]))]);
/** Values of wrong types, wrong options, and too long or too short. */
const values: readonly unknown[] = [
  null,
  7,
  -1.5,
  1e300,
  true,
  "",
  "x",
  "-",
  long,
  "\u0000",
  [],
  [null],
  [{}],
  [7],
  ["x"],
  {},
  { a: 1 },
  Array(200).fill({}),
  [{ type: 7, quantity: "x" }],
  [{ type: long, quantity: -1 }],
  { id: 7, key: 7 },
  "[",
  "{}",
  "[]",
  "[{}]",
  "[7]",
  lineNamed(null),
  lineNamed("x"),
  lineNamed(-1.5),
  lineNamed(long),
  lineNamed([]),
];

const namesIn = (described: unknown) =>
  Object.keys((described as { properties?: object } | undefined)?.properties ?? {});

/** Requests without any field, or with one value in every field. */
function listBad(call: Route): { url: string; payload: string | Buffer; type: string }[] {
  const { body, querystring } = describeRoute(call);
  const [names, asked] = [namesIn(body), namesIn(querystring)];
  const fill = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  const texts = values.filter((value): value is string => typeof value === "string");
  const query = (value: string) => `?${asked.map((name) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
  const url = urlOf(call);
  if (call.files !== undefined) {
    const form = (fields: Record<string, string>) => ({ url, payload: writeForm(textParts(fields)), type: formType });
    return [form({}), ...texts.map((text) => form(fill(text) as Record<string, string>))];
  }
  return [
    { url, payload: "{}", type: json },
    ...values.map((value) => ({ url, payload: JSON.stringify(fill(value)), type: json })),
    ...texts.map((text) => ({ url: url + query(text), payload: "{}", type: json })),
    { url: `${url}${query("x")}&${query("y").slice(1)}`, payload: "{}", type: json },
  ];
}

const notOurs =
  /zod's own|expected|received|invalid (?!email format)|too (big|small)|unrecogni|^must|undefined|NaN|\[object/i;

longTest(
  "API-14: each missing field, wrong type or unknown option of any call is refused with a sentence that says what to do",
  async () => {
    const { visitor } = await openMember(site);
    const faults = new Set<string>();
    const refused = new Set<string>();
    for (const call of calls.filter(({ path }) => path !== logOutCall.path)) {
      for (const { url, payload, type } of listBad(call)) {
        const answer = await send(call.method, url, payload, { ...visitor.identity, "content-type": type });
        expect(answer.status, `${routeOf(call)}: ${answer.body}`).toBeLessThan(500);
        if (answer.status !== 422) continue;
        const { error, message, data = {} } = JSON.parse(answer.body);
        if (error === "invalid_input") refused.add(routeOf(call));
        const said = [message, ...Object.values<string[]>(data).flat()];
        for (const sentence of said) {
          const isPlain = sentence.length < 200 && /^[A-Z]|^confirmPassword/.test(sentence) && !notOurs.test(sentence);
          if (!isPlain) faults.add(`${routeOf(call)}: ${sentence}`);
        }
      }
    }
    expect([...faults]).toEqual([]);
    // Every call whose body can be wrong has refused something.
    const takes = calls.filter((call) => namesIn(describeRoute(call).body).length > 0).map(routeOf);
    expect(takes.filter((route) => !refused.has(route))).toEqual([]);
    expect(takes.length).toBeGreaterThan(20);
  },
);

test("API-14: negative control: the search for zod's own text finds it", () => {
  expect(z.object({ a: z.string() }).safeParse({}).error!.issues[0]!.message).toBe("zod's own words");
  for (const words of [
    "Invalid option: expected one of",
    "Invalid input: expected string, received undefined",
    "Too big",
  ]) {
    expect(words).toMatch(notOurs);
  }
});

// ---- Without a session (API-15) -----------------------------------------------------------------------------------

test("API-15: a call that needs a session is 401 without one, whatever is sent, with and without the forgery token", async () => {
  const needing = calls.filter(({ needsSession }) => needsSession);
  const bodies: [string, string][] = [
    ["{}", json],
    ["{", json],
    ['{"user_id":"x"}', json],
    [`{"a":"${"x".repeat(70_000)}"}`, json],
    ["a=1", "application/x-www-form-urlencoded"],
  ];
  for (const call of needing) {
    for (const headers of [guest.identity, {}]) {
      for (const [payload, type] of bodies) {
        const answer = await send(call.method, `${urlOf(call)}?limit=x`, payload, { ...headers, "content-type": type });
        expect(`${answer.status} ${JSON.parse(answer.body).error}`, `${routeOf(call)}: ${type}`).toBe(
          "401 not_signed_in",
        );
      }
    }
  }
  // Exactly the calls that answer 401 to a guest in the matrix are declared so.
  const declared = needing.map(routeOf).sort();
  const rows = matrix.filter(({ guest: text }) => text === "401 not_signed_in").map(({ route }) => route);
  expect([...new Set(rows)].filter((route) => route !== "GET /api/my-data").sort()).toEqual(declared);
  expect(declared.length).toBeGreaterThan(10);
});

// ---- What is wrong with a request, before the forgery token (API-8, API-11) -------------------------------------------

test("API-8, API-11: without a forgery token a wrong method is still 405, bad JSON 400, too much 413, another type 415", async () => {
  const { visitor } = await openMember(site);
  const check = async (call: Route, headers: Record<string, string>) => {
    const about = routeOf(call);
    const ask = async (payload: string, type = json, method = "POST") => {
      const { status, body } = await send(method, urlOf(call), payload, { ...headers, "content-type": type });
      return `${status} ${JSON.parse(body).error}`;
    };
    expect(await ask("{}", json, "DELETE"), about).toBe("405 wrong_method");
    expect(await ask("{", json, "PUT"), about).toBe("405 wrong_method");
    if (call.method === "GET") return expect(await ask("{", json), about).toBe("405 wrong_method");
    const isForm = call.files !== undefined;
    expect(await ask("<a/>", "text/xml"), about).toBe("415 wrong_type");
    if (isForm) return expect(await ask("{}"), about).toBe("415 wrong_type");
    expect(await ask("{"), about).toBe("400 malformed");
    expect(await ask(`{"a":"${"x".repeat(70_000)}"}`), about).toBe("413 too_large");
  };
  for (const call of calls) await check(call, call.needsSession ? without(visitor) : {});
  expect((await send("POST", "/api/nothing", "{", { "content-type": json })).status).toBe(404);
});

test("API-14: only payments say that nothing was charged", async () => {
  const mayCharge = /payment|payway|generateToken/;
  const others = calls.filter(({ method, path }) => method === "POST" && !mayCharge.test(path));
  expect(others.length).toBeGreaterThan(20);
  for (const call of others) {
    for (const headers of [{}, guest.identity]) {
      const { body } = await send("POST", urlOf(call), "{}", { ...headers, "content-type": json });
      expect(body, routeOf(call)).not.toMatch(/charged/i);
    }
  }
});

// ---- Addresses that cannot be read (NAV-8) ----------------------------------------------------------------------------

test("NAV-8, API-11: an address that cannot be decoded is 404, as a page or in the envelope", async () => {
  const broken = [
    "/%E0%A4%A",
    "/%",
    "/%zz",
    "/events/%E0%A4%A",
    "/news/%c3%28",
    "/assets/%E0%A4%A",
    "/donation%",
    "/%ff?x=1",
  ];
  for (const method of ["GET", "POST"]) {
    for (const url of [...broken, "/sharing/%E0%A4%A.png", "/images/%80/480.webp", "/receipts/%E0"]) {
      const answer = await send(method, url, "a=1", { "content-type": "application/x-www-form-urlencoded" });
      expect(answer.status, `${method} ${url}: ${answer.body.slice(0, 200)}`).toBe(404);
      expect(answer.headers["content-type"], url).toMatch("text/html");
      expect(answer.headers["x-content-type-options"], url).toBe("nosniff");
      expect(answer.body, url).toContain("We couldn’t find that page");
    }
    for (const url of ["/api/%E0%A4%A", "/api/state/%E0%A4%A", "/api/payments/%"]) {
      const answer = await send(method, url, "{}", { "content-type": json });
      expect(answer.status, url).toBe(404);
      expect(JSON.parse(answer.body), url).toMatchObject({ code: "404", status: "false", error: "not_found" });
    }
  }
});

test("NAV-8, API-16: anything posted to a page's address gets a page that says what to do, and is never a failure of ours", async () => {
  for (const url of ["/login", "/donation", "/no/such/page", "/"]) {
    for (const [payload, type] of [
      ["a=1", "application/x-www-form-urlencoded"],
      ["{", json],
      [`{"a":"${"x".repeat(70_000)}"}`, json],
    ] as const) {
      const answer = await send("POST", url, payload, { "content-type": type });
      expect(answer.status, `${url} ${type}`).toBe(url === "/no/such/page" ? 404 : 405);
      expect(answer.headers["content-type"], url).toMatch("text/html");
    }
  }
});
