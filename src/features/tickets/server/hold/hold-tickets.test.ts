import { afterAll, beforeAll, expect, test } from "vitest";
import { limitKey } from "#shared/limits/limit-key.ts";
import { countMessages, stopClock } from "#test/count-messages.ts";
import { newKey, openTestSite, type TestSite } from "#test/site.ts";
import { countSeats, createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { forgetOldHolds, freeLapsedHolds } from "./lapsed-holds.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_TICKET_HOLDS: "1000", LOG_LEVEL: "error" });
});
afterAll(() => site.close());

const open = async (address?: string) => createBuyer(site, await site.visitor(address));

test("TIC-6: seats are held for a quarter of an hour, priced on the server without fees, lines of one type together", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { code, data } = await buyer.hold(event.slug, [
    { type: "standard", quantity: 1 },
    { type: "vip", quantity: 1 },
    { type: "standard", quantity: 2 },
  ]);
  expect(code).toBe("200");
  expect(data).toMatchObject({ state: "held", total: 250, tickets: [], payment: null, email: "" });
  expect(data.lines).toEqual([
    { type: "vip", title: "VIP Seat", quantity: 1, price: 100 },
    { type: "standard", title: "Standard Seat", quantity: 3, price: 50 },
  ]);
  expect(Date.parse(data.holdUntil) - Date.parse(data.now)).toBeGreaterThan(890_000);
  expect(await countSeats(site, event.id)).toMatchObject({
    vip: { held: 1, promised: 1 },
    standard: { held: 3, promised: 3 },
  });
  const { data: offer } = JSON.parse((await site.app.inject(`/api/ticket-event?event=${event.slug}`)).body);
  expect(offer).toMatchObject({ slug: event.slug, state: "on_sale", holdSeconds: 900 });
  expect(offer.types.map(({ code, left }: { code: string; left: number }) => [code, left])).toEqual([
    ["vip", 19],
    ["standard", 117],
  ]);
});

test("PERF-7, TIC-7: a hold takes 2 messages to the database: one reads what decides, one records it and takes the seats last", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const hold = () => buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  stopClock();
  for (let time = 0; time < 5; time += 1) await hold();
  expect(await countMessages(hold)).toBe(2);
  const { data } = await hold();
  expect((await buyer.find(data)).data).toEqual({ ...data, now: expect.any(String) });
});

test("SEC-5: everything that decides about a hold is read at one moment, so that a hold made in between is noticed", async () => {
  const event = await makeTicketedEvent(site.database);
  const [lock, address] = [event.id, "198.51.100.77"];
  const network = limitKey(site.services.config.secretKey, "hold", "address", address);
  const buyer = await open(address);
  const [looking, waiting] = [await site.pool.connect(), await site.pool.connect()];
  await waiting.query("select pg_advisory_lock($1)", [lock]);
  const since = new Date(0);
  const seen = looking.query(
    "select pg_advisory_xact_lock_shared($1), see_holds($2, $3, null, null, '{}', $4, $5) as seen",
    [lock, event.id, network, since, new Date()],
  );
  const isWaiting = "select from pg_locks where locktype = 'advisory' and not granted and objid = $1";
  await expect.poll(async () => (await site.pool.query(isWaiting, [lock])).rowCount).toBe(1);
  expect((await buyer.hold(event.slug, [{ type: "standard", quantity: 10 }])).code).toBe("200");
  await waiting.query("select pg_advisory_unlock($1)", [lock]);
  expect((await seen).rows[0].seen).toMatchObject({ known: 0, liveSeats: 0 });
  looking.release();
  waiting.release();
  const after = await site.pool.query("select see_holds($1, $2, null, null, '{}', $3, $4) as seen", [
    event.id,
    network,
    since,
    new Date(),
  ]);
  expect(after.rows[0].seen).toMatchObject({ known: 1, liveSeats: 10 });
});

test("TIC-7: a late buyer is told how many seats are left; a refused order holds none", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 3 } });
  const buyer = await open();
  expect((await (await open()).hold(event.slug, [{ type: "vip", quantity: 2 }])).code).toBe("200");
  const refused = await buyer.hold(event.slug, [
    { type: "standard", quantity: 2 },
    { type: "vip", quantity: 2 },
  ]);
  expect(refused).toMatchObject({
    status: "false",
    code: "409",
    error: "seats_gone",
    message: "VIP Seat: only 1 is left.",
  });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 2 }, standard: { held: 0 } });
  expect((await (await open()).hold(event.slug, [{ type: "vip", quantity: 1 }])).code).toBe("200");
  expect((await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }])).message).toBe(
    "VIP Seat is sold out, or others are holding the last seats.",
  );
});

