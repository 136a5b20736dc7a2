import fc from "fast-check";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { deliveredLook } from "#shared/brand/document-look.ts";
import type { EventDetails } from "#shared/events/event.ts";
import { dinner } from "#test/dinner.ts";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import { chashma } from "#test/organisation.ts";
import { countShapes } from "#test/pdf-shapes.ts";
import { signTicket } from "../order-facts.ts";
import { drawTickets, type PrintedTicket, type TicketDocument } from "./tickets-pdf.ts";

const serial = Buffer.from("0123456789abcdef", "hex");
const token = signTicket("a-secret-of-at-least-thirty-two-characters", { eventId: 7, typeId: 3, serial });

const ticket = (changes: Partial<PrintedTicket> = {}): PrintedTicket => ({
  number: "K7Q2-M9XW",
  holder: "Zoë Ünal-Młynarz",
  typeTitle: "VIP Seat",
  priceCents: 10_000,
  token,
  ...changes,
});
const ticketDocumentOf = (tickets: readonly PrintedTicket[], event: Partial<EventDetails> = {}): TicketDocument => ({
  organisation: chashma,
  event: { ...dinner, ...event },
  order: { reference: "T-7KQ2-M9XW-4TBC", paidAt: new Date("2026-11-21T13:04:05Z") },
  tickets,
});

async function read(content: TicketDocument) {
  const bytes = await drawTickets(content);
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const boxes = items.flatMap((item) =>
      "str" in item ? [{ x: item.transform[4], right: item.transform[4] + item.width, y: item.transform[5] }] : [],
    );
    const text = items.map((item) => ("str" in item ? item.str : "")).join("");
    pages.push({ text: text.replace(/\s+/g, " "), boxes, tree: JSON.stringify(await page.getStructTree()) });
  }
  const { info } = await document.getMetadata();
  return { bytes, pages, text: pages.map((page) => page.text).join("\n"), info: info as Record<string, unknown> };
}

test("TIC-6: a ticket has the event, its time in both zones, place, holder, price, number, instructions and the note that it is no receipt", async () => {
  const { text, info, bytes } = await read(ticketDocumentOf([ticket()]));
  for (const expected of [
    chashma.name,
    "Charity dinner",
    "Saturday 6 February 2027 8:00 PM to 11:00 PM (UTC+05)",
    "Sydney timeSunday 7 February 2027 2:00 AM to 5:00 AM (UTC+11)",
    "Online: access details come from the organiser",
    "Zoë Ünal-Młynarz",
    "VIP Seat",
    "$100.00 AUD",
    "K7Q2-M9XW",
    "T-7KQ2-M9XW-4TBC",
    "the access details come from the organiser",
    `Call ${chashma.phone} or email ${chashma.email}`,
    "This is a ticket, not a tax-deductible gift receipt.",
    "Paid on 22 November 2026",
  ]) {
    expect(text).toContain(expected);
  }
  expect(text).not.toMatch(/door|This receipt is for a gift|tax invoice|ABN/i);
  expect(info).toMatchObject({ Title: "Ticket for Charity dinner", Language: "en-AU" });
  expect(bytes.includes("pdfuaid:part")).toBe(true);
});

test("TIC-6: a ticket to a place says what to do at the door, and has Sydney's time only if it differs", async () => {
  const hall = { place: "Community hall, Auburn", isOnline: false, timeZone: "Australia/Brisbane" };
  const july = { startsAt: new Date("2027-07-03T09:00:00Z"), endsAt: new Date("2027-07-03T12:00:00Z") };
  const { text } = await read(ticketDocumentOf([ticket()], { ...hall, ...july }));
  expect(text).toContain("Saturday 3 July 2027 7:00 PM to 10:00 PM (UTC+10)");
  expect(text).toContain("Community hall, Auburn");
  expect(text).toContain("At the door: show the code above");
  expect(text).not.toMatch(/Sydney|Online|access details/);
  const summer = await read(ticketDocumentOf([ticket()], hall));
  expect(summer.text).toContain("Sydney time");
  const day = await read(ticketDocumentOf([ticket()], { isAllDay: true }));
  expect(day.text).not.toContain("Sydney time");
  const both = await read(ticketDocumentOf([ticket()], { ...hall, isOnline: true }));
  expect(both.text).toMatch(/At the door.*Online: the access details/);
});

test("EVT-16: a ticket says that it was free, or paid in person for how much, and a day of payment only where something was paid", async () => {
  const free = await read(ticketDocumentOf([ticket({ priceCents: 0 })]));
  expect(free.text).toContain("PriceFree");
  expect(free.text).not.toMatch(/paid|\$0\.00/i);
  const soldFor = (cents: number, tickets: number) => {
    const content = ticketDocumentOf([ticket({ priceCents: 0 })]);
    return read({ ...content, order: { ...content.order, taken: { cents, tickets } } });
  };
  expect((await soldFor(20_000, 3)).text).toContain("Paid in person$200.00 AUD for all 3 tickets of the order");
  const one = await soldFor(10_000, 1);
  expect(one.text).toMatch(/Paid in person\$100\.00 AUDOrder/);
  expect(one.text).toContain("Paid on 22 November 2026.");
});

