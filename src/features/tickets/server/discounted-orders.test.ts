import type { Insertable } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tables } from "#shared/database/tables.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { createBuyer, makeTicketedEvent, settleRefunds } from "#test/ticket-buyer.ts";
import { TOO_MANY_GUESSES } from "./hold/code-guesses.ts";
import { freeLapsedHolds } from "./hold/lapsed-holds.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_TICKET_HOLDS: "1000", LOG_LEVEL: "error" });
});
afterAll(() => site.close());

async function open(code: Partial<Insertable<Tables["discount_codes"]>> = {}, address?: string) {
  const event = await makeTicketedEvent(site.database);
  const columns = { code: "SPRING", percent: 20, cents: null, most_uses: null, most_per_order: 10 };
  await site.database
    .insertInto("discount_codes")
    .values({ event_id: event.id, ...columns, ...code })
    .execute();
  const visitor = await site.visitor(address);
  return { event, visitor, buyer: createBuyer(site, visitor) };
}

const agree = async () => {
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
  await expectBooksAgree(site);
};

const person = { email: "amina@example.com", firstName: "Amina", lastName: "Raza", country: "Australia" };

async function book({ visitor }: Awaited<ReturnType<typeof open>>, order: { id: string; key: string }, changes = {}) {
  const body = { ...person, key: order.key, ...changes };
  const path = `/api/ticket-orders/${order.id}/booking`;
  const asked = await visitor.post(path, body);
  if (asked.error !== "captcha_dearer") return asked;
  return visitor.post(path, { ...body, captcha: await visitor.solveCaptcha("hold", asked.effort) });
}

test("EVT-7, TIC-10: the server prices an order with a code; it is paid, and each ticket refunds what it cost", async () => {
  const { event, buyer } = await open({ most_per_order: 2 });
  const lines = [{ type: "vip", quantity: 3 }];
  const { data } = await buyer.hold(event.slug, lines, { discount: "spring" });
  expect(data).toMatchObject({ total: 260, discount: { code: "SPRING", amount: 40 } });
  expect((await buyer.pay(data)).answer.code).toBe("200");
  const paid = (await buyer.find(data)).data;
  expect(paid.tickets.map(({ price }: { price: number }) => price)).toEqual([80, 80, 100]);
  expect(paid.discount).toEqual({ code: "SPRING", amount: 40 });
  await agree();
  await buyer.cancel(data, [paid.tickets[0].id]);
  await settleRefunds(site);
  expect((await buyer.find(data)).data).toMatchObject({ refunded: 80 });
  await agree();
});

test.each<[string, Partial<Insertable<Tables["discount_codes"]>>, string]>([
  ["unknown", { code: "OTHER" }, "We don’t know this code"],
  ["ended", { ended_at: new Date(0) }, "This code has ended."],
  ["over", { valid_until: new Date(1000) }, "This code has ended."],
  ["not yet valid", { valid_from: new Date("2099-01-01") }, "This code cannot be used yet."],
])("EVT-7: a code that is %s is refused with a sentence, and the seats held before stay", async (_, code, sentence) => {
  const { event, buyer } = await open(code);
  const lines = [{ type: "standard", quantity: 1 }];
  const { data: held } = await buyer.hold(event.slug, lines);
  const refused = await buyer.hold(event.slug, lines, { discount: "SPRING", instead: { id: held.id, key: held.key } });
  expect(refused).toMatchObject({ code: "409", error: "code_refused" });
  expect(refused.message).toContain(sentence);
  expect((await buyer.find(held)).data.state).toBe("held");
});

test("EVT-7: a code that makes none of the tickets cheaper is refused, and names only types that the buyer can choose", async () => {
  const { event, buyer } = await open({ cents: 100_000, percent: null });
  const typeOf = async (code: string, changes: string) => {
    const { rows } = await site.pool.query(
      `update ticket_types set ${changes} where event_id = $1 and code = $2 returning id`,
      [event.id, code],
    );
    return Number(rows[0].id);
  };
  const limitTo = (ids: readonly number[]) =>
    site.pool.query("update discount_codes set type_ids = $2 where event_id = $1", [event.id, ids]);
  const refusal = async () => {
    const answer = await buyer.hold(event.slug, [{ type: "standard", quantity: 1 }], { discount: "SPRING" });
    expect(answer).toMatchObject({ code: "409", error: "code_refused" });
    return answer.message;
  };
  const vip = await typeOf("vip", "title = title");
  await limitTo([vip]);
  expect(await refusal()).toBe("This code is not for the tickets you chose. It is for VIP Seat.");
  await typeOf("vip", "visibility = 'link', access_key = 'the-key'");
  expect(await refusal()).toBe("This code is not for the tickets you chose.");
  const standard = await typeOf("standard", "price_cents = 0");
  await limitTo([standard]);
  expect(await refusal()).toBe("This code takes nothing off the tickets you chose.");
});

test("EVT-7: a code with a zero byte or another invisible character is read without it", async () => {
  const { event, buyer } = await open();
  const { code, data } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }], { discount: "\0spring\u200b" });
  expect([code, data.discount]).toEqual(["200", { code: "SPRING", amount: 20 }]);
});

test("EVT-7: a network that has sent 30 unknown codes can use none for 15 minutes; its seats stay held", async () => {
  const { event, buyer } = await open({}, "198.51.100.91");
  const lines = [{ type: "standard", quantity: 1 }];
  const { data: held } = await buyer.hold(event.slug, lines);
  const guess = (discount: string, who = buyer) => who.hold(event.slug, lines, { discount });
  for (let n = 0; n < 30; n++) expect((await guess(`GUESS${n}`)).message).toContain("We don’t know this code");
  for (const discount of ["GUESS30", "SPRING"]) {
    expect(await guess(discount)).toMatchObject({ error: "code_refused", message: TOO_MANY_GUESSES });
  }
  expect((await buyer.find(held)).data.state).toBe("held");
  expect((await guess("SPRING", createBuyer(site, await site.visitor("198.51.100.92")))).code).toBe("200");
  site.clock.advance(900_000);
  expect((await guess("SPRING")).code).toBe("200");
});

