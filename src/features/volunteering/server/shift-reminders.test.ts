import { simpleParser } from "mailparser";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { commandLine } from "#admin/audit.ts";
import { sendEmails } from "#app/emails.ts";
import { addDays, momentInSydney } from "#shared/language.ts";
import { documentLink } from "#shared/links/document-links.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { shiftTimes } from "../shift.ts";
import { remindOfShifts } from "./held-places.ts";
import { moveApplication } from "./pipeline.ts";
import { leavePlace, takePlace } from "./shift-places.ts";
import { cancelShift, changeShift, findShift, planShifts, type ShiftPlan } from "./shifts.ts";
import type { VolunteerServices } from "./store.ts";

/** The clock in Sydney, at the start of a test. */
const start = momentInSydney("2026-11-21", "14:00");
let now = start;
let site: TestSite;
let services: VolunteerServices;
beforeAll(async () => {
  site = await openTestSite({ PUBLIC_URL: "https://give.chashma.example" });
  services = { database: site.database, jobs: site.services.jobs, now: () => now };
});
beforeEach(async () => {
  now = start;
  await site.pool.query("delete from volunteer_shifts");
  await site.pool.query("delete from mailbox_messages");
});
afterAll(() => site.close());

/** A Monday. */
const day = "2026-12-07";
const stall: ShiftPlan = {
  title: "Street stall",
  place: "Auburn Road",
  notes: "Bring a hat.",
  eventId: null,
  wanted: { Fundraising: 9 },
  ...shiftTimes({ day, from: "09:00", until: "13:00" }),
};
const plan = async (changes: Partial<ShiftPlan> = {}) =>
  (await planShifts(services, [{ ...stall, ...changes }], commandLine))[0]!;
async function signUp(shiftId: string, email = "amina@example.com") {
  const applicationId = await makeApplication(site.database, {
    stage: "approved",
    roles: ["Fundraising"],
    decided_at: start,
    email,
  });
  expect(await takePlace(services, { shiftId, applicationId, role: "Fundraising" })).toBeNull();
  return applicationId;
}
const moveTo = (id: string, version: number, changes: Partial<ShiftPlan>) =>
  changeShift(services, { id, version, plan: { ...stall, ...changes }, actor: commandLine });
/** Sets the clock in Sydney, and runs the task. Returns how many it reminds. */
function remindAt(onDay: string, time: string) {
  now = momentInSydney(onDay, time);
  return remindOfShifts(services);
}
/** Writes each reminder that has a job, also if it was sent before. Returns the emails, one for each that is still true. */
async function send() {
  const { rows } = await site.pool.query(
    "select data from pgboss.job where name = 'emails' and data->>'template' = 'shift-reminder' order by created_on, id",
  );
  const handle = sendEmails({ ...site.services, now: () => now });
  const answers = [];
  for (const { data } of rows) answers.push(await handle(data));
  const emails = await site.database.selectFrom("mailbox_messages").selectAll().orderBy("recipient").execute();
  expect(answers.filter(({ isSent }) => isSent)).toHaveLength(emails.length);
  return emails;
}

test("VOLA-13: on the day before a shift, everybody who has a place is reminded once by day, with all that they need", async () => {
  const shiftId = await plan();
  const [id, left] = [await signUp(shiftId), await signUp(shiftId, "left@example.com")];
  await signUp(shiftId, "bilal@example.com");
  await leavePlace(services, { shiftId, applicationId: left });
  for (const [onDay, time] of [
    [addDays(day, -2), "19:59"],
    [addDays(day, -1), "07:59"],
    [addDays(day, -1), "20:00"],
  ] as const) {
    expect(await remindAt(onDay, time), `${onDay} ${time}`).toBe(0);
  }
  expect(await remindAt(addDays(day, -1), "08:00")).toBe(2);
  const remindedAt = now;
  expect(await remindAt(addDays(day, -1), "08:10")).toBe(0);
  const emails = await send();
  expect(emails.map(({ recipient }) => recipient)).toEqual(["amina@example.com", "bilal@example.com"]);
  const [email] = emails;
  expect(email!.subject).toBe("Reminder for Monday 7 December: Street stall");
  const link = documentLink(site.config, { kind: "application", id }, remindedAt);
  for (const said of [
    "Your shift on Monday 7 December: Street stall",
    "When: Monday 7 December 2026, 9:00 AM – 1:00 PM",
    "Where: Auburn Road",
    "Role: Fundraising",
    "Bring a hat.",
    "If you cannot come, withdraw on the page below as soon as you can",
    `https://give.chashma.example${link.path}`,
  ]) {
    expect(email!.text_body).toContain(said);
  }
  const { attachments } = await simpleParser(email!.source);
  expect(attachments[0]!.content.toString()).toContain("DTSTART:20261206T220000Z");
  const { places } = (await findShift(site.database, shiftId))!;
  expect(places.map((place) => place.remindedAt)).toEqual(expect.arrayContaining([remindedAt, remindedAt, null]));
});

