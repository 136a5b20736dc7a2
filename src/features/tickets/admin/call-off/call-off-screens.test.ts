import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { formatEventWhen } from "#shared/events/event-clock.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import { type Person, planEvent } from "#test/called-off-event.ts";
import { readPage } from "#test/read-page.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { settleRefunds } from "#test/ticket-buyer.ts";
import { continueCallOffs } from "../../server/call-off/continue-call-offs.ts";

let site: RefundSite;
let sana: Person;
let amina: Person;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000" });
  sana = await site.join("events");
  amina = await site.join("treasurer");
});
beforeEach(async () => {
  for (const person of [sana, amina]) {
    person.browser = { ...(await site.openBrowser(person.id)), id: person.id, name: person.name };
  }
});
afterAll(() => site.close());

const vip = [{ type: "vip", quantity: 1 }];
const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");
const hidden = (html: string, form: string, name: string) =>
  readPage(html).querySelector<HTMLInputElement>(`#${form} input[name=${name}]`)!.value;

/** An event with three orders of two buyers: one by card, one by PayPal, one free. */
async function sell() {
  const event = await planEvent(site, sana, { standard: { price_cents: 0 } });
  const [card, payPal] = [await event.buyer(), await event.buyer()];
  const { order } = await card.book(event.slug, vip);
  const { data } = await payPal.hold(event.slug, [{ type: "vip", quantity: 2 }]);
  await payPal.pay(data, { payPal: true, changes: { email: "bilal@example.com" } });
  const { data: free } = await payPal.hold(event.slug, [{ type: "standard", quantity: 1 }]);
  await payPal.bookFree(free);
  return { ...event, card, order };
}

test("EVT-9: the screen says first how many orders, tickets and people it concerns, what goes back, what the email says, and who approves", async () => {
  const { screen } = await sell();
  const details = await sana.browser.get(screen.replace("/call-off", ""));
  expect(readPage(details.html).querySelector(`a.btn[href="${screen}"]`)!.textContent).toBe("Call off this event");
  const { html } = await sana.browser.get(screen);
  const text = textOf(html);
  for (const told of [
    "3 orders with 4 tickets of 2 people are cancelled.",
    "It all goes back: $100.00 by card and $200.00 by PayPal. 1 order cost nothing.",
    "They stop as soon as you ask.",
    "it says that tickets are not on sale at the moment, and once it is approved, that the event has been called off.",
    "one email goes out for each order",
    "Charity dinner has been called off. Tickets for it are no longer valid.",
    "can approve it, and gets an email. Until then nothing is cancelled or refunded.",
    "Ask to call off this event, and refund $300.00 for 4 tickets",
  ]) {
    expect(text.toLowerCase(), told).toContain(told.toLowerCase());
  }
  expect(text).toContain(amina.name);
  const preview = await sana.browser.post(`${screen}/preview`, { reason: "A storm & a flood" });
  expect(preview.html).toContain("A storm &amp; a flood");
  const event = (await findEventOfScreen(site.database, screen.split("/")[3]!))!;
  expect(preview.html).toContain(`It was planned for: ${formatEventWhen(event)}`);
  // Whoever may not plan events sees what would happen, and no form.
  expect(readPage((await amina.browser.get(screen)).html).querySelector("form#call-off")).toBeNull();
});

