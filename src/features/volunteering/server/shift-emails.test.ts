import { simpleParser } from "mailparser";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { commandLine } from "#admin/audit.ts";
import { sendEmails } from "#app/emails.ts";
import { documentLink } from "#shared/links/document-links.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { shiftTimes } from "../shift.ts";
import { moveApplication } from "./pipeline.ts";
import { leavePlace, takePlace, tellOfLostPlaces } from "./shift-places.ts";
import { changeShift, planShifts, type ShiftPlan } from "./shifts.ts";
import type { VolunteerServices } from "./store.ts";

const host = "give.chashma.example";
const start = new Date("2026-11-21T03:00:00Z");
let now = start;
let site: TestSite;
let services: VolunteerServices;
beforeAll(async () => {
  site = await openTestSite({ PUBLIC_URL: `https://${host}` });
  services = { database: site.database, jobs: site.services.jobs, now: () => now };
});
beforeEach(async () => {
  now = start;
  await site.pool.query("delete from volunteer_shifts");
  await site.pool.query("delete from pgboss.job");
  await site.pool.query("delete from mailbox_messages");
});
afterAll(() => site.close());

/** Sends what waits; the jobs stay, as they do for a week. Returns every email so far. */
async function send() {
  const { rows } = await site.pool.query("select data from pgboss.job where name = 'emails' order by created_on, id");
  for (const { data } of rows) await sendEmails(site.services)(data);
  return site.database.selectFrom("mailbox_messages").selectAll().orderBy("id").execute();
}

const volunteer = (email: string) =>
  makeApplication(site.database, { stage: "approved", roles: ["Fundraising"], decided_at: start, email });
const stall: ShiftPlan = {
  title: "Street stall",
  place: "Auburn Road",
  notes: "Bring a hat.",
  eventId: null,
  wanted: { Fundraising: 3 },
  ...shiftTimes({ day: "2026-12-05", from: "09:00", until: "13:00" }),
};
const plan = async () => (await planShifts(services, [stall], commandLine))[0]!;
const pageOf = (id: string, madeAt: Date) =>
  `https://${host}${documentLink(site.config, { kind: "application", id }, madeAt).path}`;
/** The calendar file in an email, without the line breaks of RFC 5545. */
async function calendarIn(source: Buffer) {
  const { attachments } = await simpleParser(source);
  return attachments[0]!.content.toString().replaceAll("\r\n ", "");
}

test("VOLA-11: each new place is confirmed once, with day, time, place, role, a calendar file and how to withdraw", async () => {
  const shiftId = await plan();
  const id = await volunteer("own@example.com");
  const added = await volunteer("added@example.com");
  await takePlace(services, { shiftId, applicationId: id, role: "Fundraising" });
  await takePlace(services, { shiftId, applicationId: added, role: "Fundraising" }, commandLine);
  for (let time = 0; time < 2; time += 1)
    await takePlace(services, { shiftId, applicationId: id, role: "Fundraising" });
  const { rows } = await site.pool.query("select data->>'template' as template from pgboss.job");
  expect(rows).toEqual(Array(2).fill({ template: "shift-place-taken" }));
  const emails = await send();
  expect(emails.map(({ recipient }) => recipient).sort()).toEqual(["added@example.com", "own@example.com"]);
  const email = emails.find(({ recipient }) => recipient === "own@example.com")!;
  expect(email.subject).toBe("You are signed up: Street stall");
  for (const said of [
    "When: Saturday 5 December 2026, 9:00 AM – 1:00 PM",
    "Where: Auburn Road",
    "Role: Fundraising",
    "Bring a hat.",
    "If you cannot come, withdraw on the page below before the shift begins",
    pageOf(id, start),
  ]) {
    expect(email.text_body).toContain(said);
  }
  expect(email.attachments).toMatchObject([{ filename: "shift.ics" }]);
  for (const line of [
    `UID:shift-${shiftId}@${host}`,
    "SEQUENCE:1",
    "DTSTAMP:20261121T030000Z",
    "DTSTART:20261204T220000Z",
    "DTEND:20261205T020000Z",
    "LOCATION:Auburn Road",
    "SUMMARY:Street stall",
  ]) {
    expect(await calendarIn(email.source)).toContain(line);
  }
});