test("EVT-8: a hold takes uses of a code, a lapse gives them back, and no more are ever given than there are", async () => {
  const { event, buyer } = await open({ most_uses: 3 });
  const other = createBuyer(site, await site.visitor("198.51.100.90"));
  const hold = (who: typeof buyer, quantity: number) =>
    who.hold(event.slug, [{ type: "standard", quantity }], { discount: "SPRING" });
  const first = await hold(buyer, 2);
  expect(await hold(other, 2)).toMatchObject({
    code: "409",
    error: "code_refused",
    message:
      "This code works for only 1 more ticket, and your order would use it for 2. It was not applied. Take fewer tickets, or go on without the code.",
  });
  site.clock.advance(1_000_000);
  expect((await hold(other, 3)).code).toBe("200");
  await agree();
  // Its hold has lapsed, and the uses are gone: a payment that comes now is refunded, as if the seats were gone.
  expect((await buyer.find(first.data)).data.state).toBe("lapsed");
  site.clock.advance(1_000_000);
  await freeLapsedHolds(site.database, site.clock.now());
  expect((await hold(buyer, 3)).code).toBe("200");
});

test("EVT-8: of twenty buyers at the same moment, a code with five uses serves five", async () => {
  const { event } = await open({ most_uses: 5 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const buyer = createBuyer(site, await site.visitor(`198.51.101.${number}`));
      return buyer.hold(event.slug, [{ type: "standard", quantity: 1 }], { discount: "SPRING" });
    }),
  );
  const outcomes = Map.groupBy(answers, ({ code, error }) => error ?? code);
  expect([outcomes.get("200")?.length, outcomes.get("code_refused")?.length]).toEqual([5, 15]);
  await agree();
});

test("TIC-10: an order that costs nothing is booked without a payment: tickets and email once, however often it is sent", async () => {
  const opened = await open({ percent: 100 });
  const { event, buyer } = opened;
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }], { discount: "SPRING" });
  expect(order.total).toBe(0);
  const answers = await Promise.all([book(opened, order), book(opened, order)]);
  expect(answers.map(({ code }) => code)).toEqual(["200", "200"]);
  expect(answers[0].data).toMatchObject({ state: "paid", email: person.email, tickets: [{ price: 0 }, { price: 0 }] });
  const { rows } = await site.pool.query(
    `select paid_by, paid_attempt_id, (select count(*)::integer from tickets where order_id = o.id) as tickets,
       (select count(*)::integer from pgboss.job where data->>'orderId' = o.id::text) as emails
       from ticket_orders o where id = $1`,
    [order.id],
  );
  expect(rows).toEqual([{ paid_by: "free", paid_attempt_id: null, tickets: 2, emails: 1 }]);
  await agree();
  // A free ticket is cancelled without a refund, and its seat and use are free again.
  await buyer.cancel(order, [answers[0].data.tickets[0].id]);
  expect((await buyer.find(order)).data).toMatchObject({ state: "paid", refunds: [] });
  await agree();
});

test("TIC-10: an order that costs money is not booked for nothing, and a free one takes no payment", async () => {
  const opened = await open({ percent: 100 });
  const { event, buyer } = opened;
  const { data: dear } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  expect(await book(opened, dear)).toMatchObject({ code: "422", error: "invalid_input" });
  const { data: free } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }], { discount: "SPRING" });
  expect((await buyer.pay(free)).answer).toMatchObject({ error: "invalid_input" });
  expect(await book(opened, { ...free, key: "x".repeat(43) })).toMatchObject({ code: "404" });
  site.clock.advance(1_000_000);
  expect(await book(opened, free)).toMatchObject({ code: "409", error: "hold_lapsed" });
  await agree();
});

test("EVT-6: a type with a link is offered and sold only to whoever has its key", async () => {
  const { event, buyer } = await open();
  await site.pool.query(
    `insert into ticket_types (event_id, code, title, price_cents, capacity, visibility, access_key)
       values ($1, 'friends', 'Friends', 2000, 5, 'link', 'the-key')`,
    [event.id],
  );
  const codes = async (query: string) => {
    const { data } = JSON.parse((await site.app.inject(`/api/ticket-event?event=${event.slug}${query}`)).body);
    return data.types.map(({ code }: { code: string }) => code);
  };
  expect(await codes("")).toEqual(["vip", "standard"]);
  expect(await codes("&key=the-key")).toContain("friends");
  expect(await codes("&key=other")).toEqual(["vip", "standard"]);
  const hold = (type: string, access?: string) => buyer.hold(event.slug, [{ type, quantity: 1 }], { access });
  expect((await hold("friends")).code).toBe("422");
  expect((await hold("friends", "other")).code).toBe("422");
  const { data: held } = await hold("friends", "the-key");
  expect(held).toMatchObject({ total: 20 });
  site.clock.advance(1_000_000);
  await freeLapsedHolds(site.database, site.clock.now());
  // Its page leads back to the choice with the key.
  expect((await buyer.find(held)).data).toMatchObject({ state: "lapsed", access: "the-key" });
  await site.pool.query("update ticket_types set retired_at = now() where event_id = $1 and code = 'friends'", [
    event.id,
  ]);
  expect(await hold("friends", "the-key")).toMatchObject({ error: "not_on_sale" });
});
