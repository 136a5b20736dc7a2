import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSite, type TestSite } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const choose = (query = "") => site.app.inject(`/login/guest${query}`);

test("LOG-3: continuing as a guest sets a cookie that scripts can read, and goes to the donation", async () => {
  const answer = await choose();
  expect([answer.statusCode, answer.headers.location]).toEqual([302, "/donation"]);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.cookies.find(({ name }) => name === "guest")).toEqual({
    name: "guest",
    value: "true",
    path: "/",
    sameSite: "Lax",
    maxAge: 31_536_000,
  });
});

test("LOG-3, NAV-7: a guest goes back to the page they came from, with its query, and never to another site", async () => {
  const leadsTo = async (path: string) => (await choose(`?return=${encodeURIComponent(path)}`)).headers.location;
  expect(await leadsTo("/donation?cause=ambulance-fund&x=1")).toBe("/donation?cause=ambulance-fund&x=1");
  expect(await leadsTo("/donation?cause=%C3%A9")).toBe("/donation?cause=%C3%A9");
  expect(await leadsTo("/donation?cause=é")).toBe("/donation?cause=%C3%A9");
  expect(await leadsTo("/selectTickets")).toBe("/selectTickets");
  const refused = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/\t/evil.example",
    "/a\r\nset-cookie: x=1",
  ];
  for (const path of [...refused, "/profile", "/login?return=%2Flogin", "/login/guest", ""]) {
    expect(await leadsTo(path), path).toBe("/donation");
  }
  expect((await choose("?return=%E0%A4%A")).headers.location).toBe("/donation");
});

test("PAGE-10: /.well-known/change-password leads to the page that changes a password", async () => {
  const { statusCode, headers } = await site.app.inject({ url: "/.well-known/change-password" });
  expect([statusCode, headers.location]).toEqual([302, "/change-password"]);
});