test("VOLA-11: a place that is given up before the email goes is not confirmed; one that is taken again is", async () => {
  const shiftId = await plan();
  const applicationId = await volunteer("again@example.com");
  const place = { shiftId, applicationId, role: "Fundraising" };
  await takePlace(services, place);
  await leavePlace(services, place);
  expect(await send()).toEqual([]);
  await takePlace(services, place);
  expect(await send()).toHaveLength(1);
});

test.each([
  ["who withdraws their own application gets no email about their shifts", "applicant", []],
  ["whose application staff withdraw gets one email about everything", "Sana", ["application-decided"]],
] as const)("VOLA-11: a volunteer %s", async (_, by, told) => {
  const shiftId = await plan();
  const id = await volunteer("leaves@example.com");
  await takePlace(services, { shiftId, applicationId: id, role: "Fundraising" });
  await site.pool.query("delete from pgboss.job");
  expect((await moveApplication(services, { id, to: "withdrawn", actor: by })).ok).toBe(true);
  expect(await tellOfLostPlaces(services)).toBe(0);
  const { rows } = await site.pool.query(
    "select data->>'template' as template from pgboss.job where data->>'template' <> 'volunteer-withdrew'",
  );
  expect(rows.map(({ template }) => template)).toEqual(told);
  if (told.length > 0) expect((await send())[0]!.text_body).toContain("you do not need to come");
});

test("VOLA-11: nobody gets a confirmation of a shift that has begun", async () => {
  const shiftId = await plan();
  now = new Date(stall.startsAt.getTime() + 60_000);
  const late = { shiftId, applicationId: await volunteer("late@example.com"), role: "Fundraising" };
  expect(await takePlace(services, late, commandLine)).toBeNull();
  expect(await send()).toEqual([]);
});

test("VOLA-9: who has signed up is emailed another day, time or place, and the file changes the calendar's entry", async () => {
  const shiftId = await plan();
  const [id, left] = [await volunteer("stays@example.com"), await volunteer("left@example.com")];
  for (const applicationId of [id, left]) await takePlace(services, { shiftId, applicationId, role: "Fundraising" });
  await leavePlace(services, { shiftId, applicationId: left });
  // The confirmations are not what this is about.
  await site.pool.query("delete from pgboss.job");
  const change = (version: number, changes: Partial<ShiftPlan>) =>
    changeShift(services, { id: shiftId, version, plan: { ...stall, ...changes }, actor: commandLine });
  expect(await change(1, { title: "Stall", notes: "", wanted: { Fundraising: 4 } })).toBeNull();
  expect(await send()).toEqual([]);

  now = new Date(start.getTime() + 86_400_000);
  const later = shiftTimes({ day: "2026-12-06", from: "10:00", until: "14:00" });
  expect(await change(2, later)).toBeNull();
  const [email, ...others] = await send();
  expect(others).toEqual([]);
  expect(email).toMatchObject({ recipient: "stays@example.com", subject: "Another time or place: Street stall" });
  expect(email!.text_body).toContain("Sunday 6 December 2026, 10:00 AM – 2:00 PM");
  expect(email!.text_body).toContain(pageOf(id, now));
  for (const line of [`UID:shift-${shiftId}@${host}`, "SEQUENCE:3", "DTSTAMP:20261122T030000Z"]) {
    expect(await calendarIn(email!.source)).toContain(line);
  }
  now = new Date(start.getTime() + 2 * 86_400_000);
  expect(await change(3, { ...later, place: "Town hall" })).toBeNull();
  expect(await send()).toHaveLength(2);

  now = new Date("2026-12-06T00:00:00Z");
  expect(await change(4, { startsAt: later.startsAt, endsAt: later.endsAt, place: "Station" })).toBeNull();
  expect(await send()).toHaveLength(2);
});
