import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { commandLine } from "#admin/audit.ts";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { addDays } from "#shared/language.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { shiftTimes } from "../shift.ts";
import { describePlaceFault, listOfferedShifts, takePlace } from "./shift-places.ts";
import { planShifts, type ShiftPlan } from "./shifts.ts";

let db: TestDatabase;
let jobs: Jobs;
let now: Date;
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log: pino({ level: "silent" }) });
});
beforeEach(async () => {
  now = new Date("2026-11-21T03:00:00Z");
  await db.pool.query("truncate volunteer_shifts cascade");
});
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});

const services = () => ({ database: db.database, jobs, now: () => now });
const makeVolunteer = () =>
  makeApplication(db.database, { stage: "approved", roles: ["Fundraising"], decided_at: now });
const take = (shiftId: string, applicationId: string, actor: typeof commandLine | null = null) =>
  takePlace(services(), { shiftId, applicationId, role: "Fundraising" }, actor);

/** Plans shifts, each on its day. */
function plan(days: readonly string[], wanted: ShiftPlan["wanted"], from = "17:00", until = "22:00") {
  const shift = { title: "Charity dinner", place: "", notes: "", eventId: null, wanted };
  const plans = days.map((day) => ({ ...shift, ...shiftTimes({ day, from, until }) }));
  return planShifts(services(), plans, commandLine);
}

test("VOLA-11: volunteers are offered only shifts that want somebody in their roles, however many others are planned", async () => {
  const days = Array.from({ length: 110 }, (_, index) => addDays("2026-11-22", index));
  await plan(days, { Events: 2, Fundraising: 0 });
  const [wanted] = await plan(["2027-05-01"], { Events: 2, Fundraising: 1 });
  const offered = await listOfferedShifts(db.database, await makeVolunteer(), now);
  expect(offered).toMatchObject([{ id: wanted, taken: null, roles: [{ role: "Fundraising", free: 1 }] }]);
});

test("VOLA-11: a shift that somebody has a place in stays on their page, so that they can withdraw, whatever comes before it", async () => {
  const days = Array.from({ length: 110 }, (_, index) => addDays("2026-11-22", index));
  await plan(days, { Fundraising: 2 });
  const [last] = await plan(["2027-05-01"], { Fundraising: 2 });
  const id = await makeVolunteer();
  expect(await take(last!, id)).toBeNull();
  const offered = await listOfferedShifts(db.database, id, now);
  expect(offered.at(-1)).toMatchObject({ id: last, taken: "Fundraising" });
  const starts = offered.map(({ startsAt }) => startsAt.getTime());
  expect(starts).toEqual(starts.toSorted((one, other) => one - other));
});

test("VOLA-11: nobody takes two places at the same time, not even at the same moment; one shift may begin as another ends", async () => {
  const [dinner] = await plan(["2026-12-05"], { Fundraising: 5 });
  const [clearing] = await plan(["2026-12-05"], { Fundraising: 5 }, "21:30", "23:00");
  const [stall] = await plan(["2026-12-05"], { Fundraising: 5 }, "13:00", "17:00");
  const id = await makeVolunteer();
  const both = await Promise.all([take(dinner!, id), take(clearing!, id)]);
  const refused = both.filter((fault) => fault !== null);
  expect(refused).toHaveLength(1);
  expect(describePlaceFault(refused[0]!)).toMatch(
    /^Already in another shift at that time: Charity dinner, Sat, 5 Dec 2026, .+\. Give up that place first\.$/,
  );
  const other = await makeVolunteer();
  expect([await take(stall!, other), await take(dinner!, other)]).toEqual([null, null]);
  expect(await take(clearing!, other, commandLine)).toMatchObject({ inShift: { title: "Charity dinner" } });
  // Afterwards staff record who came, and when they were there.
  now = new Date("2026-12-06T00:00:00Z");
  expect(await take(clearing!, other, commandLine)).toBeNull();
});
