import { afterAll, beforeAll, expect, test } from "vitest";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { createBuyer } from "#test/ticket-buyer.ts";
import { linkIn, sellOut } from "#test/waiting-list.ts";
import { continueCallOffs } from "../call-off/continue-call-offs.ts";
import { freeLapsedHolds } from "../hold/lapsed-holds.ts";
import { findWaitingEntry } from "./find-entries.ts";
import { offerFreeSeats } from "./offer-seats.ts";
import { waitingLinks } from "./waiting-links.ts";

const HOUR_MS = 3_600_000;

let site: RefundSite;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000", LOG_LEVEL: "silent" });
});
afterAll(() => site.close());

const stranger = async () => createBuyer(site, await site.visitor("203.0.113.200"));
const vip = (quantity: number) => [{ type: "vip", quantity }];
const allIsWell = { moneyWithoutTickets: [], ticketsWithoutMoney: [], codesUsedTooOften: [], countersThatDiffer: [] };

test("WAIT-1: people join when a type is sold out, are told by email, and keep their place if they join again", async () => {
  const event = await sellOut(site);
  const joined = await event.join("Amina", 2);
  expect([joined.code, joined.message]).toEqual(["200", "You are on the waiting list. We have sent you an email."]);
  const again = await event.join("Amina", 1);
  expect([again.code, again.message]).toEqual([joined.code, joined.message]);
  expect(await event.standing()).toEqual({ Amina: "waiting" });
  const [email] = await event.emails("waiting-joined");
  expect(email).toMatchObject({
    recipient: event.addressOf("Amina"),
    subject: "You are on the waiting list for Charity dinner",
  });
  for (const said of ["for 2 tickets", "yours alone for 24 hours", "VIP Seat × 2"]) {
    expect(email!.text_body).toContain(said);
  }
  expect(linkIn(email!.text_body, "waiting-list")).not.toBeNull();
  // Anybody can enter another person's address, and our email must not carry their words to it.
  expect(email!.text_body).not.toMatch(/Amina|Raza/);

  expect(await event.join("Bilal", 1, { captcha: undefined })).toMatchObject({ error: "captcha_dearer", effort: 1 });
  const wrong = [
    await event.join("Bilal", 1, { type: "standard" }),
    await event.join("Bilal", 1, { type: "nothing" }),
    await event.join("Bilal", 11),
    await event.join("Bilal", 0),
    await event.join("Bilal", 1, { email: "bilal@" }),
    await event.join("Bilal", 1, { event: "no-such-event" }),
  ];
  expect(wrong.map(({ code, error }) => [code, error])).toEqual([
    ["409", "not_sold_out"],
    ...Array.from({ length: 4 }, () => ["422", "invalid_input"]),
    ["404", "not_found"],
  ]);
  expect(await event.standing()).toEqual({ Amina: "waiting" });
});

test("REL-13: an event that fails holds up no other, neither where holds lapse nor where seats are offered", async () => {
  const [first, second] = [await sellOut(site, 2), await sellOut(site, 2)];
  for (const event of [first, second]) {
    await event.join("Amina");
    await event.buyer.hold(event.slug, [{ type: "standard", quantity: 1 }]);
    await site.pool.query("update ticket_types set capacity = capacity + 1 where event_id = $1", [event.id]);
  }
  // The tables refuse whatever changes the first event's seats.
  await site.pool.query(`
    create function refuse_changes() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse_changes before update on ticket_types
      for each row when (new.event_id = ${first.id}) execute function refuse_changes()`);
  const states = async (table: string, column: string, { id }: { id: number }) =>
    (await site.pool.query(`select ${column} as is from ${table} where event_id = $1`, [id])).rows.map((row) => row.is);
  try {
    site.clock.advance(901_000);
    await expect(freeLapsedHolds(site.database, site.clock.now())).rejects.toThrow("failed for 1 of 2");
    expect(await states("ticket_orders", "state", second)).toContain("lapsed");
    expect(await states("ticket_orders", "state", first)).not.toContain("lapsed");
    await expect(offerFreeSeats(site.services)).rejects.toThrow("failed for 1 of 2");
    expect(await second.standing()).toEqual({ Amina: "held" });
  } finally {
    await site.pool.query("drop trigger refuse_changes on ticket_types; drop function refuse_changes");
  }
});

