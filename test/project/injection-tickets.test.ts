import { afterAll, beforeAll, expect, test } from "vitest";
import { isLongRun } from "../long-run.ts";
import { readPage } from "../read-page.ts";
import { createBuyer, makeTicketedEvent } from "../ticket-buyer.ts";
import { corpus, fewOfEach } from "./injection-corpus.ts";
import {
  countFields,
  expectCleanLog,
  expectKept,
  fault,
  faults,
  inAll,
  openPatientSite,
  sendHostile,
  show,
  skeletonOf,
  type TypedFields,
  visitorOf,
} from "./injection-forms.ts";
import type { WholeSite } from "./whole-site.ts";

let site: WholeSite;
beforeAll(async () => {
  site = await openPatientSite();
});
afterAll(() => site.close());

const columns: TypedFields = {
  firstName: "first_name",
  lastName: "last_name",
  address: "address",
  suburb: "suburb",
  phone: "phone",
  postcode: "postcode",
  country: "country",
};

test("S4: hostile texts in a ticket order are refused by name or kept unchanged, and its page shows them as text", async () => {
  const { slug } = await makeTicketedEvent(site.database, { vip: { capacity: 1000 } });
  const order = async (n: number, hostile: TypedFields, holder: string) => {
    const buyer = createBuyer(site, await visitorOf(site, n));
    const { data } = await buyer.hold(slug, [{ type: "vip", quantity: 1 }]);
    const taken = await sendHostile(hostile, async (left) => (await buyer.pay(data, { changes: left })).answer);
    const { rows } = await site.pool.query("select * from ticket_orders where id = $1", [data.id]);
    const ticket = (await buyer.find(data)).data.tickets[0];
    const renamed = await buyer.rename(data, ticket.id, holder);
    if (!["200", "422"].includes(renamed.code))
      fault(`${renamed.code} ${renamed.error} for the holder ${show(holder)}`);
    const { statusCode, body } = await site.app.inject(`/ticket-orders/${data.id}?key=${data.key}`);
    expect(statusCode).toBe(200);
    const page = readPage(body).querySelector("main")!;
    return { taken, kept: rows[0] as TypedFields, page, holder: renamed.code === "200" ? holder.trim() : null };
  };
  const plain = skeletonOf(readPage((await order(254, {}, "Sana Malik")).page.outerHTML));
  const count = countFields();
  for (const { n, text } of fewOfEach) {
    const hostile = { ...inAll(Object.keys(columns), text), email: `${text}@example.com` };
    const { taken, kept, page, holder } = await order(n, hostile, text);
    count.add(taken);
    expectKept(kept, taken, (field) => columns[field]);
    if (skeletonOf(readPage(page.outerHTML)) !== plain) fault(`the page has other markup for ${show(text)}`);
    if (holder !== null && !page.textContent?.includes(holder)) fault(`the page does not show ${show(holder)}`);
  }
  expect(faults.splice(0)).toEqual([]);
  count.expectOpen({ firstName: 15, lastName: 15, address: 15, suburb: 15 });
  count.expectClosed(["country", "phone"]);
});

test("S4, API-11: hostile names of events, orders, keys and lines are refused, and never break anything", async () => {
  const visitor = await visitorOf(site, 253);
  const id = "3f0c1a52-9a1e-4a3c-8a39-0a3a0e6c9a11";
  for (const { text } of isLongRun ? corpus : fewOfEach) {
    const word = encodeURIComponent(text.toWellFormed());
    const looks = [
      `/api/ticket-event?event=${word}`,
      `/api/ticket-orders/${word}?key=a`,
      `/api/ticket-orders/${id}?key=${word}`,
    ];
    const pages = [`/ticketAbout?event=${word}`, `/selectTickets?event=${word}`, `/ticket-orders/${id}?key=${word}`];
    // Pages skip texts that are too long for a name.
    for (const url of text.length > 120 ? looks : [...looks, ...pages]) {
      const { statusCode } = await visitor.ask({ url });
      if (![400, 404, 414, 422].includes(statusCode)) fault(`${statusCode} from ${url}`);
    }
    for (const body of [
      { event: text, lines: [{ type: "vip", quantity: 1 }] },
      { event: "none", lines: [{ type: text, quantity: text }], instead: { id: text, key: text } },
    ]) {
      const { code } = await visitor.post("/api/ticket-orders", body);
      if (!["404", "422"].includes(code)) fault(`${code} for ${JSON.stringify(body)}`);
    }
  }
  expect(faults.splice(0)).toEqual([]);
});

test("REL-4, S4: every event is one line of the log, without control characters or typed text", () =>
  expectCleanLog(site));