test("TIC-6: each ticket of an order has its own page and code, which screen readers announce", async () => {
  const tickets = ["K7Q2-M9XW", "ABCD-1234", "ZZZZ-0000"].map((number) =>
    ticket({ number, holder: `Guest ${number}` }),
  );
  const { pages, info } = await read(ticketDocumentOf(tickets));
  expect(info).toMatchObject({ Title: "Tickets for Charity dinner" });
  expect(pages).toHaveLength(3);
  for (const [index, { number }] of tickets.entries()) {
    const { text, tree } = pages[index]!;
    expect(text).toContain(`Guest ${number}`);
    expect(text).toContain(`Page ${index + 1} of 3`);
    const count = (role: string) => tree.split(`"role":"${role}"`).length - 1;
    expect({ sect: count("Sect"), h1: count("H1"), h2: count("H2"), figure: count("Figure") }).toEqual({
      sect: 1,
      h1: 1,
      h2: 2,
      figure: 1,
    });
    expect(tree).toContain(`"alt":"QR code of ticket ${number}"`);
    expect(tree).not.toMatch(
      new RegExp(
        tickets
          .filter((one) => one.number !== number)
          .map((one) => one.number)
          .join("|"),
      ),
    );
  }
});

test("TIC-6: the same tickets have the same bytes every time", async () => {
  const document = ticketDocumentOf([ticket({ holder: "عبدالستار Edhi 王" }), ticket()]);
  const pdfs = await Promise.all([drawTickets(document), drawTickets(document), drawTickets(document)]);
  for (const bytes of pdfs) expect(bytes.equals(pdfs[0]!)).toBe(true);
});

test("TIC-6: names in Urdu can be read and copied, and characters without a font are kept for screen readers", async () => {
  const { text } = await read(ticketDocumentOf([ticket({ holder: "عبدالستار ایدھی" })]));
  expect(text).toContain("ایدھی عبدالستار");
  const { bytes } = await read(ticketDocumentOf([ticket({ holder: "王 Wang" })]));
  const actual = Buffer.from("\ufeff王 Wang", "utf16le").swap16().toString("latin1");
  expect(bytes.includes(Buffer.from(`/ActualText (${actual})`, "latin1"))).toBe(true);
});

test("TIC-6: ten tickets take less than 500 ms of work and 150 kB", async () => {
  const document = ticketDocumentOf(
    Array.from({ length: 10 }, (_, index) => ticket({ holder: `Guest number ${index + 1}` })),
  );
  await drawTickets(document);
  const before = process.cpuUsage();
  const bytes = await drawTickets(document);
  const { user, system } = process.cpuUsage(before);
  console.info(`Ten tickets: ${Math.round((user + system) / 1000)} ms of processor time, ${bytes.length} bytes`);
  expect((user + system) / 1000).toBeLessThan(500);
  expect(bytes.length).toBeLessThan(150_000);
});

longTest("S4: no name or title breaks a ticket, or runs off its page or onto another", async () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 100 }),
    fc.string({ unit: fc.constantFrom("ع", "A", " ", "\u0301", "\ud800", "王", ")", "\u202e", "۷"), maxLength: 100 }),
    fc.constantFrom("W".repeat(100), "ﷺ".repeat(100), "%PDF) endobj <<", "(((", "\\\\)", "", "W".repeat(400)),
  );
  await fc.assert(
    fc.asyncProperty(name, name, name, name, fc.boolean(), async (holder, typeTitle, title, place, isOnline) => {
      const { pages } = await read(
        ticketDocumentOf([ticket({ holder, typeTitle }), ticket()], { title, place, isOnline }),
      );
      expect(pages).toHaveLength(2);
      for (const { x, right } of pages.flatMap(({ boxes }) => boxes)) {
        expect(x).toBeGreaterThanOrEqual(40);
        expect(right).toBeLessThanOrEqual(556);
      }
      // Everything ends above the footer, which is 42 points above the end of the page.
      for (const { text, boxes } of pages) {
        expect(text).toContain("not a tax-deductible gift receipt");
        const heights = boxes.map(({ y }) => y).filter((y) => y > 42);
        expect(Math.min(...heights)).toBeGreaterThan(54);
      }
    }),
    { numRuns: isLongRun ? 60 : 12, seed: 20_261_121 },
  );
});

test("S4: the longest values fit on one page", async () => {
  const long = "W".repeat(400);
  const { pages } = await read(
    ticketDocumentOf([ticket({ holder: long, typeTitle: long })], {
      title: long,
      place: long,
      endsAt: new Date("2027-12-31T18:00:00Z"),
    }),
  );
  expect(pages).toHaveLength(1);
  const heights = pages[0]!.boxes.map(({ y }) => y).filter((y) => y > 42);
  expect(Math.min(...heights)).toBeGreaterThan(54);
});

test("BRA-7: a plain brand has no printed strip on any ticket", async () => {
  const content = ticketDocumentOf([ticket(), ticket({ number: "K7Q2-M9XX" })]);
  const shapesOf = async (isPlain: boolean) =>
    countShapes(await drawTickets({ ...content, look: { ...deliveredLook, isPlain } }));
  expect(Math.min(...(await shapesOf(false)))).toBeGreaterThan(100);
  const plain = await shapesOf(true);
  expect(plain).toHaveLength(2);
  expect(Math.max(...plain)).toBeLessThan(30);
});
