import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { testCards } from "#simulators/control.ts";
import { PASSWORD, registerUser } from "../accounts.ts";
import { newKey, openTestSite, shortProviderWait, type TestSite, wirePayment } from "../site.ts";
import { describeWire } from "../wire.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite(shortProviderWait);
});
afterAll(() => site.close());

/** The described path, which may have a parameter where this one has a value. */
function findPath(paths: Paths, path: string): Paths[string] {
  const matches = (described: string) => new RegExp(`^${described.replace(/\{\w+\}/g, "[^/]+")}$`).test(`/api${path}`);
  return paths[`/api${path}`] ?? paths[Object.keys(paths).find(matches)!]!;
}
type Paths = Record<string, Record<string, { readonly responses: Record<string, Described> }>>;
type Described = { readonly content: { readonly "application/json": { readonly schema: { properties: object } } } };

test("API-5, API-7, API-10, DON-16: answers have the fields and values that OpenAPI describes, and no others beside `data`", async () => {
  const { paths } = (await site.app.inject("/api/openapi.json")).json() as { paths: Paths };
  const { visitor, user } = await registerUser(site);
  const call = async (method: "GET" | "POST", path: string, body?: object, query = "", headers = {}) => {
    const sent = body && { payload: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
    const response = await visitor.ask({ method, url: `/api${path}${query}`, ...sent });
    const { responses } = findPath(paths, path)[method.toLowerCase()]!;
    const { schema } = (responses[response.statusCode] ?? responses["4XX"])!.content["application/json"];
    const answer = response.json();
    const what = `${method} ${path} ${response.statusCode} ${response.body.slice(0, 300)}`;
    expect(z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).safeParse(answer).error?.issues, what).toBe(
      undefined,
    );
    expect(Object.keys(schema.properties), what).toEqual(expect.arrayContaining(Object.keys(answer)));
    return { status: response.statusCode, answer };
  };
  const pay = async (card: (typeof testCards)[keyof typeof testCards], changes = {}) =>
    call(
      "POST",
      "/payway-payment",
      wirePayment(await site.cardToken(card), await visitor.solveCaptcha(), {
        user_id: user.id,
        repeat: true,
        ...changes,
      }),
      "",
      newKey(),
    );

  for (const path of ["/home", "/event", "/gallery", "/countries", "/state/13", "/categories", "/checkout"]) {
    expect((await call("GET", path)).status, path).toBe(200);
  }
  expect((await call("GET", "/generateToken")).answer.clientToken).toMatch(/./);
  expect((await call("POST", "/site-info")).status).toBe(200);
  expect((await call("POST", "/general-pages", { type: "vision" })).status).toBe(200);
  expect((await call("POST", "/general-pages", { type: "other" })).status).toBe(422);
  expect((await call("POST", "/login", { email: user.email, password: PASSWORD })).answer.code).toBe(200);
  expect((await call("POST", "/login", { email: user.email, password: "a wrong password" })).status).toBe(401);
  expect((await call("POST", "/user", { user_id: user.id })).status).toBe(200);

  const paid = await pay(testCards.approved);
  expect(paid.status).toBe(200);
  expect((await pay(testCards.approved)).status).toBe(200);
  expect((await pay(testCards.approved, { repeat: undefined })).status).toBe(409);
  expect((await pay(testCards.declined)).status).toBe(402);
  expect((await pay(testCards.approved, { amount: 1 })).status).toBe(422);
  await site.simulator.installFault({ match: { op: "charge" }, do: "hang_after", times: 2 });
  expect((await pay(testCards.approved)).status).toBe(202);

  expect((await call("GET", `/payments/${paid.answer.data.id}`)).status).toBe(200);
  const summary = await call("POST", "/donation-summary", undefined, `?email=${user.email}&limit=1`);
  expect(summary.answer).toMatchObject({ code: "200", next: expect.stringMatching(/^D-/) });
  const range = `?email=${user.email}&startDate=2026-01-01&endDate=2099-12-31`;
  expect((await call("POST", "/donation-summary-pdf", undefined, range)).answer.url).toMatch(/^http/);
  const receipt = await call("GET", `/single-donation-pdf/${paid.answer.data.reference}`);
  expect(receipt.answer.url).toMatch(/^http/);
});

test("API-5, API-10: docs/wire.md has the fields of queries, and what stands beside `data`", async () => {
  const wire = await describeWire();
  const section = (title: string) => wire.split(/^## /m).find((part) => part.startsWith(title)) ?? "";
  for (const name of ["email", "startDate", "endDate", "type", "limit", "after"]) {
    expect(section("POST /api/donation-summary\n")).toContain(`| \`${name}\` |`);
  }
  expect(section("POST /api/donation-summary-pdf")).toContain("Beside `data`: `url`.");
  expect(section("POST /api/volunteer/create")).toContain(
    "| `em_preffered_contact` | `emergencyPreferredContact` | Email, Sms",
  );
});
