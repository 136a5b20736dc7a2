import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDonation } from "#database/factories.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { insertOrder, insertTicketedEvent } from "#test/ticket-rows.ts";
import { MAX_FILTERS } from "../server/saved-filters.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
  // A list without anything has no filters.
  await makeDonation(site.database);
  await insertOrder(site.database, await insertTicketedEvent(site.database));
});
afterAll(() => site.close());

type Browser = Awaited<ReturnType<AdminSite["logIn"]>>;
const path = "/admin/you/filters";

const tabsOn = async (browser: Browser, address: string) =>
  [...readPage((await browser.get(address)).html).querySelectorAll("main nav.views a")]
    .map((tab) => [tab.textContent, tab.getAttribute("href"), tab.getAttribute("aria-current")])
    .filter(([name]) => /^(Mine|Filter \d+)$/.test(name!));

test.each([
  ["/admin/donations", "method=pp&min=50&q=Amina", "method=pp&min=50"],
  ["/admin/orders", "state=cancelled&q=Amina&older=2026-01-01", "state=cancelled"],
  ["/admin/volunteers/list", "stage=approved&check=ends", "check=ends&stage=approved"],
])(
  "DSK-13: the filter of %s is saved under a name, without search words, and is a tab above the list for this person alone",
  async (list, typed, query) => {
    const peter = await site.logIn("administrator");
    const link = readPage((await peter.get(`${list}?${typed}`)).html).querySelector(`main a[href^="${path}?"]`)!;
    expect(link.textContent).toBe("Save this filter");
    const page = readPage((await peter.get(link.getAttribute("href")!)).html);
    const fieldOf = (name: string) => page.querySelector<HTMLInputElement>(`main [name="${name}"]`)!.value;
    expect([fieldOf("list"), fieldOf("query")]).toEqual([list, query]);
    expect(fieldOf("name")).not.toBe("");

    const saved = await peter.post(path, { list, query: `${query}&q=Amina`, name: "Mine" });
    expect([saved.status, saved.to]).toEqual([303, `${list}?${query}`]);
    expect(await tabsOn(peter, saved.to!)).toEqual([["Mine", `${list}?${query}`, "page"]]);
    expect(await tabsOn(peter, list)).toEqual([["Mine", `${list}?${query}`, null]]);
    const { rows } = await site.pool.query("select query from saved_filters where path = $1", [list]);
    expect(rows).toEqual([{ query }]);
    const other = await site.logIn("administrator");
    expect(await tabsOn(other, list)).toEqual([]);
  },
);

test("DSK-13: a name that is used changes that filter; a person deletes only their own; there is a most", async () => {
  const sana = await site.logIn("treasurer");
  const list = "/admin/donations";
  const save = (name: string, query = "method=pp") => sana.post(path, { list, query, name });
  await save("Mine");
  await save("Mine", "method=cc");
  expect(await tabsOn(sana, list)).toEqual([["Mine", `${list}?method=cc`, null]]);
  const { rows } = await site.pool.query("select id from saved_filters where query = 'method=cc'");
  const remove = (browser: Browser) => browser.post(`${path}/${rows[0].id}/delete`);
  expect((await remove(await site.logIn("treasurer"))).status).toBe(404);
  expect(await tabsOn(sana, list)).toHaveLength(1);
  expect(await remove(sana)).toMatchObject({ status: 303, to: list });
  expect(await tabsOn(sana, list)).toEqual([]);

  const sent = await Promise.all(Array.from({ length: MAX_FILTERS + 3 }, (_, index) => save(`Filter ${index}`)));
  expect(sent.filter(({ status }) => status === 409)).toHaveLength(3);
  expect(await tabsOn(sana, list)).toHaveLength(MAX_FILTERS);
});

test.each([
  [{ list: "/admin/donations", query: "method=pp", name: " " }, 422, "Enter a name"],
  [{ list: "/admin/donations", query: "method=pp", name: "x".repeat(41) }, 422, "at most 40 characters"],
  [{ list: "/admin/donations", query: "q=Amina", name: "Amina" }, 409, "no filter to save"],
  [{ list: "https://evil.example", query: "method=pp", name: "Evil" }, 404, ""],
])("DSK-13: what cannot be saved is refused with a sentence: %j", async (fields, status, sentence) => {
  const answer = await (await site.logIn("treasurer")).post(path, fields);
  expect(answer.status).toBe(status);
  expect(answer.html).toContain(sentence);
});

test("DSK-13: when an account ends, its filters are deleted", async () => {
  const peter = await site.logIn("administrator");
  const sana = await site.logIn("treasurer");
  await sana.post(path, { list: "/admin/donations", query: "method=pp", name: "Hers" });
  const count = async () =>
    (
      await site.pool.query("select from saved_filters join staff on staff.id = staff_id where staff.name = $1", [
        sana.name,
      ])
    ).rowCount;
  expect(await count()).toBe(1);
  const { rows } = await site.pool.query("select staff_id from saved_filters where name = 'Hers'");
  expect((await peter.post(`/admin/staff/${rows[0].staff_id}/end`, { reason: "Left" })).status).toBe(303);
  expect(await count()).toBe(0);
});
