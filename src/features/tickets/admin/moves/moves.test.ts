import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { type Person, planEvent } from "#test/called-off-event.ts";
import { readPage } from "#test/read-page.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { tellHolders } from "../../server/moves/event-moves.ts";

let site: RefundSite;
let sana: Person;
let peter: Person;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000" });
  sana = await site.join("events");
  peter = await site.join("administrator");
});
afterAll(() => site.close());

const vip = [{ type: "vip", quantity: 1 }];
const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

/** An event in a hall with two holders of tickets; `move` publishes another place. */
async function sell() {
  const event = await planEvent(site, sana);
  const set = (changes: string) => site.pool.query(`update events set ${changes} where id = $1`, [event.id]);
  await set("place = 'Town Hall', is_online = false");
  const [amina, bilal] = [await event.buyer(), await event.buyer()];
  const { order } = await amina.book(event.slug, vip);
  const { data } = await bilal.hold(event.slug, vip);
  await bilal.pay(data, { changes: { email: "bilal@example.com" } });
  const find = async () => (await event.buyer()).book(event.slug, vip);
  const path = event.screen.replace("/call-off", "/moved");
  return { ...event, amina, order, path, buyLater: find, move: (place: string) => set(`place = '${place}'`) };
}

/** The emails of the jobs that the outbox has about moves, and removes the jobs. */
async function readEmails() {
  await site.pool.query("truncate mailbox_messages");
  const { rows } = await site.pool.query(
    "delete from pgboss.job where name = 'emails' and data ->> 'template' = 'event-moved' returning data",
  );
  for (const { data } of rows) await sendEmails(site.services)(data as JobData["emails"]);
  return (await site.pool.query("select recipient, subject, text_body from mailbox_messages order by recipient")).rows;
}

test("EVT-13: after another place is published, holders get one email with the old and the new one, which staff read first", async () => {
  const { path, move, amina, order, buyLater } = await sell();
  expect(textOf((await sana.browser.get(path)).html)).toContain("There is nothing to tell");
  await move("Community Centre");
  await buyLater();
  expect(textOf((await sana.browser.get("/admin")).html)).toContain(
    "Charity dinner has another time or place, and its ticket holders have not been told",
  );
  const shown = await sana.browser.get(path);
  for (const told of [
    "Town Hall",
    "Community Centre",
    "2 people who bought before it moved: 2 emails",
    "Send it to 2 people",
  ])
    expect(textOf(shown.html)).toContain(told);
  const preview = await sana.browser.post(`${path}/preview`, { note: "The roof & the rain" });
  for (const told of ["The roof &amp; the rain", "Town Hall", "Community Centre"]) expect(preview.html).toContain(told);
  const form = readPage(shown.html).querySelector<HTMLInputElement>("#moved input[name=form]")!.value;
  expect((await sana.browser.post(path, { form, note: "The roof leaks" })).status).toBe(303);
  // The same form again, and another one, send nothing more, and say so.
  expect((await sana.browser.post(path, { form, note: "The roof leaks" })).status).toBe(303);
  expect((await sana.browser.get(path)).html).toContain("The holders were told before. Nothing was sent again.");
  const again = await peter.browser.post(path, { form: randomUUID(), note: "" });
  expect([again.status, textOf(again.html).includes("Nothing was sent again.")]).toEqual([409, true]);
  // Whoever has cancelled by then gets none.
  const { tickets } = (await amina.find(order)).data as { tickets: { id: string }[] };
  await amina.cancel(
    order,
    tickets.map(({ id }) => id),
  );
  const emails = await readEmails();
  expect(emails.map(({ recipient }) => recipient)).toEqual(["bilal@example.com"]);
  expect(emails[0].subject).toBe("Charity dinner has another time or place");
  for (const told of ["Where: Community Centre", "Instead of: Town Hall", "The roof leaks", "Your tickets stay valid."])
    expect(emails[0].text_body).toContain(told);
  expect(emails[0].text_body).not.toContain("Instead of: Saturday");
  expect(textOf((await sana.browser.get(path)).html)).toContain(`${sana.name} told the holders`);
  expect(textOf((await peter.browser.get("/admin/audit")).html)).toContain(
    "told the ticket holders about the new time or place of event Charity dinner",
  );
});

test("EVT-13: each holder reads the place that they know, however often it moved, and none if it moved back", async () => {
  const { id, event, move, buyLater } = await sell();
  await move("Community Centre");
  await buyLater();
  await move("Library");
  const tell = (services = site.services, person = sana) =>
    tellHolders(services, { id: randomUUID(), event, note: "" }, person.actor);
  const results = await Promise.allSettled([tell(), tell(site.besides, peter), tell()]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const emails = await readEmails();
  expect(emails.map(({ text_body }) => /Instead of: (.+)/.exec(text_body)![1]).sort()).toEqual([
    "Community Centre",
    "Town Hall",
    "Town Hall",
  ]);
  await move("Elsewhere");
  await move("Library");
  expect(await tell()).toBe(0);
  expect(await readEmails()).toEqual([]);
  // What holders do not notice is no move.
  await site.pool.query("update events set title = 'Charity lunch' where id = $1", [id]);
  await expect(tell()).rejects.toThrow("Nothing was sent again.");
});

test("EVT-13: an order without an email, such as one sold at the door, is named, because nothing tells its buyer", async () => {
  const { id, path, move } = await sell();
  const { rows: types } = await site.pool.query("select id from ticket_types where event_id = $1 and code = 'vip'", [
    id,
  ]);
  const given = { form: randomUUID(), kind: "door", first_name: "Noor", last_name: "Ali", email: "" };
  await sana.browser.post(path.replace("/moved", "/give"), { ...given, [`type-${types[0].id}`]: "1" });
  await move("Community Centre");
  const { html } = await sana.browser.get(path);
  const { rows } = await site.pool.query("select id from ticket_orders where event_id = $1 and email = ''", [id]);
  expect(readPage(html).querySelector(`dd a[href="/admin/orders/${rows[0].id}"]`)?.textContent).toBe("Noor Ali");
  expect(textOf(html)).toContain("Send it to 2 people");
});
