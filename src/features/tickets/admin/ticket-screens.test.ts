import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { readPage } from "#test/read-page.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

let site: AdminSite;
let sana: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_TICKET_HOLDS: "1000" });
  sana = await site.logIn("events");
});
afterAll(() => site.close());

async function open() {
  const event = await makeTicketedEvent(site.database);
  await sana.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where kind = 'events' and live_key = $1::text", [
    event.id,
  ]);
  const types = async () =>
    (await site.pool.query("select * from ticket_types where event_id = $1 order by id", [event.id])).rows;
  return { event, screen: `/admin/events/${rows[0].id}`, types, buyer: createBuyer(site, await site.visitor()) };
}

const agree = async () => {
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
  expect(faultsOf(await compareBooks(site.pool, await site.simulator.listLedger()))).toEqual(noFaults);
};

const typed = (changes: Record<string, string> = {}) => ({
  title: "Patron seat",
  description: "Near the stage",
  price: "115",
  capacity: "32",
  limit: "4",
  from: "",
  until: "2031-01-02T18:00",
  visibility: "public",
  position: "3",
  ...changes,
});

test("EVT-5: an events manager adds, changes, takes off sale and deletes ticket types, and sees what is sold", async () => {
  const { event, screen, types, buyer } = await open();
  expect((await sana.post(`${screen}/tickets/new`, typed())).status).toBe(303);
  const added = (await types()).at(-1);
  expect(added).toMatchObject({ code: "patron-seat", price_cents: 11_500, capacity: 32, limit_per_order: 4 });
  await buyer.book(event.slug, [{ type: "patron-seat", quantity: 2 }]);
  const shown = (await sana.get(`${screen}/tickets`)).html;
  expect(shown).toContain('aria-label="2 sold, 0 held, 30 free"');
  expect(shown).toContain("$230.00");
  const path = `${screen}/tickets/${added.id}`;
  expect((await sana.post(path, typed({ title: "Patron", price: "0" }))).status).toBe(303);
  expect((await sana.post(`${path}/delete`)).html).toContain("has been ordered, so it cannot be deleted");
  expect((await sana.post(`${path}/retire`)).status).toBe(303);
  expect(await buyer.hold(event.slug, [{ type: "patron-seat", quantity: 1 }])).toMatchObject({ error: "not_on_sale" });
  expect((await sana.post(`${path}/bring-back`)).status).toBe(303);
  const { data } = await buyer.hold(event.slug, [{ type: "patron-seat", quantity: 1 }]);
  expect(data).toMatchObject({ total: 0, lines: [{ title: "Patron" }] });
  await sana.post(`${screen}/tickets/new`, typed({ title: "Nobody" }));
  expect((await sana.post(`${screen}/tickets/${(await types()).at(-1).id}/delete`)).status).toBe(303);
  await agree();
});

test("AUD-1: the audit trail has the times of sales in Sydney, as it has its own", async () => {
  const { screen } = await open();
  await sana.post(`${screen}/tickets/new`, typed({ until: "2031-01-02T18:00" }));
  const { html } = await (await site.logIn("administrator")).get("/admin/audit");
  // The event is in Karachi.
  const shown = readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");
  expect(shown).toContain("EndsFriday 3 January 2031 at 12:00 am, Sydney time");
  expect(shown).not.toContain("UTC");
});