test("WAIT-5: a place on the list is found by its id, and whatever is no id finds none", async () => {
  const event = await sellOut(site, 2);
  await event.join("Amina");
  const { rows } = await site.pool.query("select id from waiting_entries where event_id = $1", [event.id]);
  expect(await waitingLinks.findId(site.database, rows[0].id.toUpperCase())).toBe(rows[0].id);
  expect(await waitingLinks.findId(site.database, "-".repeat(36))).toBeUndefined();
});

test("WAIT-1: a type of a link is joined with its key only; not after the sale, the event or its calling off", async () => {
  const closed = await sellOut(site, 2);
  const set = (columns: string) =>
    site.pool.query(`update ticket_types set ${columns} where event_id = $1`, [closed.id]);
  await set("visibility = 'link', access_key = 'opensesame'");
  expect((await closed.join("Amina")).error).toBe("invalid_input");
  expect((await closed.join("Amina", 1, { access: "opensesame" })).code).toBe("200");
  await set(`sales_until = '${new Date(site.clock.now().getTime() - 1).toISOString()}'`);
  expect((await closed.join("Bilal", 1, { access: "opensesame" })).error).toBe("not_on_sale");
});

test("WAIT-1, WAIT-3: nobody waits for more seats than there are, and who does since there are fewer stops no sale", async () => {
  const event = await sellOut(site);
  expect(await event.join("Family", 5)).toMatchObject({
    error: "invalid_input",
    data: { quantity: ["There are only 4 VIP Seat tickets in all"] },
  });
  await event.join("Family", 4);
  await event.free(2);
  await site.pool.query("update ticket_types set capacity = 3 where event_id = $1 and code = 'vip'", [event.id]);
  await event.offer();
  expect(await event.vip()).toMatchObject({ keeps_seats: false });
  expect((await (await stranger()).hold(event.slug, vip(1))).code).toBe("200");
});

test("WAIT-2: a freed seat is offered to whoever waits longest, is theirs alone, and is bought like any other", async () => {
  const event = await sellOut(site);
  for (const name of ["Amina", "Bilal", "Celia"]) await event.join(name);
  await event.free(2);
  // Between the cancellation and the offer nobody else gets them.
  expect(await event.vip()).toMatchObject({ sold: 2, held: 0, keeps_seats: true });
  const refused = await (await stranger()).hold(event.slug, vip(1));
  expect([refused.error, refused.message]).toEqual([
    "seats_gone",
    "VIP Seat is sold out, or others are holding the last seats.",
  ]);
  await event.offer();
  expect(await event.standing()).toEqual({ Amina: "held", Bilal: "held", Celia: "waiting" });
  expect((await (await stranger()).hold(event.slug, vip(1))).error).toBe("seats_gone");
  const emails = await event.emails("waiting-offer");
  expect(emails.map(({ recipient }) => recipient)).toEqual([event.addressOf("Amina"), event.addressOf("Bilal")]);
  expect(emails[0]!.subject).toBe("Your seats for Charity dinner are here");
  const [, id, key] = linkIn(emails[0]!.text_body, "ticket-orders");
  const held = await event.buyer.find({ id: id!, key: key! });
  expect(held.data).toMatchObject({ state: "held", total: 100, lines: [{ type: "vip", quantity: 1 }] });
  expect(Date.parse(held.data.holdUntil) - Date.parse(held.data.now)).toBeGreaterThan(23 * HOUR_MS);
  const { answer } = await event.buyer.pay(
    { id: id!, key: key!, total: 100 },
    { changes: { email: event.addressOf("Amina") } },
  );
  expect(answer.code).toBe("200");
  expect(await event.standing()).toEqual({ Amina: "paid", Bilal: "held", Celia: "waiting" });
  expect(await event.books()).toEqual(allIsWell);
});

