import { afterAll, beforeAll, expect, test } from "vitest";
import { openResetCode } from "#features/accounts/server/reset-password.ts";
import { paths } from "#shared/paths.ts";
import { PASSWORD, registerUser, registration } from "#test/accounts.ts";
import { openMember } from "#test/member.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ PUBLIC_URL: "http://give.chashma.example", LIMITS_LOGINS_PER_ADDRESS: "1000" });
});
afterAll(() => site.close());

const body = JSON.stringify({ country: "Australia", mobile: "61400000000" });
const json = { "content-type": "application/json" };

/** A harmless call that needs the token; `headers` replace the browser's. */
async function check(visitor: Visitor, headers: Record<string, string> = {}, url = "/api/mobile-check") {
  const response = await visitor.ask({ method: "POST", url, headers: { ...json, ...headers }, payload: body });
  return response.statusCode === 200 ? "200" : `${response.statusCode} ${response.json().error}`;
}

/** The answer's token, which the browser keeps from then on. */
const tokenIn = (response: { cookies: { name: string; value: string }[] }) =>
  response.cookies.find(({ name }) => name === "XSRF-TOKEN")?.value;

test("SEC-7: a session accepts only its own token, not a guest's or another session's", async () => {
  const { visitor } = await openMember(site);
  const own = visitor.cookies.get("XSRF-TOKEN")!;
  const other = (await openMember(site)).visitor.cookies.get("XSRF-TOKEN")!;
  const guest = await site.visitor();
  const guests = guest.cookies.get("XSRF-TOKEN")!;
  expect(await check(visitor)).toBe("200");
  expect(await check(guest)).toBe("200");
  for (const foreign of [guests, other]) {
    visitor.cookies.set("XSRF-TOKEN", foreign);
    expect(await check(visitor)).toBe("403 csrf");
  }
  guest.cookies.set("XSRF-TOKEN", own);
  expect(await check(guest)).toBe("403 csrf");
  await guest.ask({ url: "/api/checkout" });
  expect(await check(guest), "any read brings a valid token").toBe("200");
});

test("SEC-7: every answer that starts or ends a session brings the token for the next call", async () => {
  const { visitor, user } = await registerUser(site);
  const passwords = { user_id: user.id, old_password: PASSWORD, new_password: PASSWORD, confirm_password: PASSWORD };
  const steps: readonly [string, () => Promise<unknown>][] = [
    ["/api/user/create", async () => (await registerUser(site, visitor)).user],
    ["/api/logout", () => visitor.post("/api/logout", {})],
    ["/api/login", () => visitor.post("/api/login", { email: user.email, password: PASSWORD })],
    ["/api/login", () => visitor.post("/api/login", { email: user.email, password: PASSWORD })],
    ["/api/changePassword", () => visitor.post("/api/changePassword", passwords)],
    [paths.continueAsGuest, () => visitor.ask({ url: paths.continueAsGuest })],
    ["/api/close-account", () => visitor.post("/api/close-account", { password: PASSWORD })],
    ["/api/user/create", () => registerUser(site, visitor, { email: registration().email })],
  ];
  for (const [path, step] of steps) {
    const before = visitor.cookies.get("XSRF-TOKEN");
    await step();
    expect(visitor.cookies.get("XSRF-TOKEN"), path).not.toBe(before);
    expect(await check(visitor), path).toBe("200");
  }
});

test("SEC-7: a reset ends this browser's session with the others, and brings a guest's token", async () => {
  const { visitor, user } = await registerUser(site);
  const { visitor: another } = await registerUser(site);
  const code = "12345678";
  const { secretKey } = site.config;
  const reset = async (by: Visitor) => {
    await openResetCode(site.database, { userId: user.id, code }, { secretKey, now: site.clock.now() });
    await site.pool.query("update reset_codes set is_used = false where user_id = $1", [user.id]);
    const fields = { email: user.email, code, password: PASSWORD, password_confirmation: PASSWORD };
    return by.ask({ method: "POST", url: "/api/password/reset", headers: json, payload: JSON.stringify(fields) });
  };
  const token = another.cookies.get("XSRF-TOKEN");
  expect((await reset(another)).statusCode).toBe(200);
  expect((await another.ask({ url: "/api/sessions" })).statusCode, "another person stays logged in").toBe(200);
  expect(another.cookies.get("XSRF-TOKEN")).toBe(token);
  const answer = await reset(visitor);
  expect(tokenIn(answer)).toBeDefined();
  expect(visitor.cookies.has("session")).toBe(false);
  expect(await check(visitor)).toBe("200");
});