test("EVT-9, EVT-12: one asks, another approves; dashboard, progress, orders and audit trail say what happened", async () => {
  const { screen, order, id } = await sell();
  const first = await sana.browser.get(screen);
  const form = hidden(first.html, "call-off", "form");
  const empty = await sana.browser.post(screen, { form, reason: " " });
  expect([empty.status, textOf(empty.html).includes("Say why, for the email.")]).toEqual([422, true]);
  expect((await sana.browser.post(screen, { form, reason: "A storm" })).status).toBe(303);
  // The same form again is the same request.
  expect((await sana.browser.post(screen, { form, reason: "A storm" })).status).toBe(303);
  const { rows: asked } = await site.pool.query("select id from call_off_requests where event_id = $1", [id]);
  expect(asked).toHaveLength(1);
  const request = asked[0].id as string;
  const mine = textOf((await sana.browser.get(screen)).html);
  expect(mine).toContain("You asked for this, so someone else has to approve it.");
  expect(textOf((await amina.browser.get("/admin")).html)).toContain(
    `Calling off Charity dinner${sana.name} asked for it. It is waiting for a second person`,
  );
  // An administrator could decide, but not their own request.
  const boss = await site.join("administrator");
  const { screen: theirs, ask } = await planEvent(site, sana);
  await ask(boss);
  const linkOf = async (person: Person) =>
    readPage((await person.browser.get("/admin")).html).querySelector(`main a[href="${theirs}"]`);
  expect([await linkOf(boss), (await linkOf(amina))?.textContent]).toEqual([null, "Calling off Charity dinner"]);
  const jobs = await site.pool.query(
    "select count(*)::integer as count from pgboss.job where data ->> 'template' = 'staff-call-off-to-approve'",
  );
  expect(jobs.rows[0].count).toBeGreaterThan(0);
  const waiting = await amina.browser.get(screen);
  expect(textOf(waiting.html)).toContain("Approve, and refund $300.00");
  expect(hidden(waiting.html, "approve", "request")).toBe(request);
  expect((await sana.browser.post(`${screen}/approve`, { request })).status).toBe(403);
  expect((await amina.browser.post(`${screen}/approve`, { request })).status).toBe(303);
  expect(textOf((await amina.browser.get(screen)).html)).toContain("Still to cancel3");
  await continueCallOffs(site.services);
  await site.pool.query(
    `update refunds set state = 'failed', next_check_at = null, provider_status = 'PayWay''s refund is declined (54)'
      where attempt_id in (select id from payment_attempts where ticket_order_id = $1)`,
    [order.id],
  );
  const progress = await amina.browser.get(screen);
  for (const told of [
    "On their way1, $200.00",
    "Need somebody1",
    "Cost nothing1",
    "1 order needs somebody",
    "The provider did not make the refund. The card has expired, so the money has to go back another way. Code: 54.",
    "Try again, or pay by hand",
    order.reference,
    `${sana.name} asked for it`,
    `${amina.name} approved it`,
  ]) {
    expect(textOf(progress.html)).toContain(told);
  }
  expect(textOf((await sana.browser.get(screen)).html)).not.toContain("Try again, or pay by hand");
  expect((await sana.browser.post(`${screen}/retry`, { order: order.id })).status).toBe(403);
  expect((await amina.browser.post(`${screen}/retry`, { order: order.id })).status).toBe(303);
  const refused = await amina.browser.post(`${screen}/retry`, { order: order.id });
  expect([refused.status, textOf(refused.html).includes("Nothing more was refunded.")]).toEqual([409, true]);
  await settleRefunds(site);
  const admin = await site.join("administrator");
  const done = textOf((await admin.browser.get(screen)).html);
  expect(done).toContain("Refunded2, $300.00");
  expect(done).not.toContain("needs somebody");
  const shown = textOf((await admin.browser.get(`/admin/orders/${order.id}`)).html);
  for (const told of [
    "Event called off",
    "The event was called off: the order was cancelled.",
    "asked for the refund again",
  ])
    expect(shown).toContain(told);
  const list = textOf((await admin.browser.get(`/admin/orders?event=${id}&state=called-off`)).html);
  expect(list).toContain("Orders found3");
  const trail = textOf((await admin.browser.get("/admin/audit")).html);
  for (const told of ["asked to call off event Charity dinner", "approved calling off event Charity dinner"])
    expect(trail).toContain(told);
});

test("EVT-12: the list of events, the event's details and the screens of its tickets say that calling it off waits, and then that it is called off", async () => {
  const { screen, event, ask, approve } = await sell();
  const details = `/admin/events/${event.screenId}`;
  const read = async (path: string) => readPage((await sana.browser.get(path)).html);
  const told = async () => {
    const row = (await read("/admin/events")).querySelector(`tr[data-id="${event.screenId}"] .s-c`)!;
    const shown = [row.textContent!];
    const asks = (await read(details)).querySelector(`a.btn[href="${screen}"]`) !== null;
    expect(asks, "asks to call it off").toBe(row.textContent === "Published");
    for (const end of ["", "/tickets", "/give", "/waiting", "/report"]) {
      const page = await read(`${details}${end}`);
      const note = page.querySelector(`.note:has(a[href="${screen}"])`);
      shown.push(note?.querySelector("b")?.textContent ?? "");
    }
    return shown;
  };
  expect(await told()).toEqual(["Published", "", "", "", "", ""]);
  const request = await ask(sana);
  const waits = "Calling off waits for approval";
  expect(await told()).toEqual([`Published${waits}`, waits, waits, waits, waits, waits]);
  expect((await read(`${details}/give`)).querySelector("form#give")).toBeNull();
  await approve(request, amina);
  expect(await told()).toEqual(["PublishedCalled off", ...Array(5).fill("Called off")]);
});

test("EVT-9: a form that is sent again after its request was withdrawn asks again, with its new reason", async () => {
  const { screen, id } = await sell();
  const form = hidden((await sana.browser.get(screen)).html, "call-off", "form");
  await sana.browser.post(screen, { form, reason: "A strom" });
  const other = await sana.browser.post(screen, { form, reason: "A storm" });
  expect([other.status, textOf(other.html).includes("has asked to call off this event")]).toEqual([409, true]);
  const request = hidden((await sana.browser.get(screen)).html, "withdraw", "request");
  await sana.browser.post(`${screen}/withdraw`, { request });
  expect((await sana.browser.post(screen, { form, reason: "A storm" })).status).toBe(303);
  const { rows } = await site.pool.query(
    "select decision, reason from call_off_requests where event_id = $1 order by 2",
    [id],
  );
  expect(rows).toEqual([
    { decision: null, reason: "A storm" },
    { decision: "withdrawn", reason: "A strom" },
  ]);
});