test("WAIT-2: an offer ends after its hours, never after the sale, and the next is asked; an expired one joins again at the end", async () => {
  const event = await sellOut(site, 2);
  for (const name of ["Amina", "Bilal"]) await event.join(name);
  await event.free(1);
  await event.offer();
  site.clock.advance(24 * HOUR_MS + 1);
  await freeLapsedHolds(site.database, site.clock.now());
  await event.offer();
  expect(await event.standing()).toEqual({ Amina: "lapsed", Bilal: "held" });
  const last = new Date(site.clock.now().getTime() + 2 * HOUR_MS);
  expect((await event.join("Amina")).code).toBe("200");
  await site.pool.query("update ticket_types set sales_until = $2 where event_id = $1", [event.id, last]);
  await event.free(1);
  await event.offer();
  const { rows } = await site.pool.query(
    "select hold_until as until from ticket_orders where event_id = $1 order by created_at desc limit 1",
    [event.id],
  );
  expect(rows[0].until).toEqual(last);
  expect(await event.books()).toEqual(allIsWell);
});

test("WAIT-2: an offer takes a code and fewer seats, is held as long as before, and its links and place follow it", async () => {
  const event = await sellOut(site);
  await event.join("Amina", 2);
  await event.free(2);
  await event.offer();
  const [email] = await event.emails("waiting-offer");
  const [, id, key] = linkIn(email!.text_body, "ticket-orders");
  const [, entryId, placeKey] = linkIn(email!.text_body, "waiting-list");
  await site.database
    .insertInto("discount_codes")
    .values({ event_id: event.id, code: "SPRING", percent: 20, most_per_order: 10 })
    .execute();
  const visitor = await site.visitor("203.0.113.201");
  const buyer = createBuyer(site, visitor);
  const offered = (await buyer.find({ id: id!, key: key! })).data;
  expect(offered).toMatchObject({ isOffer: true, total: 200 });

  const hold = (lines: Parameters<typeof buyer.hold>[1], more: Record<string, unknown> = {}) =>
    buyer.hold(event.slug, lines, { instead: { id, key }, ...more });
  for (const lines of [vip(3), [...vip(1), { type: "standard", quantity: 1 }]]) {
    const refused = await hold(lines);
    expect([refused.error, refused.message]).toEqual([
      "seats_gone",
      "The waiting list has brought you VIP Seat × 2. You can take fewer, but no more and no others in this order.",
    ]);
  }
  // Whoever was offered them needs no key, even if only a link shows them.
  await site.pool.query(
    "update ticket_types set visibility = 'link', access_key = 'k' where event_id = $1 and code = 'vip'",
    [event.id],
  );
  // Their order has the link's key, with which the pages to choose and to pay show the type.
  expect((await buyer.find({ id: id!, key: key! })).data).toMatchObject({ access: "k" });
  expect(await findWaitingEntry(site.services, entryId!, placeKey!)).toMatchObject({ access: "k" });
  const cheaper = await hold(vip(2), { discount: "spring" });
  expect(cheaper.data).toMatchObject({ isOffer: true, total: 160, holdUntil: offered.holdUntil });
  const instead = { id: cheaper.data.id, key: cheaper.data.key };
  const fewer = await hold(vip(1), { discount: "spring", instead });
  expect(fewer.data).toMatchObject({ isOffer: true, total: 80, holdUntil: offered.holdUntil });
  const { data } = fewer;
  // Another choice in the same browser leaves it alone, and an address may hold as much as before.
  const other = await buyer.hold(event.slug, [{ type: "standard", quantity: 4 }]);
  expect([other.code, other.data.isOffer]).toEqual(["200", undefined]);
  expect((await hold(vip(2), { instead: { id: data.id, key: data.key } })).error).toBe("seats_gone");

  // The link in the email leads to the order of now.
  const byLink = (await buyer.find({ id: id!, key: key! })).data;
  expect(byLink).toMatchObject({ id: data.id, state: "held", lines: [{ quantity: 1 }], total: 80 });
  expect((await buyer.find(byLink)).data.id).toBe(data.id);
  const place = await findWaitingEntry(site.services, entryId!, placeKey!);
  expect(place).toMatchObject({ state: "offered", quantity: 1, until: offered.holdUntil });
  expect((place as { orderUrl: string }).orderUrl).toContain(data.id);
  expect(await event.standing()).toEqual({ Amina: "held" });
  expect(await event.vip()).toMatchObject({ sold: 2, held: 1 });
  expect((await buyer.pay(byLink)).answer.code).toBe("200");
  expect(await event.standing()).toEqual({ Amina: "paid" });
  expect((await buyer.find({ id: id!, key: key! })).data.state).toBe("paid");
  expect(await event.books()).toEqual(allIsWell);
});

