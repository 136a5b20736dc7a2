import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, dayInSydney, momentInSydney } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

let site: AdminSite;
let editor: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  editor = await site.logIn("editor");
});
afterAll(() => site.close());

type OnWire = {
  key: string;
  category_title: string;
  description: string;
  suggested_amounts: number[];
  category_subcategory: { subcategory_title: string; subcategory_amount: number }[];
};
const offered = async (): Promise<OnWire[]> => (await site.app.inject("/api/categories")).json().data.category;
const find = async (key: string) => (await offered()).find((category) => category.key === key);
const idOf = async (fund: string): Promise<number> =>
  (await site.pool.query("select id from donation_categories where fund = $1", [fund])).rows[0].id;

/** The hidden field with the words that the form was opened with. */
const wasIn = (html: string) => /name="was" value="([^"]*)"/.exec(html)![1]!.replaceAll("&quot;", '"');

test("CAT-1: words and suggested amounts are changed; the key stays, and the change is in the audit trail", async () => {
  const path = `/admin/catalogue/${await idOf("zakat")}`;
  const was = wasIn((await editor.get(path)).html);
  const words = { title: "Zakat al-Mal", description: "On wealth held for a year.", suggested: "40, 80" };
  expect((await editor.post(path, { ...words, was })).to).toBe(path);
  expect(await find("zakat")).toMatchObject({
    category_title: "Zakat al-Mal",
    description: "On wealth held for a year.",
    suggested_amounts: [40, 80],
  });
  const { html } = await editor.get(path);
  expect(html).toContain("changed the words or suggested amounts of");
  const wrong = await editor.post(path, { ...words, title: "sadaqah", suggested: "40, lots", was: wasIn(html) });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("Write up to six amounts");
});

test("CAT-1: if two people edit at the same time, the second sees both versions, and saves again", async () => {
  const path = `/admin/catalogue/${await idOf("sadaqah")}`;
  const was = wasIn((await editor.get(path)).html);
  await editor.post(path, { title: "Sadaqah jariyah", description: "", suggested: "", was });
  const mine = { title: "Sadaqah", description: "Any kindness.", suggested: "10" };
  const refused = await editor.post(path, { ...mine, was });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("Sadaqah jariyah");
  expect(refused.html).toContain("Any kindness.");
  expect((await editor.post(path, { ...mine, was: wasIn(refused.html) })).status).toBe(303);
});

test("CAT-2: a cause is added, taken out and brought back, and moved; nothing is deleted, and no key changes", async () => {
  const add = { title: "Water wells", description: "", way: "kinds", firstKind: "Hand pump", dollars: "450" };
  const terms = { asksNames: "no", receiptKind: "gift", hasAdminFee: "yes" };
  const { to } = await editor.post("/admin/catalogue/new", { ...add, ...terms });
  expect(await find("water-wells")).toMatchObject({
    category_subcategory: [{ subcategory_title: "Hand pump", subcategory_amount: 450 }],
  });
  expect((await editor.post("/admin/catalogue/new", { ...add, ...terms })).status).toBe(422);
  await editor.post(`${to}/move`, { direction: "up" });
  expect((await offered()).at(-2)?.key).toBe("water-wells");
  await editor.post(`${to}/retire`);
  expect(await find("water-wells")).toBeUndefined();
  await editor.post(`${to}/bring-back`);
  expect(await find("water-wells")).toBeDefined();
  const kind = (await site.pool.query("select max(id) as id from donation_subcategories")).rows[0].id;
  const last = await editor.post(`${to}/kinds/${kind}`, { title: "Hand pump", was: "Hand pump", next: "retire" });
  expect([last.status, last.html.includes("This is the last kind on offer")]).toEqual([409, true]);
  for (const change of [
    "delete from donation_categories where fund = 'water-wells'",
    "update donation_categories set fund = 'wells' where fund = 'water-wells'",
  ]) {
    await expect(site.pool.query(change)).rejects.toThrow("append only");
  }
});

test("CAT-3, PERF-7: from its day on, and not before, a new price is charged and the old one refused without a charge", async () => {
  const id = await idOf("homes");
  const tomorrow = dayInSydney(new Date(site.clock.now().getTime() + 24 * 3_600_000));
  const set = await editor.post(`/admin/catalogue/${id}/prices`, { dollars: "120", from: tomorrow });
  expect(set.status).toBe(303);
  const visitor = await site.visitor();
  const give = async (dollars: number) => {
    const line = {
      donation_type: "Homes and Orphanage",
      donation_type_option: "",
      quantity: 1,
      donation_shared_name: "",
    };
    const lines = [{ ...line, donation_amount: dollars }];
    const amount = Math.round(dollars * 101.5) / 100;
    const changes = { item_details: JSON.stringify(lines), donationType: "Homes and Orphanage", amount };
    return (await site.give(visitor, { changes })).answer;
  };
  expect((await give(100)).code).toBe("200");
  site.clock.advance(momentInSydney(tomorrow, "00:01").getTime() - site.clock.now().getTime());
  const late = await give(100);
  expect(late.code).toBe("422");
  expect(JSON.stringify(late.data)).toContain("The amount has changed. Please choose this donation again");
  expect((await give(120)).code).toBe("200");
  editor = await site.logIn("editor");
  await editor.post(`/admin/catalogue/${id}/prices`, { dollars: "130", from: tomorrow });
  expect((await give(120)).code).toBe("422");
  expect((await give(130)).code).toBe("200");
});

test("CAT-4, CAT-5: a future price can be withdrawn once, past ones stay, and each change asks for a new proof", async () => {
  const id = await idOf("fitrana");
  const path = `/admin/catalogue/${id}`;
  const today = dayInSydney(site.clock.now());
  await editor.post(`${path}/prices`, { dollars: "16", from: today });
  await editor.post(`${path}/prices`, { dollars: "18", from: addDays(today, 30) });
  await editor.post(`${path}/prices`, { dollars: "18", from: addDays(today, 30) });
  const { html } = await editor.get(path);
  expect(html.match(/\/withdraw"/g)).toHaveLength(1);
  expect(html).toMatch(/\$18\.00[\s\S]*To come[\s\S]*\$16\.00[\s\S]*Applies now/);
  const withdraw = /action="([^"]*withdraw)"/.exec(html)![1]!;
  expect((await editor.post(withdraw)).status).toBe(303);
  expect((await editor.post(withdraw)).status).toBe(409);
  expect((await editor.get(path)).html).toContain("withdrew a price of");
  expect((await editor.post(`${path}/prices`, { dollars: "16", from: addDays(today, -1) })).status).toBe(422);
  await expect(site.pool.query("update donation_prices set amount_cents = 1")).rejects.toThrow("append only");
  site.clock.advance(11 * 60_000);
  expect((await editor.post(`${path}/prices`, { dollars: "20", from: today })).status).toBe(401);
});
