import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { fieldsOf } from "#test/donation-pages.ts";
import { injections } from "#test/injections.ts";
import { listActive } from "#test/list-active.ts";
import { isLongRun } from "#test/long-run.ts";
import { openPages } from "#test/project/whole-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
let admin: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  admin = await site.logIn("administrator");
});
afterAll(() => site.close());

const organisation = "/admin/settings/organisation";
const forms = [
  ...["identity", "contact", "links", "site", "banks"].map((group) => `${organisation}/${group}`),
  "/admin/settings/brand",
];
const publicPages = ["/", "/contact", "/donation", "/events", "/volunteer", "/privacy", "/vision", "/login"];

/** Every injection in the long run; otherwise every twelfth. */
const tried = injections.filter((_, place) => isLongRun || place % 12 === 0);

/** The fields of a form that take a text. Of bank accounts only the first: an empty one wants all of its fields. */
function listTexts(html: string, action: string): string[] {
  const form = readPage(html).querySelector(`form[action="${action}"]`)!;
  const inputs = [...form.querySelectorAll("input, textarea")].filter(
    (field) =>
      field.tagName === "TEXTAREA" || /^(?:text|url|email|tel|search)?$/.test(field.getAttribute("type") ?? ""),
  );
  const names = inputs.map((field) => field.getAttribute("name"));
  return names.filter((name) => name !== null && !/^banks\.[1-9]/.test(name)) as string[];
}

/** The form with links takes only addresses. */
const asTyped = (path: string, text: string) =>
  path.endsWith("/links") ? `https://example.com/?${text.replace(/\s+/g, "")}` : text;

/** Saves the form with these texts but for those that are refused. Returns how many were taken. */
async function save(path: string, changes: ReadonlyMap<string, string>): Promise<number> {
  if (changes.size === 0) return 0;
  const fields = { ...fieldsOf((await admin.get(path)).html, path), ...Object.fromEntries(changes) };
  const answer = await admin.post(path, fields);
  expect(listActive(answer.html), `${path} ${JSON.stringify([...changes])}`).toEqual([]);
  if (answer.status === 303) return changes.size;
  expect(answer.status).toBe(422);
  const wrong = [...readPage(answer.html).querySelectorAll(".has-err [name]")].map((field) =>
    field.getAttribute("name"),
  );
  const left = new Map([...changes].filter(([name]) => !wrong.includes(name)));
  return left.size < changes.size ? save(path, left) : 0;
}

test.each(forms)(
  "SET-1, BRA-1: hostile texts in any field of %s run on no page, no preview and no screen",
  async (path) => {
    const shown = await admin.get(path);
    const names = listTexts(shown.html, path);
    expect(names.length, path).toBeGreaterThan(0);
    let taken = 0;
    for (let round = 0; round < tried.length; round += 1) {
      const changes = new Map(
        names.map((name, place) => [name, asTyped(path, tried[(round + place) % tried.length]!)]),
      );
      const fields = { ...fieldsOf((await admin.get(path)).html, path), ...Object.fromEntries(changes) };
      const preview = await admin.post(`${path}/preview`, fields);
      expect(listActive(preview.html), `${path}/preview`).toEqual([]);
      taken += await save(path, changes);
    }
    await site.services.siteSettings.refresh();
    for (const screen of [path, organisation, "/admin/settings/brand", "/admin/audit"]) {
      expect(listActive((await admin.get(screen)).html), screen).toEqual([]);
    }
    const { app, close } = await openPages(site.services);
    for (const page of publicPages) {
      const { statusCode, body } = await app.inject(page);
      expect(statusCode, page).toBeLessThan(400);
      expect(listActive(body), page).toEqual([]);
    }
    await close();
    expect(taken, path).toBeGreaterThan(0);
  },
);