test("WAIT-2: an offer that has ended cannot be changed any more, and its seats go to the next", async () => {
  const event = await sellOut(site, 2);
  for (const name of ["Amina", "Bilal"]) await event.join(name);
  await event.free(1);
  await event.offer();
  const [email] = await event.emails("waiting-offer");
  const [, id, key] = linkIn(email!.text_body, "ticket-orders");
  site.clock.advance(24 * HOUR_MS + 1);
  const buyer = await stranger();
  expect((await buyer.hold(event.slug, vip(1), { instead: { id, key } })).error).toBe("seats_gone");
  await freeLapsedHolds(site.database, site.clock.now());
  await event.offer();
  expect(await event.standing()).toEqual({ Amina: "lapsed", Bilal: "held" });
  expect((await buyer.find({ id: id!, key: key! })).data).toMatchObject({ state: "lapsed", isOffer: true });
});

test("WAIT-3: a family has freed seats kept for it; then the next who fits is asked, and what fits nobody is on sale", async () => {
  const event = await sellOut(site, 6);
  await event.join("Family", 4);
  await event.join("Bilal", 1);
  await event.free(2);
  await event.offer();
  expect(await event.standing()).toEqual({ Family: "waiting", Bilal: "waiting" });
  expect((await (await stranger()).hold(event.slug, vip(1))).error).toBe("seats_gone");
  site.clock.advance(24 * HOUR_MS + 1);
  await event.offer();
  expect(await event.standing()).toEqual({ Family: "waiting", Bilal: "held" });
  const buyer = await stranger();
  const { code, data } = await buyer.hold(event.slug, vip(1));
  expect(code).toBe("200");
  // Once there are enough, the family is first.
  await event.free(4);
  await event.offer();
  expect(await event.standing()).toMatchObject({ Family: "held" });
  expect((await buyer.find(data)).data.state).toBe("held");
  expect(await event.books()).toEqual(allIsWell);
});

test("WAIT-3: who holds seats can hold as many again while others wait, but no more of them", async () => {
  const event = await sellOut(site, 2);
  await event.free(2);
  const buyer = await stranger();
  const { data } = await buyer.hold(event.slug, vip(2));
  await event.join("Amina");
  const instead = { id: data.id, key: data.key };
  const longer = await buyer.hold(event.slug, vip(2), { instead });
  expect(longer.code).toBe("200");
  const fewer = await buyer.hold(event.slug, vip(1), { instead: { id: longer.data.id, key: longer.data.key } });
  expect(fewer.code).toBe("200");
  const more = await buyer.hold(event.slug, vip(2), { instead: { id: fewer.data.id, key: fewer.data.key } });
  expect(more.error).toBe("seats_gone");
  expect((await buyer.find(fewer.data)).data.state).toBe("held");
  await event.offer();
  expect(await event.standing()).toEqual({ Amina: "held" });
});

test("WAIT-5: leaving is one call of the link's holder, gives back what was offered, and opens the sale when nobody waits", async () => {
  const event = await sellOut(site, 2);
  for (const name of ["Amina", "Bilal"]) await event.join(name);
  await event.free(1);
  await event.offer();
  const [, id, key] = linkIn((await event.emails("waiting-offer"))[0]!.text_body, "waiting-list");
  const visitor = await site.visitor();
  const leave = (by: string) => visitor.post(`/api/waiting-list/${id}/leave`, { key: by });
  expect((await leave("wrong")).error).toBe("not_found");
  expect((await leave(key!)).code).toBe("200");
  expect((await leave(key!)).code).toBe("200");
  expect(await event.standing()).toEqual({ Amina: "left", Bilal: "held" });
  expect(await event.vip()).toMatchObject({ sold: 1, held: 1, keeps_seats: false });
  expect((await event.join("Celia")).code).toBe("200");
  const [joined] = (await event.emails("waiting-joined")).filter(({ recipient }) => recipient.startsWith("celia"));
  const [, celia, hers] = linkIn(joined!.text_body, "waiting-list");
  await event.free(1);
  expect(await event.vip()).toMatchObject({ keeps_seats: true });
  expect((await visitor.post(`/api/waiting-list/${celia}/leave`, { key: hers })).code).toBe("200");
  expect(await event.vip()).toMatchObject({ keeps_seats: false });
  expect((await (await stranger()).hold(event.slug, vip(1))).code).toBe("200");
  expect(await event.books()).toEqual(allIsWell);
});

