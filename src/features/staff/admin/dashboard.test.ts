import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDashboard } from "#admin/dashboard.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

test("DASH-1: the first screen greets the person by name, with the day and what waits for them", async () => {
  const treasurer = await site.logIn("treasurer");
  const { status, html } = await treasurer.get("/admin");
  expect(status).toBe(200);
  const document = readPage(html);
  expect(document.querySelector("h1")?.textContent).toMatch(/^Good (morning|afternoon|evening), treasurer$/);
  expect(document.querySelector(".sub")?.textContent).toMatch(/^\w+,? \d+ \w+ \d{4}\. /);
});

test("DASH-2: a part that fails is left out with a message; the others are shown by right, the most urgent first", async () => {
  const line = { text: "", linkText: "", path: "/admin" };
  const parts = [
    { right: "donations.see", listWaiting: async () => [{ ...line, look: "warn" as const }] },
    { right: "donations.see", listWaiting: () => Promise.reject(new Error("away")) },
    { right: "reconciliation.see", listWaiting: async () => [{ ...line, look: "bad" as const }] },
    { right: "staff.change", listWaiting: async () => [{ ...line, look: "act" as const }] },
  ] as const;
  const staff = { id: 1, email: "", name: "", roles: ["auditor"] } as const;
  const { waiting, isIncomplete } = await readDashboard(parts, staff, pino({ level: "silent" }));
  expect(waiting.map(({ look }) => look)).toEqual(["bad", "warn"]);
  expect(isIncomplete).toBe(true);
});
