import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventCalendar } from "#shared/events/event-calendar.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { dinner as plainDinner } from "#test/dinner.ts";
import { chashma } from "#test/organisation.ts";
import { eventRoutes } from "./event-routes.ts";

const dinner = {
  ...plainDinner,
  title: "Charity dinner; soup, bread",
  summary: "An evening\nof stories, online.",
  html: "<p>Bring &amp; share.</p>",
};
const options = { publicUrl: "https://give.example", organiser: { name: "Chashma", email: "help@chashma.example" } };

/** The file's properties, unfolded. */
function unfold(text: string): string[] {
  return text.replaceAll("\r\n ", "").split("\r\n");
}

test("PAGE-5: an event's calendar file says what, when in UTC, where, and when it was last changed", () => {
  const lines = unfold(eventCalendar(dinner, options));
  expect(lines).toEqual(
    expect.arrayContaining([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "UID:event-charity-dinner@give.example",
      "DTSTAMP:20261120T010203Z",
      "LAST-MODIFIED:20261120T010203Z",
      "DTSTART:20270206T150000Z",
      "DTEND:20270206T180000Z",
      "SUMMARY:Charity dinner\\; soup\\, bread",
      "LOCATION:Online: access details come from the organiser",
      "DESCRIPTION:An evening\\nof stories\\, online.\\n\\nhttps://give.example/events/charity-dinner",
      "URL;VALUE=URI:https://give.example/events/charity-dinner",
      "END:VCALENDAR",
    ]),
  );
});

test("EVT-11: the calendar file of an event that was called off cancels the entry", () => {
  expect(eventCalendar({ ...dinner, calledOffAt: dinner.updatedAt }, options)).toContain("STATUS:CANCELLED");
  expect(eventCalendar(dinner, options)).not.toContain("STATUS");
});

test("PAGE-5: whole days in a calendar file are dates, the end being the day after, whatever the zone", () => {
  const campaign = {
    ...dinner,
    startsAt: new Date("2022-08-27T14:00:00Z"),
    endsAt: new Date("2022-08-28T14:00:00Z"),
    timeZone: "Australia/Sydney",
    isAllDay: true,
  };
  const lines = unfold(eventCalendar(campaign, options));
  expect(lines).toContain("DTSTART;VALUE=DATE:20220828");
  expect(lines).toContain("DTEND;VALUE=DATE:20220829");
});

test("PAGE-5: an event without a duration has no end in its calendar file", () => {
  expect(eventCalendar({ ...dinner, endsAt: dinner.startsAt }, options)).not.toContain("DTEND");
});

test("PAGE-5: a calendar file's lines end in CRLF, are at most 75 octets long and split no character", () => {
  const urdu = "سیلاب سے متاثرہ خاندانوں کے لیے، خوراک اور خیمے 🌊 ".repeat(20);
  const text = eventCalendar({ ...dinner, title: urdu, summary: `${urdu}\\; ${urdu}`, place: urdu }, options);
  expect(text.endsWith("END:VCALENDAR\r\n")).toBe(true);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(Math.max(...text.split("\r\n").map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(text).toBe(text.toWellFormed());
  expect(unfold(text)).toContain(`SUMMARY:${urdu}`);
  expect(unfold(text).find((line) => line.startsWith("DESCRIPTION:"))).toContain("\\\\\\;");
});

test("PAGE-5: what staff write cannot add a property to the calendar file", () => {
  const text = eventCalendar(
    { ...dinner, title: "Dinner\r\nATTENDEE:mailto:x@example.com", place: "a\rb\nc" },
    options,
  );
  expect(unfold(text).filter((line) => /^(ATTENDEE|b|c)/.test(line))).toEqual([]);
});

let db: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  db = await createTestDatabase();
  app = Fastify();
  eventRoutes(app, {
    database: db.database,
    config: { publicUrl: "https://give.example" },
    organisation: { current: () => chashma },
    now: () => new Date(),
  });
  await db.pool.query(
    `insert into events (slug, title, summary, image, place, starts_at, ends_at, created_by, state)
      select slug, slug, 'S', '/identity/illustrations/ambulance.svg', 'Hall', now(), now(), 'admin', state
      from (values ('dinner', 'published'), ('secret', 'draft')) v (slug, state)`,
  );
});
afterAll(async () => {
  await app.close();
  await db.stop();
});

test("PAGE-5: the calendar file is a download with a name, and answers 304 until the event changes", async () => {
  const url = "/events/dinner/calendar.ics";
  const answer = await app.inject(url);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "content-disposition": 'attachment; filename="dinner.ics"',
    "cache-control": "public, max-age=300",
  });
  const headers = { "if-none-match": String(answer.headers.etag) };
  const again = await app.inject({ url, headers });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", answer.headers.etag]);
  await db.pool.query("update events set title = 'Late dinner' where slug = 'dinner'");
  expect((await app.inject({ url, headers })).body).toContain("SUMMARY:Late dinner");
});

test.each(["nothing", "secret", "%00", "Dinner", "..%2Fdinner"])(
  "PAGE-5: there is no calendar file for '%s'",
  async (slug) => {
    expect((await app.inject(`/events/${slug}/calendar.ics`)).statusCode).toBe(404);
  },
);