test("SEC-7: the token of a session that was ended elsewhere still works for a guest", async () => {
  const { visitor, id } = await openMember(site);
  await site.pool.query("delete from sessions where user_id = $1", [id]);
  expect(await check(visitor)).toBe("200");
  expect(await check(visitor, {}, "/api/sessions/end-others")).toBe("401 not_signed_in");
});

const foreign: readonly Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "http://give.chashma.example.evil.example" },
  { origin: "http://give.chashma.example:8080" },
  { origin: "null" },
  { origin: "" },
  { origin: "http://give.chashma.example, https://evil.example" },
  { "sec-fetch-site": "cross-site" },
  { origin: "http://give.chashma.example", "sec-fetch-site": "cross-site" },
];

test("SEC-7: a request from another site's page is refused before any other check", async () => {
  const { visitor } = await openMember(site);
  const asked = [
    { url: "/api/mobile-check", payload: body },
    { url: "/api/mobile-check", payload: "{" },
    { url: "/api/general-pages", payload: '{"type":"vision"}' },
    { url: "/api/sessions/end-others", payload: "{}" },
    { url: "/api/no-such-call", payload: "{}" },
    { url: "/no-such-page", payload: "{}" },
  ];
  for (const headers of foreign) {
    for (const request of asked) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const response = await visitor.ask({ ...request, method, headers: { ...json, ...headers } });
        expect(
          [response.statusCode, response.json().error],
          `${method} ${request.url} ${JSON.stringify(headers)}`,
        ).toEqual([403, "foreign_origin"]);
      }
    }
    const guest = await site.app.inject({ method: "POST", url: "/api/sessions/end-others", headers, payload: {} });
    expect(guest.json().error, "before the session is checked").toBe("foreign_origin");
  }
});

test("SEC-7: this site's pages pass under any host name, and so does a client without an origin", async () => {
  const { visitor } = await openMember(site);
  const own: readonly Record<string, string>[] = [
    {},
    { origin: "http://give.chashma.example" },
    { origin: "http://give.chashma.example", "sec-fetch-site": "same-origin" },
    { origin: "http://localhost:3000", host: "localhost:3000", "sec-fetch-site": "same-origin" },
    { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" },
    { origin: "https://tunnel.example", host: "tunnel.example" },
    { "sec-fetch-site": "none" },
  ];
  for (const headers of own) expect(await check(visitor, headers), JSON.stringify(headers)).toBe("200");
  const { "x-xsrf-token": _, ...tokenless } = visitor.identity;
  const without = await site.app.inject({
    method: "POST",
    url: "/api/mobile-check",
    payload: body,
    headers: { ...json, ...tokenless, origin: "http://give.chashma.example", "sec-fetch-site": "same-origin" },
  });
  expect(without.json().error, "the right origin does not replace the token").toBe("csrf");
});

test("SEC-7: reads are open to links from anywhere, and the provider's webhook to signed requests", async () => {
  const { visitor } = await openMember(site);
  for (const headers of foreign) {
    for (const method of ["GET", "HEAD"]) {
      expect((await visitor.ask({ method, url: "/api/checkout", headers })).statusCode).toBe(200);
    }
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const notice = { method: "POST", url: "/api/webhooks/braintree", headers: form, payload: "bt_signature=a" };
    expect((await visitor.ask(notice)).json().error).toBe("bad_signature");
  }
});

test("SEC-7: on an https site, a page of the same host over http counts as another site's", async () => {
  const secure = await openTestSite({ PUBLIC_URL: "https://give.chashma.example" });
  try {
    const visitor = await secure.visitor();
    const host = "give.chashma.example";
    expect(await check(visitor, { origin: `https://${host}`, host })).toBe("200");
    expect(await check(visitor, { origin: `http://${host}`, host })).toBe("403 foreign_origin");
    expect(await check(visitor, { origin: "https://www.example", host: "www.example" })).toBe("200");
    expect(await check(visitor, { origin: "http://www.example", host: "www.example" })).toBe("403 foreign_origin");
  } finally {
    await secure.close();
  }
});
