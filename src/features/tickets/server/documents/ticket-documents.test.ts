import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventRoutes } from "#features/content/server/event-routes.ts";
import { signPath } from "#shared/http/signed-link.ts";
import { filesInDatabase } from "#shared/images/files/create-files.ts";
import { documentKey } from "#shared/links/document-links.ts";
import { eventCalendarPath, ticketsCalendarPath, ticketsPdfPath } from "#shared/paths.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { longTest } from "#test/long-test.ts";
import { chashma } from "#test/organisation.ts";
import { countShapes } from "#test/pdf-shapes.ts";
import { cancelRows, insertOrder, insertTicketedEvent, insertTickets, type TicketedRows } from "#test/ticket-rows.ts";
import { ticketNumber } from "../../ticket-token.ts";
import { ticketDocuments } from "./ticket-documents.ts";

const config = {
  publicUrl: "https://give.chashma.example",
  secretKey: "a-secret-of-at-least-thirty-two-characters",
  linkDays: 400,
};
const now = new Date("2026-11-21T03:04:06Z");
let db: TestDatabase;
let app: FastifyInstance;
let event: TicketedRows;
beforeAll(async () => {
  db = await createTestDatabase();
  event = await insertTicketedEvent(db.database);
  app = Fastify();
  const services = {
    database: db.database,
    files: filesInDatabase,
    config,
    organisation: { current: () => chashma },
    now: () => now,
  };
  ticketDocuments(app, services);
  eventRoutes(app, services);
});
afterAll(async () => {
  await app.close();
  await db.stop();
});

const keyOf = (id: string) => `key=${documentKey(config, { kind: "ticket_order", id }, now)}`;
const open = (path: string, query: string) => app.inject(`${path}?${query}`);

async function textsOf(bytes: Buffer): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages = Array.from({ length: document.numPages }, async (_, index) => {
    const { items } = await (await document.getPage(index + 1)).getTextContent();
    return items.map((item) => ("str" in item ? item.str : "")).join("");
  });
  return Promise.all(pages);
}

test("TIC-6: the key of an order's page opens its tickets and calendar file, uncached", async () => {
  const id = await insertOrder(db.database, event, {
    order: { reference: "T-7KQ2-M9XW-4TBC" },
    title: "Very important",
  });
  const tickets = await insertTickets(db.database, id);
  const response = await open(ticketsPdfPath(id), keyOf(id));
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": 'inline; filename="tickets-T-7KQ2-M9XW-4TBC.pdf"',
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
  });
  const pages = await textsOf(response.rawPayload);
  expect(pages).toHaveLength(3);
  for (const [index, { serial }] of tickets.entries()) expect(pages[index]).toContain(ticketNumber(serial));
  // The type's title when it was bought.
  expect(pages[0]).toContain("Very important");
  const calendar = await open(ticketsCalendarPath(id), keyOf(id));
  expect(calendar.headers).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "content-disposition": `attachment; filename="${event.slug}.ics"`,
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
  });
  expect(calendar.body).toBe((await app.inject(eventCalendarPath(event.slug))).body);
});

test("TIC-6: a withdrawn event still has its tickets and calendar entry", async () => {
  const gone = await insertTicketedEvent(db.database, { state: "draft" });
  const id = await insertOrder(db.database, gone);
  await insertTickets(db.database, id);
  for (const path of [ticketsPdfPath(id), ticketsCalendarPath(id)]) {
    expect((await open(path, keyOf(id))).statusCode).toBe(200);
  }
});

test("TIC-6: cancelled tickets are not printed, and an order without valid tickets has no PDF", async () => {
  const id = await insertOrder(db.database, event, { vip: 0, standard: 2 });
  const tickets = await insertTickets(db.database, id);
  await cancelRows(db.database, [tickets[0]!.id]);
  const pages = await textsOf((await open(ticketsPdfPath(id), keyOf(id))).rawPayload);
  expect(pages).toHaveLength(1);
  expect(pages[0]).toContain(ticketNumber(tickets[1]!.serial));
  await cancelRows(db.database, [tickets[1]!.id]);
  for (const path of [ticketsPdfPath(id), ticketsCalendarPath(id)]) {
    expect((await open(path, keyOf(id))).statusCode).toBe(404);
  }
});

test("API-9: without the order's key its documents are not found", async () => {
  const id = await insertOrder(db.database, event);
  await insertTickets(db.database, id);
  const other = await insertOrder(db.database, event);
  const held = await insertOrder(db.database, event, { order: { state: "held", paid_at: null } });
  const unknown = randomUUID();
  const times = { madeAt: now, until: new Date(now.getTime() + 60_000) };
  const ownKey = signPath(config.secretKey, ticketsPdfPath(id), times).split("?")[1]!;
  for (const pathOf of [ticketsPdfPath, ticketsCalendarPath]) {
    for (const [path, query] of [
      [pathOf(id), ""],
      [pathOf(id), "key="],
      [pathOf(id), keyOf(other)],
      [pathOf(id), ownKey],
      [pathOf(id), `${keyOf(id)}&key=x`],
      [pathOf(held), keyOf(held)],
      [pathOf(unknown), keyOf(unknown)],
      [pathOf("x"), keyOf("x")],
      [pathOf("%00"), keyOf("\0")],
    ] as const) {
      expect((await open(path, query)).statusCode, `${path}?${query}`).toBe(404);
    }
  }
});

test("BRA-7: tickets follow the published brand: no printed strip in the quiet theme or without strips", async () => {
  const id = await insertOrder(db.database, event, { vip: 1, standard: 0 });
  await insertTickets(db.database, id);
  const shapes = async () => (await countShapes((await open(ticketsPdfPath(id), keyOf(id))).rawPayload))[0]!;
  const write = (value: unknown) =>
    db.database
      .insertInto("site_settings")
      .values({ key: "brand", value: JSON.stringify(value) })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: JSON.stringify(value) }))
      .execute();
  expect(await shapes()).toBeGreaterThan(100);
  for (const brand of [{ theme: "quiet" }, { hasStrips: false }]) {
    await write(brand);
    expect(await shapes(), JSON.stringify(brand)).toBeLessThan(30);
  }
  await write({});
});

longTest("TIC-6: many buyers who print at the same time all get their own tickets", async () => {
  const ids = await Promise.all(
    Array.from({ length: 5 }, () => insertOrder(db.database, event, { vip: 1, standard: 0 })),
  );
  const numbers = await Promise.all(
    ids.map(async (id) => ticketNumber((await insertTickets(db.database, id))[0]!.serial)),
  );
  const pdfs = await Promise.all(ids.map((id) => open(ticketsPdfPath(id), keyOf(id))));
  for (const [index, { rawPayload }] of pdfs.entries()) {
    expect((await textsOf(rawPayload)).join()).toContain(numbers[index]);
  }
});