test("EVT-5: a type with a waiting list, or the only one of a discount code, is not deleted; other codes lose a deleted type", async () => {
  const { event, screen, types } = await open();
  await sana.post(`${screen}/tickets/new`, typed({ title: "Nobody" }));
  const [vip, , { id }] = await types();
  const remove = () => sana.post(`${screen}/tickets/${id}/delete`);
  await site.database
    .insertInto("waiting_entries")
    .values({
      id: randomUUID(),
      event_id: event.id,
      type_id: id,
      quantity: 1,
      joined_at: site.clock.now(),
      email: "amina@example.com",
      first_name: "Amina",
      last_name: "Raza",
    })
    .execute();
  const waited = await remove();
  expect([waited.status, waited.html.includes("Nobody has or had a waiting list, so it cannot be deleted.")]).toEqual([
    409,
    true,
  ]);
  await site.pool.query("delete from waiting_entries where type_id = $1", [id]);
  const codes = { event_id: event.id, percent: 10, cents: null, most_per_order: 5 };
  await site.database
    .insertInto("discount_codes")
    .values([
      { ...codes, code: "ALONE", type_ids: [id] },
      { ...codes, code: "BOTH", type_ids: [vip.id, id] },
    ])
    .execute();
  expect((await remove()).html).toContain("The discount code ALONE is for Nobody alone.");
  await site.pool.query("update discount_codes set ended_at = now() where code = 'ALONE'");
  expect((await remove()).status).toBe(303);
  const { rows } = await site.pool.query("select type_ids from discount_codes where event_id = $1 and code = 'BOTH'", [
    event.id,
  ]);
  expect(rows).toEqual([{ type_ids: [Number(vip.id)] }]);
});

test("DASH-4: the dashboard names a coming event of whose seats on sale at most a tenth is left", async () => {
  const { event } = await open();
  const line = async () => {
    const { html } = await sana.get("/admin");
    return /[^>]*seats? (?:is|are) left at[^<]*/.exec(html)?.[0] ?? null;
  };
  const set = (sold: number) =>
    site.pool.query("update ticket_types set capacity = 10, sold = $2, held = 0 where event_id = $1", [event.id, sold]);
  const { rows } = await site.pool.query(
    `select title, (select count(*)::integer from ticket_types where event_id = events.id) as types
       from events where id = $1`,
    [event.id],
  );
  const seats = rows[0].types * 10;
  await set(8);
  expect(await line()).toBeNull();
  await set(9);
  expect(await line()).toBe(`${rows[0].types} of ${seats} seats are left at ${rows[0].title}`);
  await set(10);
  expect(await line()).toBeNull();
  await set(9);
  await site.pool.query("update ticket_types set sales_until = $2, sales_from = null where event_id = $1", [
    event.id,
    site.clock.now(),
  ]);
  expect(await line()).toBeNull();
  await set(0);
});

test.each<[string, Record<string, string>, string]>([
  ["no title", { title: " " }, "Enter a title."],
  ["a price in words", { price: "free" }, "Enter dollars, such as 50 or 49.50. 0 is free."],
  ["a price that no provider takes", { price: "0.50" }, "The payment providers take $1.00 or more."],
  ["seats in words", { capacity: "many" }, "Enter a whole number from 0 to 1000000."],
  ["an end of sales before their start", { from: "2031-01-03T18:00" }, "Choose an end of sales after their start."],
  ["a day that is none", { until: "soon" }, "Enter a day and a time"],
])("EVT-5: %s is refused with a sentence, and nothing that was typed is lost", async (_, changes, sentence) => {
  const { screen, types } = await open();
  const { status, html } = await sana.post(`${screen}/tickets/new`, typed({ description: "Kept words", ...changes }));
  expect([status, html.includes(sentence), html.includes("Kept words")]).toEqual([422, true, true]);
  expect(await types()).toHaveLength(2);
});

test("EVT-5: fewer seats than are sold and held are refused with the figures, whatever is held at that moment", async () => {
  const { event, screen, types, buyer } = await open();
  await buyer.book(event.slug, [{ type: "vip", quantity: 3 }]);
  await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  const [vip] = await types();
  const change = (capacity: number) =>
    sana.post(`${screen}/tickets/${vip.id}`, typed({ title: "VIP Seat", price: "100", capacity: String(capacity) }));
  expect((await change(3)).html).toContain("Enter 4 or more: 3 are sold and 1 is held.");
  expect((await change(4)).status).toBe(303);
  // Ten people want the seats that the manager takes away at the same moment.
  await change(14);
  const others = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => createBuyer(site, await site.visitor(`198.51.102.${n}`))),
  );
  await Promise.all([...others.map((other) => other.hold(event.slug, [{ type: "vip", quantity: 1 }])), change(8)]);
  const [after] = await types();
  expect(after.sold + after.held).toBeLessThanOrEqual(after.capacity);
  await agree();
});