test("WAIT-2, WAIT-7: nothing is offered while sales are stopped; once the event is called off, those who wait are told, once", async () => {
  const event = await sellOut(site, 2);
  await event.join("Amina");
  await event.join("Bilal");
  const approver = await site.join("administrator");
  const requestId = await event.ask(event.planner);
  await event.free(1);
  await event.offer();
  expect(await event.standing()).toEqual({ Amina: "waiting", Bilal: "waiting" });
  await site.pool.query("update waiting_entries set left_at = now() where event_id = $1 and first_name = 'Bilal'", [
    event.id,
  ]);
  await event.approve(requestId, approver);
  const processes = [site.services, site.besides, site.services, site.besides];
  await Promise.all(processes.map((each) => continueCallOffs(each)));
  const sent = "select from pgboss.job where name = 'emails' and data ->> 'template' = 'waiting-called-off'";
  expect((await site.pool.query(sent)).rowCount).toBe(1);
  const told = await event.emails("waiting-called-off");
  expect(told.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    [event.addressOf("Amina"), "Charity dinner has been called off"],
  ]);
  for (const said of ["Nothing was booked or charged for that.", "It was planned for: "]) {
    expect(told[0]!.text_body).toContain(said);
  }
});

test("WAIT-4: 200 people, 50 freed seats, and connections that are killed: each seat goes to one of the first 50, none is lost", async () => {
  const event = await sellOut(site, 60);
  const at = site.clock.now();
  await site.pool.query(
    `insert into waiting_entries (id, event_id, type_id, quantity, email, first_name, last_name, joined_at)
     select gen_random_uuid(), $1, (select id from ticket_types where event_id = $1 and code = 'vip'), 1,
            'person' || n || '@example.com', 'Person' || n, 'Raza', $2::timestamptz + n * interval '1 millisecond'
       from generate_series(1, 200) n`,
    [event.id, at],
  );
  let isOver = false;
  let killed = 0;
  const kill = async () => {
    while (!isOver) {
      const { rowCount } = await site.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and datname = current_database() and state <> 'idle'
            and query ~ '(waiting_entries|lock_seats|lapse_holds|ticket_order_lines)' limit 1`,
      );
      killed += rowCount ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 7));
    }
  };
  const offer = async () => {
    // As the scheduler does: what fails is tried again at the next tick.
    while (!isOver) await offerFreeSeats(site.besides).catch(() => undefined);
  };
  const working = [kill(), offer(), offer(), offer()];
  for (let freed = 0; freed < 50; freed += 1) await retry(() => event.free(1));
  isOver = true;
  await Promise.all(working);
  await event.offer();
  expect(killed).toBeGreaterThan(0);
  const { rows } = await site.pool.query(
    `select first_name, (select count(*)::integer from pgboss.job where name = 'emails'
        and data ->> 'template' = 'waiting-offer' and data ->> 'entryId' = waiting_entries.id::text) as emails
       from waiting_entries where event_id = $1 and offered_at is not null order by joined_at`,
    [event.id],
  );
  expect(rows).toEqual(Array.from({ length: 50 }, (_, index) => ({ first_name: `Person${index + 1}`, emails: 1 })));
  expect(await event.vip()).toEqual({ capacity: 60, sold: 10, held: 50, keeps_seats: true });
  expect(await event.books()).toEqual(allIsWell);
});

/** A cancellation whose connection was killed is sent again, as browsers do. */
async function retry(act: () => Promise<void>): Promise<void> {
  const count = async () =>
    (await site.pool.query("select count(*) from tickets where cancelled_at is not null")).rows[0].count;
  const before = await count();
  for (;;) {
    await act();
    if ((await count()) > before) return;
  }
}
