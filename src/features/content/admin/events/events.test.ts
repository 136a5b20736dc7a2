import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTicketEvent } from "#database/ticket-factories.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
let sana: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  sana = await site.logIn("events");
});
afterAll(() => site.close());

type Typed = Record<string, string>;
const typed = (changes: Typed = {}): Typed => ({
  title: "Eid fair",
  slug: "",
  summary: "Stalls, tea and henna.",
  html: "<p>Come along.</p>",
  starts_at: "2031-12-05T18:30",
  ends_at: "2031-12-05T21:30",
  time_zone: "Australia/Sydney",
  place: "Auburn Centre, 44 Macquarie Road",
  image: "/identity/illustrations/event-night.svg",
  created_by: "Events team",
  next: "publish",
  form: randomUUID(),
  ...changes,
});
const plan = async (changes: Typed = {}) => {
  const { status, to, html } = await sana.post("/admin/events/new", typed(changes));
  expect(status, html).toBe(303);
  return to!;
};
const rowOf = async (screen: string) => {
  const { rows } = await site.pool.query(
    `select events.*, item.latest_version as latest from content_items as item join events on events.id::text = item.live_key
      where item.id = $1`,
    [screen.split("/").at(-1)],
  );
  return rows[0];
};
/** The list, with the spaces that keep dates together as ordinary ones. */
const listOfEvents = async () => (await sana.get("/admin/events")).html.replaceAll("\u00a0", " ");
const see = async (slug: string) => (await site.app.inject(`/api/ticket-event?event=${slug}`)).statusCode;

test("EVT-1: an events manager plans an event, which is hidden until it is published, by its own clock", async () => {
  const draft = await plan({ next: "save", time_zone: "Asia/Karachi", slug: "eid-in-karachi" });
  expect(await rowOf(draft)).toMatchObject({
    slug: "eid-in-karachi",
    state: "draft",
    starts_at: new Date("2031-12-05T13:30:00Z"),
  });
  const changes = { time_zone: "Asia/Karachi", slug: "eid-in-karachi", from: "1" };
  await sana.post(draft, typed({ ...changes, next: "save", title: "Eid fair in Karachi" }));
  expect(await rowOf(draft)).toMatchObject({ title: "Eid fair in Karachi", state: "draft" });
  await sana.post(draft, typed({ ...changes, title: "Eid fair in Karachi", from: "2" }));
  expect(await rowOf(draft)).toMatchObject({ title: "Eid fair in Karachi", state: "published", latest: 2 });
  expect(await listOfEvents()).toContain("Friday 5 December 2031 6:30 PM to 9:30 PM (UTC+05)");
});

test("EVT-1: a draft without time, place and picture is kept, and cannot be published yet", async () => {
  const bare = { starts_at: "", ends_at: "", place: "", image: "", summary: "", created_by: "" };
  const draft = await plan({ ...bare, title: "An idea", next: "save" });
  expect((await rowOf(draft)).state).toBe("draft");
  const refused = await sana.post(draft, typed({ ...bare, title: "An idea", from: "1" }));
  expect(refused.status).toBe(422);
  for (const sentence of ["Say when it starts", "Say when it ends", "Say where it is", "Choose a picture"]) {
    expect(refused.html).toContain(sentence);
  }
});

test.each<[string, Typed, string]>([
  ["an end before the start", { ends_at: "2031-12-05T18:00" }, "Choose an end after the start."],
  ["an end months later", { ends_at: "2032-12-05T18:00" }, "Choose an end within 60 days of the start."],
  ["a zone that is none", { time_zone: "Mars/Olympus" }, "Choose a time zone of the list."],
  ["a day that is none", { starts_at: "2031-02-30T18:00" }, "Enter a day and a time"],
])("EVT-2: %s is refused with a sentence, and nothing that was typed is lost", async (_, changes, sentence) => {
  const { status, html } = await sana.post("/admin/events/new", typed({ title: "Refused fair", ...changes }));
  expect([status, html.includes(sentence), html.includes("Refused fair")]).toEqual([422, true, true]);
});

