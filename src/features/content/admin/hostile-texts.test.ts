import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { fieldsOf } from "#test/donation-pages.ts";
import { injections } from "#test/injections.ts";
import { listActive } from "#test/list-active.ts";
import { isLongRun } from "#test/long-run.ts";
import { openPages } from "#test/project/whole-site.ts";
import { readPage } from "#test/read-page.ts";
import type { Kind } from "../server/editing/kind.ts";
import { kinds } from "../server/editing/kinds.ts";

let site: AdminSite;
let editor: Awaited<ReturnType<AdminSite["logIn"]>>;
let pages: Awaited<ReturnType<typeof openPages>>;
beforeAll(async () => {
  site = await openAdminSite();
  pages = await openPages(site.services);
  editor = await site.logIn("editor", "events");
});
afterAll(async () => {
  await pages.close();
  await site.close();
});

/** Every injection in the long run; otherwise every twelfth. */
const tried = injections.filter((_, place) => isLongRun || place % 12 === 0);

/** Enough for any kind to be published: each form reads only its own fields. */
const whole = {
  title: "A warm room",
  excerpt: "E",
  image: "/identity/illustrations/hospital.svg",
  image_words: "W",
  published_on: "2026-11-24",
  image_date: "2026-11-24",
  starts_at: "2099-03-01T07:00",
  ends_at: "2099-03-30T22:00",
  summary: "S",
  place: "Town hall",
  time_zone: "Australia/Sydney",
  position: "3",
  from_time: "07:00",
};
const texts = ({ fields }: Kind) => fields.filter(({ input }) => ["line", "lines", "html", "menu"].includes(input));
/** A list of a menu has a label and an address in each line. */
const asTyped = (input: string, text: string) =>
  input === "menu" ? `${text.replace(/[|\s]+/g, " ")} | /contact` : text;

/** The screen of an item: a new one, or the first of a kind to which nothing is added. */
async function findItem({ name, isOpen }: Kind): Promise<string> {
  if (isOpen) {
    const { to, html } = await editor.post(`/admin/${name}/new`, { ...whole, form: randomUUID(), next: "save" });
    expect(to, html).toMatch(/\/\d+$/);
    return to!;
  }
  const links = [
    ...readPage((await editor.get(`/admin/${name}`)).html).querySelectorAll(`main a[href^="/admin/${name}/"]`),
  ];
  return links.map((link) => link.getAttribute("href")!).find((href) => /\/\d+$/.test(href))!;
}

/**
 * Publishes the item with these texts, and agrees to what would be left out. Leaves out the texts that their fields
 * refuse. Returns how many were taken.
 */
async function publish(path: string, changes: ReadonlyMap<string, string>): Promise<number> {
  if (changes.size === 0) return 0;
  const untouched = fieldsOf((await editor.get(path)).html, path);
  const fields = { ...untouched, ...Object.fromEntries(changes), next: "publish" };
  let answer = await editor.post(path, fields);
  const agreed = readPage(answer.html).querySelector<HTMLInputElement>("[name=agreed]")?.value;
  if (answer.status === 200 && agreed !== undefined) answer = await editor.post(path, { ...fields, agreed });
  if (answer.status === 303) return changes.size;
  expect(answer.status, `${path} ${JSON.stringify([...changes])}`).toBe(422);
  const refused = [...readPage(answer.html).querySelectorAll(".has-err [name]")].map((field) =>
    field.getAttribute("name"),
  );
  const left = new Map([...changes].filter(([name]) => !refused.includes(name)));
  // What is wrong may be in another field: a banner's words for a link need the link.
  return left.size < changes.size ? publish(path, left) : 0;
}

const addressesOn = (screen: string) =>
  [...readPage(screen).querySelectorAll("main a[href^='/']")].map((link) => link.getAttribute("href")!);

/** Looks at the item's screens and its preview, which is its page. */
async function look(path: string, more: readonly string[] = []) {
  const screen = (await editor.get(path)).html;
  expect(listActive(screen), path).toEqual([]);
  for (const page of more) expect(listActive((await editor.get(page)).html), page).toEqual([]);
  const preview = addressesOn(screen).find((address) => address.startsWith("/preview/"))!;
  const { statusCode, body } = await pages.app.inject(preview);
  expect(statusCode, body).toBe(200);
  expect(listActive(body), preview).toEqual([]);
}

/** Looks at the page that visitors get, and at the home page. */
async function lookAsVisitor(path: string) {
  const { app, close } = await openPages(site.services);
  const own = addressesOn((await editor.get(path)).html).filter((address) => !/^\/(?:admin|preview)\//.test(address));
  for (const address of ["/", ...own]) {
    const { statusCode, body } = await app.inject(address);
    expect([address, statusCode]).toEqual([address, 200]);
    expect(listActive(body), address).toEqual([]);
  }
  await close();
}

test("CON-5: what these tests look for is found where nothing keeps it out", () => {
  const found = injections.filter((text) => listActive(`<main>${text}</main>`).length > 0);
  expect(found.length).toBeGreaterThan(injections.length / 2);
});

test.each(kinds)("CON-5: hostile texts in any field of $name run on no page and no screen", async (kind) => {
  const path = await findItem(kind);
  const fields = texts(kind);
  let taken = 0;
  for (let round = 0; round < tried.length; round += 1) {
    const changes = fields.map(
      ({ name, input }, place) => [name, asTyped(input, tried[(round + place) % tried.length]!)] as const,
    );
    const count = await publish(path, new Map(changes));
    taken += count;
    if (count > 0) await look(path);
  }
  expect(taken).toBeGreaterThan(tried.length / 2);
  await look(path, [`${path}/history`, path.replace(/\/\d+$/, "")]);
  await lookAsVisitor(path);
});
