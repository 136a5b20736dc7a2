// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setCookie } from "#test/cookies.ts";
import { send } from "./send.ts";

type Sent = { method: string; url: string; token: string | null; body: unknown };
let sent: Sent[];
/** The token that the server expects; a read brings it. */
let right: string;

const keep = (token: string) => setCookie(`XSRF-TOKEN=${token}; path=/`);
const csrf = () => new Response('{"code":"403","status":"false","error":"csrf"}', { status: 403 });

beforeEach(() => {
  [sent, right] = [[], "one"];
  keep("one");
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const token = new Headers(init.headers).get("x-xsrf-token");
    sent.push({ method: init.method!, url, token, body: init.body });
    if (init.method !== "POST") keep(right);
    else if (token !== right) return csrf();
    return new Response('{"code":"200","status":"true"}');
  });
});
afterEach(() => vi.unstubAllGlobals());

const post = () => send({ method: "POST", url: "/api/contact", body: '{"name":"Amina"}', headers: {} });

test("SEC-7: the next call uses the token of another tab's log-in, without an extra read", async () => {
  right = "two";
  keep("two");
  expect((await post()).status).toBe(200);
  expect(sent).toMatchObject([{ method: "POST", token: "two" }]);
});

test("SEC-7: a call whose token was replaced meanwhile is sent again unchanged, with the new one", async () => {
  right = "two";
  expect((await post()).status).toBe(200);
  expect(sent.map(({ method, token }) => `${method} ${token}`)).toEqual(["POST one", "HEAD null", "POST two"]);
  expect(sent[2]!.body).toBe(sent[0]!.body);
});

test("SEC-7: a call is retried once only, and not after any other refusal", async () => {
  vi.stubGlobal("fetch", async (url: string, { method }: RequestInit) => {
    sent.push({ method: method!, url, token: null, body: null });
    return csrf();
  });
  expect((await post()).status).toBe(403);
  expect(sent.map(({ method }) => method)).toEqual(["POST", "HEAD", "POST"]);
  sent = [];
  vi.stubGlobal("fetch", async (url: string, { method }: RequestInit) => {
    sent.push({ method: method!, url, token: null, body: null });
    return new Response('{"error":"foreign_origin"}', { status: 403 });
  });
  expect((await post()).status).toBe(403);
  expect(sent).toHaveLength(1);
});
