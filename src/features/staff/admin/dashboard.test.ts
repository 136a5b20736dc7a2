import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDashboard } from "#admin/dashboard.ts";
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
    { right: "donations.change", listWaiting: async () => [{ ...line, look: "warn" as const }] },
    { right: "donations.change", listWaiting: () => Promise.reject(new Error("away")) },
    { right: "reconciliation.change", listWaiting: async () => [{ ...line, look: "bad" as const }] },
    { right: "staff.change", listWaiting: async () => [{ ...line, look: "act" as const }] },
  ] as const;
  const staff = { id: 1, email: "", name: "", roles: ["treasurer"] } as const;
  const { readDashboard } = createDashboard({ parts, screens: [], log: pino({ level: "silent" }) });
  const { waiting, isIncomplete } = await readDashboard(staff);
  expect(waiting.map(({ look }) => look)).toEqual(["bad", "warn"]);
  expect(isIncomplete).toBe(true);
});

test("DASH-5: the navigation counts what waits in each section, by right; an act makes it count again", async () => {
  let reads = 0;
  const line = (path: string) => ({ text: "", linkText: "", path, look: "act" as const });
  const parts = [
    {
      right: "donations.change",
      listWaiting: async () => {
        reads += 1;
        return [line("/admin/donations?state=review"), line("/admin/refunds/7"), line("/admin/you")];
      },
    },
    { right: "staff.change", listWaiting: async () => [line("/admin/donations")] },
  ] as const;
  const screens = [
    { path: "/admin/donations/:id", section: "donations" },
    { path: "/admin/refunds", section: "donations" },
  ] as const;
  const staff = { id: 1, email: "", name: "", roles: ["treasurer"] } as const;
  const dashboard = createDashboard({ parts, screens, log: pino({ level: "silent" }) });
  expect(await dashboard.countWaiting(staff)).toEqual({ dashboard: 3, donations: 2 });
  await dashboard.countWaiting(staff);
  expect(reads).toBe(1);
  await dashboard.readDashboard(staff);
  expect(reads).toBe(2);
  dashboard.forgetWaiting();
  await dashboard.countWaiting(staff);
  expect(reads).toBe(3);
});

test("DASH-1, DASH-5: every screen shows the counts beside the names of the sections; for an auditor, who changes nothing, nothing waits", async () => {
  const treasurer = await site.logIn("treasurer");
  const countOf = async () => {
    const document = readPage((await treasurer.get("/admin/donations")).html);
    return document.querySelector('.rail a[data-key="o"] .n')?.textContent;
  };
  const before = await countOf();
  await site.give(await site.visitor(), {});
  await site.pool.query("update payment_attempts set state = 'disputed'");
  await treasurer.post("/admin/you/filters", { list: "/admin/donations", query: "state=review", name: "To review" });
  expect(before).toBeUndefined();
  expect(await countOf()).toBe("1 waiting");
  const auditor = await site.logIn("auditor");
  expect((await auditor.get("/admin")).html).toContain("Nothing needs your attention.");
  expect(readPage((await auditor.get("/admin/donations")).html).querySelector(".rail .n")).toBeNull();
});
