import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listEvents } from "#features/content/server/events.ts";
import { contentRoutes } from "#features/content/server/routes.ts";
import { formatInSydney } from "#shared/events/event-clock.ts";
import { formatTimes } from "#shared/events/event-times.ts";
import { findEvent } from "#shared/events/find-event.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { answerError } from "#shared/http/answer-errors.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma } from "#test/organisation.ts";
import { demoEvents } from "./demo-events.ts";
import { dinnerTickets } from "./ticket-factories.ts";

const today = new Date("2026-11-21T09:00:00Z");
const drawing = "/identity/illustrations/ambulance.svg";

let db: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  db = await createTestDatabase();
  const rows = demoEvents(today).map(({ picture, ...row }) => ({ ...row, image: drawing }));
  await db.database.insertInto("events").values(rows).execute();
  app = Fastify();
  // As on the server, which checks contracts as it mounts calls.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(answerError);
  await app.register(contentRoutes, {
    prefix: "/api",
    database: db.database,
    organisation: () => chashma,
    now: () => today,
  });
});
afterAll(async () => {
  await app.close();
  await db.stop();
});

test("PAGE-5: the flood-relief campaign of 28 August 2022, created by admin, is one of the past events", async () => {
  const campaign = (await findEvent(db.database, "flood-relief-campaign", today))!;
  expect(campaign).toMatchObject({ isOver: true, isAllDay: true, createdBy: "admin" });
  expect(formatTimes(campaign)).toBe("28 August 2022");
});

test("PAGE-5: the demo events of whole days end in the last minute of their day, as the back office saves them", async () => {
  const { rows } = await db.pool.query(
    "select slug, to_char(ends_at at time zone time_zone, 'YYYY-MM-DD HH24:MI') as ends from events where is_all_day order by slug",
  );
  expect(rows).toEqual([
    { slug: "flood-relief-campaign", ends: "2022-08-28 23:59" },
    { slug: "school-kit-weekend-2026", ends: "2026-09-13 23:59" },
  ]);
});

test("PAGE-5: a demo site always has upcoming events, and a dinner on a Saturday evening about ten weeks ahead", async () => {
  const { items } = (await listEvents(db.database, { limit: 24, now: today }))!;
  expect(items.map(({ isOver }) => isOver)).toEqual([false, false, false, true, true, true]);
  const dinner = items.find(({ slug }) => slug === "charity-dinner")!;
  expect(dinner).toMatchObject({ isOnline: true, place: "", timeZone: "Asia/Karachi" });
  expect(formatTimes(dinner)).toBe("Saturday 30 January 2027 8:00 PM to 11:00 PM (UTC+05)");
});

test("PAGE-11: a demo event that begins or ends between 11 at night and 6 in the morning in Sydney shows its Sydney time too", async () => {
  const { items } = (await listEvents(db.database, { limit: 24, now: today }))!;
  const hour = new Intl.DateTimeFormat("en-AU", { timeZone: "Australia/Sydney", hour: "numeric", hourCycle: "h23" });
  const isAtNight = (at: Date) => [23, 0, 1, 2, 3, 4, 5].includes(Number(hour.format(at)));
  const late = items.filter(
    ({ isAllDay, startsAt, endsAt }) => !isAllDay && (isAtNight(startsAt) || isAtNight(endsAt)),
  );
  expect(late.map(({ slug }) => slug)).toEqual(["charity-dinner"]);
  for (const event of late) expect(formatInSydney(event)).toBe("Sunday 31 January 2027 2:00 AM to 5:00 AM (UTC+11)");
  expect((await findEvent(db.database, "charity-dinner", today))!.html).toContain("in the early hours of Sunday");
});

test("PAGE-11: an online event sells no tables in a room", () => {
  for (const { description } of dinnerTickets) expect(description).toMatch(/video table/);
});

test("PAGE-8: the demo events' HTML needs no sanitising", () => {
  const events = demoEvents(today);
  expect(events.length).toBeGreaterThan(5);
  for (const { html } of events) expect(sanitiseHtml(html)).toBe(html);
});

test("API-2: GET /api/event returns events with times in UTC, and continues from `next`", async () => {
  const first = (await app.inject("/api/event?limit=2")).json();
  expect(first).toMatchObject({ code: "200", status: "true" });
  expect(first.data).toHaveLength(2);
  expect(first.data[0]).toEqual({
    slug: "school-kit-packing-day",
    title: "School-kit packing day",
    description: expect.stringContaining("Help fill bags"),
    image: drawing,
    place: "Community hall, 12 Example Street, Auburn NSW 2144",
    isOnline: false,
    startsAt: "2026-12-11T23:00:00.000Z",
    endsAt: "2026-12-12T03:00:00.000Z",
    timeZone: "Australia/Sydney",
    isAllDay: false,
    createdBy: "Volunteer team",
  });
  const second = (await app.inject(`/api/event?limit=100&after=${encodeURIComponent(first.next)}`)).json();
  expect(second.data.map(({ slug }: { slug: string }) => slug)).toEqual([
    "charity-dinner",
    "school-kit-weekend-2026",
    "community-iftar-2026",
    "flood-relief-campaign",
  ]);
  const wrong = await app.inject("/api/event?after=nowhere");
  expect([wrong.statusCode, Object.keys(wrong.json().data)]).toEqual([422, ["after"]]);
});