test("EVT-2: a time that clocks skip stays in a draft, and its field says what to choose before it is published", async () => {
  const skipped = { slug: "night-fair", starts_at: "2031-10-05T02:30", ends_at: "2031-10-05T03:00" };
  const sentence = "Clocks go forward then and skip this time. Choose 3:30 AM, or another time.";
  const draft = await plan({ ...skipped, next: "save" });
  expect((await rowOf(draft)).state).toBe("draft");
  expect((await sana.get(draft)).html).toContain(sentence);
  const refused = await sana.post(draft, typed({ ...skipped, from: "1" }));
  const faults = [...readPage(refused.html).querySelectorAll("#content .err")].map(({ textContent }) => textContent);
  expect([refused.status, faults]).toEqual([422, [sentence]]);
  const ends = { starts_at: "2031-10-05T01:00", ends_at: "2031-10-05T02:30", slug: "night-fair" };
  expect((await sana.post(draft, typed({ ...ends, from: "1" }))).html).toContain(sentence);
  // Of whole days, no time of day counts.
  expect((await sana.post(draft, typed({ ...skipped, is_all_day: "yes", from: "1" }))).status).toBe(303);
});

test("EVT-2: a time that comes twice is the second, on the site and in the list", async () => {
  const event = await plan({ starts_at: "2031-04-06T02:30", ends_at: "2031-04-06T04:00", slug: "early-walk" });
  expect(await rowOf(event)).toMatchObject({ starts_at: new Date("2031-04-05T16:30:00Z") });
  expect(await listOfEvents()).toContain("Sunday 6 April 2031 2:30 AM to 4:00 AM (UTC+10)");
});

test("EVT-2: of whole days only the days count", async () => {
  const event = await plan({ is_all_day: "yes", ends_at: "2031-12-06T09:00" });
  expect(await rowOf(event)).toMatchObject({
    starts_at: new Date("2031-12-04T13:00:00Z"),
    ends_at: new Date("2031-12-06T12:59:00Z"),
    is_all_day: true,
  });
  expect(await listOfEvents()).toContain("5 to 6 December 2031");
});

test("EVT-2: whole days that end at midnight keep their last day when only the title is changed", async () => {
  const event = await plan({ is_all_day: "yes", ends_at: "2031-12-07T00:00", slug: "long-fair" });
  const last = { ends_at: new Date("2031-12-06T12:59:00Z") };
  expect(await rowOf(event)).toMatchObject(last);
  const { ends_at } = await rowOf(event);
  for (const [from, time] of [
    ["1", "2031-12-07T00:00"],
    ["2", "2031-12-06T23:59"],
  ] as const) {
    const saved = await sana.post(
      event,
      typed({ is_all_day: "yes", slug: "long-fair", title: time, ends_at: time, from }),
    );
    expect(saved.status).toBe(303);
    expect(await rowOf(event)).toMatchObject({ title: time, ends_at });
  }
});

test("EVT-2: an event from midnight to the last minute of a day is only of whole days if it says so", async () => {
  await plan({ starts_at: "2031-12-09T00:00", ends_at: "2031-12-09T23:59", title: "Night watch", slug: "night-watch" });
  expect(await listOfEvents()).toContain("Tuesday 9 December 2031 12:00 AM to 11:59 PM (UTC+11)");
});