test("EVT-9: declined with a reason, whoever asked can read it and ask again", async () => {
  const { screen, ask } = await sell();
  const request = await ask(sana);
  const refused = await amina.browser.post(`${screen}/decline`, { request, why: "" });
  expect(textOf(refused.html)).toContain("Please say why.");
  expect((await amina.browser.post(`${screen}/decline`, { request, why: "We have a hall" })).status).toBe(303);
  const { html } = await sana.browser.get(screen);
  expect(textOf(html)).toContain("“We have a hall”");
  expect(hidden(html, "call-off", "form")).not.toBe(request);
});

test("EVT-9, EVT-12: what was taken at the door is to give back, each of its orders is named, and who has no email is counted", async () => {
  const { screen, id, ask, approve } = await planEvent(site, sana);
  const { rows: types } = await site.pool.query("select id from ticket_types where event_id = $1 and code = 'vip'", [
    id,
  ]);
  const given = { kind: "door", first_name: "Noor", last_name: "Ali", email: "", [`type-${types[0].id}`]: "1" };
  for (const form of [randomUUID(), randomUUID()]) {
    const sold = await sana.browser.post(screen.replace("/call-off", "/give"), { ...given, form });
    expect(sold.status, sold.html).toBe(303);
  }
  const outlook = textOf((await sana.browser.get(screen)).html);
  expect(outlook).toContain("2 orders with 2 tickets of 2 people are cancelled.");
  expect(outlook).toContain("Emails2 orders have no email address: tell their buyers yourselves.");
  await approve(await ask(sana), amina);
  await continueCallOffs(site.services);
  const { html } = await amina.browser.get(screen);
  expect(textOf(html)).toContain("Taken at the door, to give back2, $200.00");
  expect(textOf(html)).not.toContain("Cost nothing");
  const { rows } = await site.pool.query("select id from ticket_orders where event_id = $1", [id]);
  const link = readPage(html).querySelector(`[aria-labelledby=h-taken] a[href="/admin/orders/${rows[0].id}"]`);
  expect(link?.textContent).toBe("Noor Ali");
});

test("ORD-6, EVT-11, EVT-12: what was taken for tickets that staff had cancelled before is not to give back a second time", async () => {
  const { screen, id, ask, approve } = await planEvent(site, sana);
  const { rows: types } = await site.pool.query("select id from ticket_types where event_id = $1 and code = 'vip'", [
    id,
  ]);
  const person = { first_name: "Noor", last_name: "Ali", email: "noor@example.com" };
  const form = { kind: "door", form: randomUUID(), ...person, [`type-${types[0].id}`]: "3" };
  await sana.browser.post(screen.replace("/call-off", "/give"), form);
  const { rows: tickets } = await site.pool.query(
    "select tickets.id, order_id from tickets join ticket_orders on ticket_orders.id = order_id where event_id = $1",
    [id],
  );
  const orderId = tickets[0].order_id;
  const cancelling = { step: "cancel", tickets: tickets[0].id };
  expect((await sana.browser.post(`/admin/orders/${orderId}/cancel-tickets`, cancelling)).status).toBe(303);
  expect(textOf((await sana.browser.get(screen)).html)).toContain("$200.00 was taken at the door");
  await approve(await ask(sana), amina);
  await continueCallOffs(site.services);
  const { html } = await amina.browser.get(screen);
  expect(textOf(html)).toContain("Taken at the door, to give back1, $200.00");
  expect(readPage(html).querySelector("[aria-labelledby=h-taken] .num")!.textContent).toBe("$200.00");
  await site.pool.query("truncate mailbox_messages");
  await sendEmails(site.services)({ template: "event-called-off", orderId });
  const { rows: emails } = await site.pool.query("select text_body from mailbox_messages");
  expect(emails[0].text_body.replace(/\s+/g, " ")).toContain("You paid us $200.00 in person for tickets of your order");
});

test("EVT-9: nobody can ask while nobody else could approve: the screen says so, without a button", async () => {
  const { screen, id } = await sell();
  const buttonIn = async () => {
    const { html } = await boss.browser.get(screen);
    return { button: readPage(html).querySelector("#call-off .btn.danger") !== null, text: textOf(html) };
  };
  const boss = await site.join("administrator");
  expect((await buttonIn()).button).toBe(true);
  await site.pool.query("update staff set roles = '{editor}' where id <> $1", [boss.id]);
  const alone = await buttonIn();
  expect([alone.button, alone.text.includes("Nobody else may approve it")]).toEqual([false, true]);
  const sent = await boss.browser.post(screen, { form: randomUUID(), reason: "A storm" });
  expect(sent.status).toBe(409);
  expect((await site.pool.query("select from call_off_requests where event_id = $1", [id])).rowCount).toBe(0);
});
