import { afterAll, beforeAll, expect, test } from "vitest";
import { sharp } from "#shared/images/sharp.ts";
import { storeImage } from "#shared/images/store.ts";
import { openMember } from "../member.ts";
import type { Visitor } from "../site.ts";
import { headerScore } from "./header-score.ts";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

const TAKES_PAYMENTS = ["/donation", "/ticketsCheckout"];
const live = {
  PUBLIC_URL: "https://give.example",
  TRUST_PROXY: "127.0.0.1",
  PAYWAY_URL: "https://api.payway.com.au/rest/v1",
  BRAINTREE_URL: "production",
};

let site: WholeSite;
let people: Record<"visitor" | "guest" | "member", Visitor>;
beforeAll(async () => {
  site = await openWholeSite(live);
  const [visitor, guest, member] = await Promise.all([site.visitor(), site.visitor(), openMember(site)]);
  guest.cookies.set("guest", "true");
  people = { visitor, guest, member: await as(member.visitor.cookies) };
});
afterAll(() => site.close());

/** The member's cookies, on the server with pages. */
async function as(cookies: ReadonlyMap<string, string>): Promise<Visitor> {
  const visitor = await site.visitor();
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return visitor;
}

async function scores(urls: readonly string[], visitor: Visitor) {
  const found: { url: string; status: number; score: number }[] = [];
  for (const url of urls) {
    const { cookie } = visitor.identity;
    const { statusCode, headers, body } = await site.app.inject({ url, headers: { cookie } });
    found.push({ url, status: statusCode, score: headerScore({ headers, body }) });
  }
  return found;
}

const plainPaths = () =>
  site.routes
    .filter((route) => route.startsWith("GET ") && !/[:*]/.test(route))
    .map((route) => route.slice("GET ".length));

test("SEC-10: every answer has at least 130 points, pages 135, and those that take payments 125 or more", async () => {
  for (const visitor of Object.values(people)) {
    for (const { url, status, score } of await scores(plainPaths(), visitor)) {
      const isPage = status === 200 && !/^\/(api|dev|healthz|readyz|metrics)|\./.test(url);
      // The API's browsable reference sets its own inline styles.
      const least = /^\/api\/docs/.test(url) || TAKES_PAYMENTS.includes(url) ? 120 : isPage ? 135 : 130;
      expect(score, `${url} (${status})`).toBeGreaterThanOrEqual(least);
    }
  }
  const paying = await scores(TAKES_PAYMENTS, people.guest);
  expect(paying.map(({ status, score }) => [status, score])).toEqual([
    [200, 125],
    [200, 125],
  ]);
});

test("SEC-10: pictures, files, redirects, refusals and failures have 130 points too", async () => {
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#246" } })
    .png()
    .toBuffer();
  const address = await storeImage(site.database, image);
  const pictures = ["/sharing/vision.png", "/favicon.ico", `${address}/40.webp`];
  const files = ["/robots.txt", "/speculation-rules.json", "/events/no-such-event/calendar.ics"];
  const refusals = [
    "/no-such-page",
    "/api/no-such-call",
    "/assets/none.js",
    "/receipts/x?key=y",
    "/images/x",
    "/%E0%A4%A",
  ];
  const redirects = ["/volunteerApplication", "/vision/", "/profile", "/login/guest"];
  for (const { url, status, score } of await scores(
    [...pictures, ...files, ...refusals, ...redirects],
    people.visitor,
  )) {
    expect(score, `${url} (${status})`).toBeGreaterThanOrEqual(130);
  }
  site.app.log.level = "silent";
  const failed = await site.build({ ...site.services, database: undefined as never });
  for (const url of ["/news", "/api/home"]) {
    const { statusCode, headers, body } = await failed.inject(url);
    expect(statusCode).toBeGreaterThanOrEqual(500);
    expect(headerScore({ headers, body }), `${url} (${statusCode})`).toBeGreaterThanOrEqual(130);
  }
  await failed.close();
});

test("SEC-10: browsers are asked to preload https only if the operator says so", async () => {
  const header = async (from: WholeSite) => (await from.app.inject("/vision")).headers["strict-transport-security"];
  expect(await header(site)).toBe("max-age=31536000; includeSubDomains");
  const preloaded = await openWholeSite({ ...live, HSTS_PRELOAD: "on" });
  expect(await header(preloaded)).toBe("max-age=31536000; includeSubDomains; preload");
  await preloaded.close();
});

test("SEC-10: negative control: the score falls when a header is removed", () => {
  const headers = {
    "content-type": "text/html",
    "content-security-policy": "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  const body = '<script src="/a.js" integrity="sha384-x"></script>';
  const score = (changes: object, html = body) => headerScore({ headers: { ...headers, ...changes }, body: html });
  expect(score({})).toBe(135);
  expect(score({}, "")).toBe(130);
  expect(
    score({ "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" }),
  ).toBe(125);
  expect(score({ "content-security-policy": "default-src 'none'; script-src 'self' http://127.0.0.1:3001" })).toBe(60);
  expect(score({ "content-security-policy": "script-src 'self' 'unsafe-inline'; frame-ancestors 'none'" })).toBe(80);
  expect(score({ "strict-transport-security": undefined })).toBe(80);
  expect(score({ "x-content-type-options": undefined })).toBe(130);
  expect(score({ "set-cookie": ["session=1; Secure; SameSite=Lax"] })).toBe(70);
  expect(score({ "set-cookie": ["session=1; Secure; SameSite=Lax; HttpOnly"] })).toBe(140);
  expect(score({}, '<script src="https://evil.example/x.js"></script>')).toBe(125);
});