test("TIC-6, TIC-7: lapsed seats are free for the next buyer immediately, swept or not", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 2 } });
  const buyer = await open();
  const { data: first } = await (await open()).hold(event.slug, [{ type: "vip", quantity: 2 }]);
  site.clock.advance(899_000);
  expect((await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }])).error).toBe("seats_gone");
  site.clock.advance(2000);
  expect((await buyer.find(first)).data).toMatchObject({ state: "lapsed" });
  const { data: offer } = JSON.parse((await site.app.inject(`/api/ticket-event?event=${event.slug}`)).body);
  expect(offer.types[0]).toMatchObject({ left: 2, state: "on_sale" });
  expect((await buyer.hold(event.slug, [{ type: "vip", quantity: 3 }])).message).toMatch(/^VIP Seat: only 2 are left/);
  expect((await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }])).code).toBe("200");
  expect((await buyer.find(first)).data).toMatchObject({ state: "lapsed", holdUntil: null });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 2, promised: 2 } });
});

test("TIC-7: the tick frees any number of lapsed holds, and deletes them a month later", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data } = await buyer.hold(event.slug, [
    { type: "vip", quantity: 4 },
    { type: "standard", quantity: 1 },
  ]);
  site.clock.advance(901_000);
  await Promise.all(Array.from({ length: 8 }, () => freeLapsedHolds(site.database, site.clock.now())));
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 0 }, standard: { held: 0 } });
  site.clock.advance(29 * 86_400_000);
  await forgetOldHolds(site.database, { now: site.clock.now(), limit: 500 });
  expect((await buyer.find(data)).data.state).toBe("lapsed");
  site.clock.advance(2 * 86_400_000);
  await forgetOldHolds(site.database, { now: site.clock.now(), limit: 500 });
  expect((await buyer.find(data)).code).toBe("404");
});

test("TIC-6: a repeated hold is the same order, even if many come at the same time; the same key for another request is refused", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 2 } });
  const buyer = await open();
  const key = newKey();
  const lines = [{ type: "vip", quantity: 2 }];
  const answers = await Promise.all(Array.from({ length: 10 }, () => buyer.hold(event.slug, lines, {}, key)));
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 2 } });
  expect((await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }], {}, key)).error).toBe("key_reused");
});

test("TIC-6: a new choice reuses the seats of the earlier one, or leaves it unchanged", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 4 } });
  const buyer = await open();
  const { data: first } = await buyer.hold(event.slug, [{ type: "vip", quantity: 3 }]);
  const instead = { id: first.id, key: first.key };
  expect((await buyer.hold(event.slug, [{ type: "vip", quantity: 5 }], { instead })).message).toBe(
    "VIP Seat: only 4 are left.",
  );
  expect((await buyer.find(first)).data.state).toBe("held");
  const { data: second } = await buyer.hold(event.slug, [{ type: "vip", quantity: 4 }], { instead });
  expect(second.state).toBe("held");
  expect((await buyer.find(first)).data.state).toBe("lapsed");
  // Its seats are freed only with the earlier order's key.
  const stolen = await (await open()).hold(event.slug, [{ type: "vip", quantity: 1 }], {
    instead: { id: second.id, key: first.key },
  });
  expect(stolen.error).toBe("seats_gone");
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 4, promised: 4 } });
});

test("PERF-16: a hold looks among the others only for those that it replaces", async () => {
  await site.pool.query(`
    create table looks (at timestamptz default now());
    create function note_look() returns trigger language plpgsql as 'begin insert into looks default values; return null; end';
    create trigger note_look before update on ticket_orders for each statement execute function note_look()`);
  const count = async () => Number((await site.pool.query("select count(*) from looks")).rows[0].count);
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const first = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  expect([first.code, await count()]).toEqual(["200", 0]);
  const second = await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }]);
  expect([second.code, await count()]).toEqual(["200", 1]);
  await site.pool.query("drop trigger note_look on ticket_orders; drop function note_look; drop table looks");
});

test("TIC-1, TIC-2: no seats are held for a past event, outside the sale window, or beyond an order's limit", async () => {
  const buyer = await open();
  const past = await makeTicketedEvent(site.database, { startsAt: new Date(site.clock.now().getTime() - 86_400_000) });
  expect(await buyer.hold(past.slug, [{ type: "vip", quantity: 1 }])).toMatchObject({
    error: "not_on_sale",
    message: "This event has ended.",
  });
  const at = (days: number) => new Date(site.clock.now().getTime() + days * 86_400_000);
  const later = await makeTicketedEvent(site.database, {
    startsAt: at(20),
    vip: { sales_from: at(1) },
    standard: { sales_until: at(-1) },
  });
  expect((await buyer.hold(later.slug, [{ type: "vip", quantity: 1 }])).message).toBe("VIP Seat is not on sale yet.");
  expect((await buyer.hold(later.slug, [{ type: "standard", quantity: 1 }])).message).toBe(
    "Standard Seat is no longer on sale.",
  );
  const event = await makeTicketedEvent(site.database, { startsAt: at(20) });
  const tooMany = await buyer.hold(event.slug, [
    { type: "vip", quantity: 6 },
    { type: "vip", quantity: 5 },
  ]);
  expect(tooMany).toMatchObject({ code: "422", data: { lines: ["VIP Seat: choose at most 10"] } });
  expect((await buyer.hold(event.slug, [{ type: "vip", quantity: 0 }])).data).toEqual({
    lines: ["Choose at least one ticket"],
  });
  expect((await buyer.hold(event.slug, [{ type: "balcony", quantity: 1 }])).data).toEqual({
    lines: ["Choose from the tickets of this event"],
  });
  for (const quantity of [-1, 1.5, 10_000, "2"]) {
    expect((await buyer.hold(event.slug, [{ type: "vip", quantity } as never])).code).toBe("422");
  }
  expect((await buyer.hold("no-such-event", [{ type: "vip", quantity: 1 }])).code).toBe("404");
});