test("VOLA-13: who signed up less than a day before the reminders begin has just had a confirmation, and gets none", async () => {
  const [shiftId, weekly] = [
    await plan(),
    await plan(shiftTimes({ day: addDays(day, 7), from: "09:00", until: "13:00" })),
  ];
  now = momentInSydney(addDays(day, -2), "08:00");
  await signUp(shiftId, "day@example.com");
  now = momentInSydney(addDays(day, -2), "08:01");
  await signUp(shiftId, "later@example.com");
  await signUp(weekly, "weekly@example.com");
  expect(await remindAt(addDays(day, -1), "19:59")).toBe(1);
  expect(await remindAt(day, "08:30")).toBe(0);
  expect((await send()).map(({ recipient }) => recipient)).toEqual(["day@example.com"]);
});

test("VOLA-13: if no process ran on the day before, the reminder comes on the day, but not once the shift has begun", async () => {
  await signUp(await plan());
  const evening = await plan({ title: "Dinner", ...shiftTimes({ day, from: "18:00", until: "22:00" }) });
  await signUp(evening, "evening@example.com");
  expect(await remindAt(day, "09:00")).toBe(1);
  expect((await send()).map(({ recipient }) => recipient)).toEqual(["evening@example.com"]);
});

test("VOLA-13: the hours are those of Sydney, also on the day on which clocks change", async () => {
  // Clocks go back at 3 am on Sunday 4 April 2027.
  await signUp(await plan(shiftTimes({ day: "2027-04-05", from: "00:30", until: "04:00" })));
  expect(await remindAt("2027-04-04", "07:59")).toBe(0);
  expect(await remindAt("2027-04-04", "08:00")).toBe(1);
});

test("VOLA-13: of a shift that moves after its reminder they are reminded again, but not straight after the email about that", async () => {
  const [shiftId, soon] = [await plan(), await plan({ title: "Soon" })];
  await signUp(shiftId, "later@example.com");
  await signUp(soon, "soon@example.com");
  expect(await remindAt(addDays(day, -1), "08:00")).toBe(2);
  const later = addDays(day, 7);
  expect(await moveTo(shiftId, 1, shiftTimes({ day: later, from: "10:00", until: "14:00" }))).toBeNull();
  expect(await moveTo(soon, 1, { title: "Soon", place: "Town hall" })).toBeNull();
  // The reminders of what is no longer true are not sent.
  expect(await send()).toEqual([]);
  expect(await remindAt(addDays(day, -1), "12:00")).toBe(0);
  expect(await remindAt(addDays(later, -1), "08:00")).toBe(1);
  const [email, ...others] = await send();
  expect(others).toEqual([]);
  expect(email).toMatchObject({ recipient: "later@example.com" });
  expect(email!.text_body).toContain("Monday 14 December 2026, 10:00 AM – 2:00 PM");
});

test.each([
  [
    "somebody withdraws from the shift",
    (shiftId: string, applicationId: string) => leavePlace(services, { shiftId, applicationId }),
  ],
  ["the shift is cancelled", (id: string) => cancelShift(services, { id, actor: commandLine })],
  [
    "somebody stops volunteering",
    (_: string, id: string) => moveApplication(services, { id, to: "withdrawn", actor: "applicant" }),
  ],
])("VOLA-13: if %s, no reminder comes, even if it is already queued", async (_, end) => {
  const [before, after] = [await plan(), await plan(shiftTimes({ day, from: "14:00", until: "16:00" }))];
  await end(before, await signUp(before));
  const queued = await signUp(after);
  expect(await remindAt(addDays(day, -1), "08:00")).toBe(1);
  await end(after, queued);
  expect(await send()).toEqual([]);
});

test("VOLA-13: a reminder that could not be sent until the shift began is not sent any more", async () => {
  await signUp(await plan());
  expect(await remindAt(addDays(day, -1), "08:00")).toBe(1);
  now = stall.startsAt;
  expect(await send()).toEqual([]);
});

test("VOLA-13: processes that run the task at the same time remind each volunteer once", async () => {
  const shiftId = await plan();
  for (const name of ["one", "two", "three"]) await signUp(shiftId, `${name}@example.com`);
  now = momentInSydney(addDays(day, -1), "09:00");
  const counts = await Promise.all(Array.from({ length: 5 }, () => remindOfShifts(services)));
  expect(counts.reduce((sum, count) => sum + count, await remindOfShifts(services))).toBe(3);
  expect(await send()).toHaveLength(3);
});

test("VOLA-13: a shift that is moving while the task runs is reminded of as it is afterwards", async () => {
  const shiftId = await plan();
  await signUp(shiftId);
  now = momentInSydney(addDays(day, -1), "09:00");
  const mover = await site.pool.connect();
  try {
    await mover.query("begin");
    await mover.query(
      "update volunteer_shifts set starts_at = starts_at + interval '7 days', ends_at = ends_at + interval '7 days' where id = $1",
      [shiftId],
    );
    expect(await remindOfShifts(services)).toBe(0);
    await mover.query("commit");
  } finally {
    mover.release();
  }
  expect(await remindOfShifts(services)).toBe(0);
  expect(await remindAt(addDays(day, 6), "08:00")).toBe(1);
});
