import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

const path = "/admin/settings/legal-texts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

function readPanel(html: string, key: string) {
  const document = readPage(html);
  const panel = document.querySelector(`[aria-labelledby=text-${key}]`)!;
  const valueIn = (name: string) => panel.querySelector<HTMLInputElement>(`[name=${name}]`)!.value;
  return { state: panel.querySelector(".st")!.textContent, points: panel.querySelectorAll(".dots li").length, valueIn };
}

test("SETUP-8: each policy shows what a person has to check, and who has read it, until it is changed", async () => {
  const [admin, other] = [await site.logIn("administrator"), await site.logIn("administrator")];
  const first = await admin.get(path);
  for (const key of ["privacy", "refunds", "terms", "accessibility"]) {
    expect(readPanel(first.html, key)).toMatchObject({ state: "Nobody has read it" });
    expect(readPanel(first.html, key).points).toBeGreaterThan(1);
  }
  expect(first.html).toContain("12 Example Street, Auburn NSW 2144");
  const digest = readPanel(first.html, "privacy").valueIn("digest");
  await Promise.all([admin, other].map((one) => one.post(path, { key: "privacy", digest })));
  const read = await admin.get(path);
  expect(readPanel(read.html, "privacy").state).toBe("Read");
  expect(read.html).toContain("has read, and found true,");
  const { rowCount } = await site.pool.query("select 1 from audit_trail where verb = 'legal-text.read'");
  expect(rowCount).toBe(1);

  await site.pool.query("update pages set html = html || '<p>We host in Sydney.</p>' where type = 'privacy'");
  expect(readPanel((await admin.get(path)).html, "privacy").state).toBe("Changed since it was read");
  const late = await admin.post(path, { key: "privacy", digest });
  expect([late.status, late.html]).toEqual([409, expect.stringContaining("was changed while you were reading")]);
  expect((await admin.post(path, { key: "nothing", digest })).status).toBe(409);
});