test("TIC-1: without a name the next event with tickets is found; one without tickets or with an unknown name is not found", async () => {
  const soon = await makeTicketedEvent(site.database, { startsAt: new Date(site.clock.now().getTime() + 3_600_000) });
  const find = async (query: string) => JSON.parse((await site.app.inject(`/api/ticket-event${query}`)).body);
  expect((await find("")).data.slug).toBe(soon.slug);
  expect((await find("?event=no-such-event")).code).toBe("404");
  const { data } = await find(`?event=${soon.slug}`);
  expect(data.when).toMatch(/^\w+day \d+ \w+ \d{4} \d+:\d\d [AP]M to .*\(UTC\+05\)\. Sydney time: .*\(UTC\+1[01]\)$/);
});

test("SEC-5: a browser has one hold for an event: a second frees the seats of the first, unless it is being paid for", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 4 } });
  const buyer = await open();
  const { data: first } = await buyer.hold(event.slug, [{ type: "vip", quantity: 3 }]);
  const { data: second } = await buyer.hold(event.slug, [{ type: "vip", quantity: 4 }]);
  expect((await buyer.find(first)).data.state).toBe("lapsed");
  expect((await buyer.find(second)).data.state).toBe("held");
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 4, promised: 4 } });
  const other = await (await open()).hold(event.slug, [{ type: "standard", quantity: 1 }]);
  expect(other.code).toBe("200");
  const atOnce = await Promise.all(
    Array.from({ length: 5 }, () => buyer.hold(event.slug, [{ type: "standard", quantity: 2 }])),
  );
  expect(atOnce.every(({ code }) => code === "200")).toBe(true);
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 0 }, standard: { held: 3, promised: 3 } });
});

test("SEC-5: simultaneous holds of an address are decided one after the other, even if each is one call", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 1_000_000, limit_per_order: 9999 } });
  const buyers = await Promise.all(Array.from({ length: 6 }, () => open("198.51.100.77")));
  const answers = await Promise.all(buyers.map((buyer) => buyer.hold(event.slug, [{ type: "vip", quantity: 300 }])));
  // A thousand seats need no captcha.
  expect(answers.map(({ code, error }) => error ?? code).sort()).toEqual([
    "200",
    "200",
    "200",
    "captcha_dearer",
    "captcha_dearer",
    "captcha_dearer",
  ]);
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { held: 900, promised: 900 } });
});

test("SEC-5: a browser without its cookie gets one, and sends again", async () => {
  const event = await makeTicketedEvent(site.database);
  const visitor = await site.visitor();
  visitor.cookies.delete("browser");
  const buyer = createBuyer(site, visitor);
  const lines = [{ type: "vip", quantity: 1 }];
  expect(await buyer.hold(event.slug, lines)).toMatchObject({ code: "403", error: "csrf" });
  expect((await buyer.hold(event.slug, lines)).code).toBe("200");
  const planted = String(visitor.cookies.get("browser")).replace(/^./, (letter) => (letter === "A" ? "B" : "A"));
  visitor.cookies.set("browser", planted);
  expect(await buyer.hold(event.slug, lines)).toMatchObject({ code: "403", error: "csrf" });
});

test("TIC-6, SEC-5: holds get shorter as an event fills", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 10 }, standard: { capacity: 10 } });
  const lengths = [];
  for (const quantity of [9, 4, 4]) {
    const visitor = await site.visitor(`198.51.100.${quantity + lengths.length}`);
    const lines = [
      { type: "vip", quantity: Math.ceil(quantity / 2) },
      { type: "standard", quantity: Math.floor(quantity / 2) },
    ];
    const captcha = await visitor.solveCaptcha("hold", 32);
    const { data } = await createBuyer(site, visitor).hold(event.slug, lines, { captcha });
    lengths.push(Math.round((Date.parse(data.holdUntil) - Date.parse(data.now)) / 60_000));
  }
  expect(lengths).toEqual([15, 15, 10]);
  const { data: offer } = JSON.parse((await site.app.inject(`/api/ticket-event?event=${event.slug}`)).body);
  expect(offer.holdSeconds).toBe(300);
});