test("EVT-7: an events manager adds, changes and ends a discount code, which is never set below what is used", async () => {
  const { event, screen, types, buyer } = await open();
  const all = (await types()).map(({ id }) => String(id));
  const words = { code: "spring 26", kind: "percent", amount: "20", from: "", until: "", uses: "5", perOrder: "5" };
  const code = { ...words, types: all };
  // Without a type it would be for all of them.
  expect((await sana.post(`${screen}/codes`, words)).html).toContain("Choose at least one.");
  expect((await sana.post(`${screen}/codes`, { ...code, amount: "0" })).html).toContain(
    "Enter a whole number from 1 to 100.",
  );
  expect((await sana.post(`${screen}/codes`, code)).status).toBe(303);
  expect((await sana.post(`${screen}/codes`, code)).html).toContain("This event has this code already");
  await buyer.hold(event.slug, [{ type: "vip", quantity: 3 }], { discount: "SPRING26" });
  const list = (await sana.get(`${screen}/codes`)).html;
  expect(list).toContain("3 of 5");
  const path = /href="(\/admin\/events\/\d+\/codes\/\d+)"/.exec(list)![1]!;
  expect((await sana.post(path, { ...code, uses: "2" })).html).toContain("Enter 3 or more: 3 tickets have it");
  expect((await sana.post(path, { ...code, kind: "cents", amount: "10.50", uses: "3" })).status).toBe(303);
  expect((await sana.post(`${path}/end`)).status).toBe(303);
  expect((await sana.get(`${screen}/codes`)).html).toContain("Ended");
  const acts = await site.pool.query("select verb from audit_trail where verb like 'events.%code' order by id");
  expect(acts.rows.map(({ verb }) => verb)).toEqual(["events.add_code", "events.change_code", "events.end_code"]);
});

test("EVT-5, EVT-7: who saves a type or code that somebody changed in the meantime reads what is saved first", async () => {
  const { screen, types } = await open();
  const [vip] = await types();
  const wasIn = async (path: string) =>
    readPage((await sana.get(path)).html).querySelector<HTMLInputElement>("input[name=was]")!.value;
  const path = `${screen}/tickets/${vip.id}`;
  const was = await wasIn(path);
  expect((await sana.post(path, typed({ price: "120", was }))).status).toBe(303);
  const late = await sana.post(path, typed({ price: "115", capacity: "40", was }));
  expect([late.status, late.html.includes("differs from your form in ‘Price of one’: 120.00 and ‘Seats’: 32")]).toEqual(
    [409, true],
  );
  expect((await types())[0]).toMatchObject({ price_cents: 12_000, capacity: 32 });
  const seen = readPage(late.html).querySelector<HTMLInputElement>("input[name=was]")!.value;
  expect((await sana.post(path, typed({ price: "120", capacity: "40", was: seen }))).status).toBe(303);
  const all = (await types()).map(({ id }) => String(id));
  const code = {
    code: "both",
    kind: "percent",
    amount: "20",
    from: "",
    until: "",
    uses: "",
    perOrder: "5",
    types: all,
  };
  await sana.post(`${screen}/codes`, code);
  const codePath = /href="(\/admin\/events\/\d+\/codes\/\d+)"/.exec((await sana.get(`${screen}/codes`)).html)![1]!;
  const codeWas = await wasIn(codePath);
  await sana.post(codePath, { ...code, amount: "10", was: codeWas });
  const lateCode = await sana.post(codePath, { ...code, perOrder: "2", was: codeWas });
  expect([lateCode.status, lateCode.html.includes("‘It takes off’: 10% off and ‘Most in one order’: 5")]).toEqual([
    409,
    true,
  ]);
});