test("EVT-3: a change of time or place says first what it means for whoever has a ticket", async () => {
  const event = await plan({ slug: "sold-fair" });
  const { id } = await rowOf(event);
  await site.pool.query(
    `insert into ticket_types (event_id, code, title, price_cents, capacity, sold) values ($1, 'seat', 'Seat', 5000, 9, 3)`,
    [id],
  );
  const moved = typed({ slug: "sold-fair", place: "Town Hall", from: "1" });
  const asked = await sana.post(event, moved);
  expect(asked.html).toContain("Nothing is saved yet: 3 tickets are sold for this event, and you change ‘Place’.");
  // Its text loses nothing.
  expect(asked.html).not.toContain("This would be left out of the text");
  expect((await rowOf(event)).place).toBe("Auburn Centre, 44 Macquarie Road");
  const agreed = /name="agreedMove" value="([^"]+)"/.exec(asked.html)![1]!;
  // Agreeing to one change is not agreeing to another.
  const other = await sana.post(event, { ...moved, place: "Elsewhere", agreedMove: agreed });
  expect(other.html).toContain("Nothing is saved yet");
  expect((await sana.post(event, { ...moved, agreedMove: agreed })).status).toBe(303);
  expect((await rowOf(event)).place).toBe("Town Hall");
  // What people with tickets do not notice needs no agreement.
  const text = { slug: "sold-fair", place: "Town Hall", html: "<p>New.</p>", from: "2" };
  expect((await sana.post(event, typed(text))).status).toBe(303);
});

test("EVT-4: a copy is a draft on another day, with the ticket types and their sales moved as far", async () => {
  const { eventId } = await makeTicketEvent(site.database, {
    event: { slug: "yearly-dinner", title: "Yearly dinner", time_zone: "Australia/Sydney" },
    types: [{ code: "seat", sold: 4, sales_until: new Date("2031-01-01T00:00:00Z") }],
  });
  await site.pool.query(
    "update events set starts_at = '2031-03-01T08:00:00Z', ends_at = '2031-03-01T11:00:00Z' where id = $1",
    [eventId],
  );
  await sana.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where live_key = $1::text", [eventId]);
  const screen = `/admin/events/${rows[0].id}`;
  const form = randomUUID();
  expect((await sana.post(`${screen}/copy`, { on: "", form })).html).toContain("Choose the day of the copy.");
  // Winter time in Sydney: the clock says the same, the moment is an hour later.
  const { to } = await sana.post(`${screen}/copy`, { on: "2031-07-01", form });
  expect((await sana.post(`${screen}/copy`, { on: "2031-07-01", form })).to).toBe(to);
  const copy = await rowOf(to!);
  expect(copy).toMatchObject({
    title: "Yearly dinner",
    slug: "yearly-dinner-2",
    state: "draft",
    starts_at: new Date("2031-07-01T09:00:00Z"),
    ends_at: new Date("2031-07-01T12:00:00Z"),
  });
  const types = await site.pool.query("select code, sold, held, sales_until from ticket_types where event_id = $1", [
    copy.id,
  ]);
  expect(types.rows).toEqual([{ code: "seat", sold: 0, held: 0, sales_until: new Date("2031-05-03T01:00:00Z") }]);
  expect(await see("yearly-dinner-2")).toBe(404);
});

test("EVT-4: the sales of a copy begin and end at the same time of day, and another day is another copy", async () => {
  const event = await plan({ starts_at: "2031-03-01T19:00", ends_at: "2031-03-01T22:00", slug: "autumn-dinner" });
  const seat = { title: "Seat", description: "", price: "50", capacity: "9", limit: "4", position: "1" };
  const sales = { from: "2031-02-20T09:00", until: "2031-03-01T17:30", visibility: "public" };
  expect((await sana.post(`${event}/tickets/new`, { ...seat, ...sales })).status).toBe(303);
  const form = randomUUID();
  const copyTo = async (on: string) => {
    const { to } = await sana.post(`${event}/copy`, { on, form });
    const { id } = await rowOf(to!);
    const { rows } = await site.pool.query("select sales_from, sales_until from ticket_types where event_id = $1", [
      id,
    ]);
    return { to, ...rows[0] };
  };
  // The sales begin before clocks go back on 6 April 2031, and end after it.
  const april = await copyTo("2031-04-10");
  expect(april).toMatchObject({
    sales_from: new Date("2031-03-31T22:00:00Z"),
    sales_until: new Date("2031-04-10T07:30:00Z"),
  });
  expect((await copyTo("2031-04-10")).to).toBe(april.to);
  // Whoever goes back to the form and chooses another day gets another copy.
  expect((await copyTo("2031-04-17")).to).not.toBe(april.to);
});

