import { afterAll, beforeAll, expect, test } from "vitest";
import { liveChecks } from "#shared/live-checks.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { goingLivePart } from "./going-live-part.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ METRICS_TOKEN: "never-shown-anywhere-1234567890" });
});
afterAll(() => site.close());

const path = "/admin/settings/going-live";

test("LIVE-1: every requirement of real payments is shown with whether it holds, and no setting's value", async () => {
  const admin = await site.logIn("administrator");
  const { status, html } = await admin.get(path);
  expect(status).toBe(200);
  const text = html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
  const rows = site.config.liveResults;
  expect(rows).toHaveLength(liveChecks.length);
  for (const { sentence, isMet } of rows) expect(text).toContain(`${isMet ? "Met" : "Missing"} ${sentence}.`);
  expect(rows.find(({ sentence }) => sentence.startsWith("METRICS_TOKEN"))?.isMet).toBe(true);
  expect(rows.find(({ sentence }) => sentence.startsWith("PAYWAY_SECRET_KEY"))?.isMet).toBe(false);
  expect(html).not.toContain("never-shown-anywhere");
  expect(html).not.toContain(site.config.payway.secretKey);
  for (const [, link] of html.matchAll(/<li>[^<]*<a href="(\/admin[^"]*)"/g)) {
    expect((await admin.get(link!)).status, link).toBe(200);
  }
  expect((await (await site.logIn("editor")).get(path)).status).toBe(403);
});

test("LIVE-2: the dashboard says that payments are simulated, and how much is missing; on a live site it says nothing", async () => {
  const { html } = await (await site.logIn("administrator")).get("/admin");
  const missing = site.config.liveResults.filter(({ isMet }) => !isMet).length;
  expect(html).toContain(`Payments are simulated: ${missing} requirements of real ones are missing`);
  const listFor = async (isLive: boolean, isMet: boolean) => {
    const config = { ...site.config, isLive, liveResults: site.config.liveResults.map((one) => ({ ...one, isMet })) };
    const services = { ...site.services, config, settingPreviews: {} } as never;
    return goingLivePart(services).dashboard![0]!.listWaiting!();
  };
  expect(await listFor(true, true)).toEqual([]);
  expect(await listFor(false, true)).toMatchObject([{ text: expect.stringContaining("everything is ready") }]);
});