test("EVT-2, EVT-5: a begin or end of sales that clocks skip has a sentence at its field", async () => {
  const event = await plan({ slug: "skipped-sale" });
  const seat = { title: "Seat", description: "", price: "50", capacity: "9", limit: "4", position: "1" };
  const add = (sales: Typed) => sana.post(`${event}/tickets/new`, { ...seat, visibility: "public", ...sales });
  const sentence = "Clocks go forward then and skip this time. Choose 3:30 AM, or another time.";
  for (const sales of [
    { from: "2031-10-05T02:30", until: "2031-10-05T03:00" },
    { from: "2031-10-05T01:00", until: "2031-10-05T02:30" },
  ]) {
    const { status, html } = await add(sales);
    const faults = [...readPage(html).querySelectorAll(".err")].map(({ textContent }) => textContent);
    expect([status, faults]).toEqual([422, [sentence]]);
  }
  expect((await add({ from: "2031-10-05T01:00", until: "2031-10-05T03:00" })).status).toBe(303);
});

test("EVT-4: sales of an hour that clocks skip on the day of the copy last an hour there too", async () => {
  const event = await plan({ starts_at: "2031-09-01T19:00", ends_at: "2031-09-01T22:00", slug: "night-sale" });
  const seat = { title: "Seat", description: "", price: "50", capacity: "9", limit: "4", position: "1" };
  const sales = { from: "2031-09-01T02:00", until: "2031-09-01T03:00", visibility: "public" };
  expect((await sana.post(`${event}/tickets/new`, { ...seat, ...sales })).status).toBe(303);
  const { to } = await sana.post(`${event}/copy`, { on: "2031-10-05", form: randomUUID() });
  const { id } = await rowOf(to!);
  const { rows } = await site.pool.query("select sales_from, sales_until from ticket_types where event_id = $1", [id]);
  expect(rows).toEqual([
    { sales_from: new Date("2031-10-04T16:00:00Z"), sales_until: new Date("2031-10-04T17:00:00Z") },
  ]);
});

test("EVT-4: a copy has as many days as its original, and ends at the same time of day, also when clocks go forward", async () => {
  const copy = async (original: Typed, day: Typed) => {
    const { to } = await sana.post(`${await plan(original)}/copy`, { ...day, form: randomUUID() });
    return rowOf(to!);
  };
  const openDay = { starts_at: "2031-09-06T00:00", ends_at: "2031-09-06T23:59", is_all_day: "yes" };
  const sunday = { starts_at: new Date("2031-10-04T14:00:00Z"), ends_at: new Date("2031-10-05T12:59:00Z") };
  expect(await copy(openDay, { on: "2031-10-05" })).toMatchObject(sunday);
  expect(await copy(openDay, { on: "2031-10-05", at: "18:30" })).toMatchObject(sunday);
  const camp = { starts_at: "2031-09-05T17:00", ends_at: "2031-09-07T15:00" };
  expect(await copy(camp, { on: "2031-10-03" })).toMatchObject({
    starts_at: new Date("2031-10-03T07:00:00Z"),
    ends_at: new Date("2031-10-05T04:00:00Z"),
  });
});

test("EVT-1: two managers on one event lose nothing, and an earlier version comes back", async () => {
  const event = await plan({ slug: "two-managers" });
  await sana.post(event, typed({ slug: "two-managers", title: "First", from: "1" }));
  const second = await sana.post(event, typed({ slug: "two-managers", title: "Second", from: "1" }));
  expect([second.status, second.html.includes("while you were writing here")]).toEqual([409, true]);
  expect((await sana.post(`${event}/restore`, { from: "2", version: "1" })).status).toBe(303);
  expect((await sana.get(event)).html).toContain('value="Eid fair"');
});
