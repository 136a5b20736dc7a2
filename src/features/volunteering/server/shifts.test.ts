import { randomUUID } from "node:crypto";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine } from "#admin/audit.ts";
import { filesInDatabase } from "#shared/images/files/create-files.ts";
import { sharp } from "#shared/images/sharp.ts";
import { storeImage } from "#shared/images/store.ts";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { longTest } from "#test/long-test.ts";
import { chashma } from "#test/organisation.ts";
import { countShapes } from "#test/pdf-shapes.ts";
import { runProgram } from "#test/run-command.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { shiftTimes } from "../shift.ts";
import { recordCheck, revokeCheck, verifyCheck } from "./checks.ts";
import { drawCertificate } from "./hours-certificate.ts";
import { drawHours } from "./hours-pdf.ts";
import { moveApplication } from "./pipeline.ts";
import { changeRoles } from "./roles.ts";
import {
  describePlaceFault,
  leavePlace,
  listHours,
  listOfferedShifts,
  recordHours,
  takePlace,
  tellOfLostPlaces,
} from "./shift-places.ts";
import { cancelShift, changeShift, findShift, planShifts, type ShiftPlan } from "./shifts.ts";
import type { VolunteerServices } from "./store.ts";

let db: TestDatabase;
let jobs: Jobs;
let services: VolunteerServices;
/** Before every shift of this file; a test may set another time. */
const today = new Date("2026-11-21T03:00:00Z");
let now = today;
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log: pino({ level: "silent" }) });
  services = { database: db.database, jobs, now: () => now };
});
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});

const actor = "Hira";

/** A volunteer for Events, whose verified check ends on this day; without a day, one who only raises funds. */
async function makeVolunteer(checkEnds?: string) {
  const roles = checkEnds === undefined ? ["Fundraising"] : ["Events", "Fundraising"];
  const id = await makeApplication(db.database, { stage: "approved", roles, decided_at: today });
  return { id, check: checkEnds === undefined ? "" : await addCheck(id, checkEnds) };
}

async function addCheck(applicationId: string, expiresOn: string, isVerified = true) {
  const check = { state: "NSW", number: "WWC0000001V", kind: "volunteer", expiresOn } as const;
  const recorded = await recordCheck(services, { applicationId, check, actor });
  if (!recorded.ok) throw new Error(recorded.text);
  if (isVerified) await verifyCheck(services, { id: recorded.id, actor });
  return recorded.id;
}

const planOf = (day: string, wanted: ShiftPlan["wanted"]): ShiftPlan => ({
  title: "Charity dinner",
  place: "Town hall",
  notes: "",
  eventId: null,
  wanted,
  ...shiftTimes({ day, from: "17:00", until: "22:00" }),
});

async function plan(day = "2026-12-05", wanted: ShiftPlan["wanted"] = { Events: 5, Fundraising: 5 }) {
  const [id] = await planShifts(services, [planOf(day, wanted)], commandLine);
  return id!;
}

const take = (shiftId: string, applicationId: string, role = "Events") =>
  takePlace(services, { shiftId, applicationId, role });

/** What became of this person's place in the shift: 'held', or why it is lost. */
async function placeOf(shiftId: string, applicationId: string) {
  const shift = await findShift(db.database, shiftId);
  const place = shift!.places.findLast((each) => each.applicationId === applicationId);
  return place && (place.leftBecause ?? "held");
}

test("VOLA-10: a role that needs a check takes nobody whose check is missing, unverified, revoked or ends before the shift does", async () => {
  const shift = await plan();
  const good = await makeVolunteer("2026-12-05");
  expect(await take(shift, good.id)).toBeNull();
  const short = await makeVolunteer("2026-12-04");
  expect(await take(shift, short.id)).toBe("check_not_valid");
  expect(await take(shift, short.id, "Fundraising")).toBeNull();
  const revoked = await makeVolunteer("2029-01-01");
  await revokeCheck(services, { id: revoked.check, actor });
  expect(await take(shift, revoked.id)).toBe("check_not_valid");
  const unverified = await makeApplication(db.database, { stage: "approved", roles: ["Events"] });
  await addCheck(unverified, "2029-01-01", false);
  expect(await take(shift, unverified)).toBe("check_not_valid");
  const other = await makeVolunteer();
  expect(await take(shift, other.id)).toBe("role_not_held");
  expect(await take(shift, await makeApplication(db.database))).toBe("role_not_held");
});

test("VOLA-10: whatever changes after somebody signed up, without a valid check on the day the place is lost, and they are told once", async () => {
  const lost: string[] = [];
  const revoked = await makeVolunteer("2029-01-01");
  const first = await plan();
  await take(first, revoked.id);
  await revokeCheck(services, { id: revoked.check, actor });
  expect(await placeOf(first, revoked.id)).toBe("unfit");
  lost.push(revoked.id);

  const moved = await makeVolunteer("2026-12-10");
  const second = await plan("2026-12-08");
  await take(second, moved.id);
  await take(second, revoked.id, "Fundraising");
  const later = {
    id: second,
    version: 1,
    plan: planOf("2026-12-11", { Events: 5, Fundraising: 5 }),
    actor: commandLine,
  };
  expect(await changeShift(services, later)).toBeNull();
  expect(await placeOf(second, moved.id)).toBe("unfit");
  expect(await placeOf(second, revoked.id)).toBe("held");
  lost.push(moved.id);

  const shorter = await makeVolunteer("2029-01-01");
  const third = await plan();
  await take(third, shorter.id);
  now = new Date(now.getTime() + 1000);
  await addCheck(shorter.id, "2026-11-30");
  expect(await placeOf(third, shorter.id)).toBe("unfit");
  lost.push(shorter.id);

  const renewing = await makeVolunteer("2029-01-01");
  await take(third, renewing.id);
  await addCheck(renewing.id, "2031-01-01", false);
  expect(await placeOf(third, renewing.id)).toBe("held");

  const without = await makeVolunteer();
  await take(third, without.id, "Fundraising");
  await db.pool.query("update volunteer_roles set needs_check = true, changed_at = $1 where title = 'Fundraising'", [
    now,
  ]);
  expect(await placeOf(third, without.id)).toBe("unfit");
  lost.push(without.id);
  await db.pool.query("update volunteer_roles set needs_check = false where title = 'Fundraising'");

  const { rows } = await db.pool.query(
    "select application_id as id from volunteer_shift_places where left_because = 'unfit'",
  );
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(lost));
  await db.pool.query("delete from pgboss.job");
  const told = await Promise.all([tellOfLostPlaces(services), tellOfLostPlaces(services)]);
  expect(told[0] + told[1]).toBe(rows.length);
  expect(await tellOfLostPlaces(services)).toBe(0);
});

test("VOLA-10: who is no longer a volunteer, or no longer in the role, loses coming shifts but not past hours", async () => {
  const leaving = await makeVolunteer("2029-01-01");
  const changing = await makeVolunteer("2029-01-01");
  const past = await plan("2026-11-22");
  const ahead = await plan("2026-12-06");
  for (const { id } of [leaving, changing]) for (const shift of [past, ahead]) await take(shift, id);
  now = new Date("2026-11-23T00:00:00Z");
  const places = (await findShift(db.database, past))!.places;
  const minutes = new Map(places.map(({ id }) => [id, 300]));
  expect(await recordHours(services, { shiftId: past, minutes, actor: commandLine })).toBe(2);
  expect((await moveApplication(services, { id: leaving.id, to: "withdrawn", actor: "applicant" })).ok).toBe(true);
  const changed = await changeRoles(services, { id: changing.id, version: 1, roles: ["Fundraising"], actor });
  expect(changed.ok).toBe(true);
  // Nobody is told that they lost what they gave up.
  expect([await placeOf(ahead, leaving.id), await placeOf(ahead, changing.id)]).toEqual(["withdrew", "unfit"]);
  for (const { id } of [leaving, changing]) {
    expect(await listHours(db.database, id)).toMatchObject([{ minutes: 300, day: "2026-11-22" }]);
  }
  now = today;
});

test("VOLA-10: the database refuses a place without a valid check, whoever inserts it, even if an older statement read otherwise", async () => {
  const shift = await plan();
  const { id } = await makeVolunteer("2026-12-01");
  const insert = db.pool.query(
    "insert into volunteer_shift_places (id, shift_id, role, application_id, taken_at) values ($1, $2, 'Events', $3, now())",
    [randomUUID(), shift, id],
  );
  await expect(insert).rejects.toThrow("check_not_valid");
});

test("VOLA-10: of a sign-up and a revocation at the same time, no place without a valid check remains", async () => {
  for (let round = 0; round < 10; round += 1) {
    const shift = await plan();
    const { id, check } = await makeVolunteer("2029-01-01");
    await Promise.all([take(shift, id), revokeCheck(services, { id: check, actor })]);
    expect(await placeOf(shift, id)).not.toBe("held");
  }
});

/** Runs both statements in transactions of their own: the second is sent, and waits if it must, before the first commits. */
async function overlap(first: [string, unknown[]], second: [string, unknown[]]) {
  const [one, other] = [await db.pool.connect(), await db.pool.connect()];
  try {
    await one.query("begin");
    await one.query(...first);
    const { rows } = await other.query("select pg_backend_pid() as pid");
    const sent = other.query(...second);
    const isWaiting = async () => {
      const waits = "select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = $1";
      return (await one.query(waits, [rows[0].pid])).rows[0].waits;
    };
    await expect.poll(isWaiting).toBe(true);
    await one.query("commit");
    await sent;
  } finally {
    one.release();
    other.release();
  }
}

test("VOLA-10: of two changes at the same time that together leave somebody without a valid check, the later frees the place", async () => {
  const revoke = "update working_with_children_checks set revoked_by = 'Hira', revoked_at = $2 where id = $1";
  const verify = "update working_with_children_checks set verified_by = 'Hira', verified_at = $2 where id = $1";
  const move = `update volunteer_shifts set starts_at = starts_at + interval '9 days', ends_at = ends_at + interval '9 days',
    last_day = last_day + 9 where id = $1`;
  const guard = "update volunteer_roles set needs_check = true, changed_at = $1 where title = 'Fundraising'";
  const later = new Date(now.getTime() + 1000);

  // Until 10 December the shorter check is enough for the 5th, and the longer one for the 14th: both changes are not.
  for (const isMoveFirst of [true, false]) {
    const { id } = await makeVolunteer("2029-01-01");
    const shift = await plan();
    expect(await take(shift, id)).toBeNull();
    const shorter = await addCheck(id, "2026-12-10", false);
    const both = [[move, [shift]] as [string, unknown[]], [verify, [shorter, later]] as [string, unknown[]]] as const;
    await (isMoveFirst ? overlap(both[0], both[1]) : overlap(both[1], both[0]));
    expect(await placeOf(shift, id), `move first: ${isMoveFirst}`).toBe("unfit");
  }

  for (const isGuardFirst of [true, false]) {
    const { id, check } = await makeVolunteer("2029-01-01");
    const shift = await plan();
    expect(await take(shift, id, "Fundraising")).toBeNull();
    const both = [[guard, [later]] as [string, unknown[]], [revoke, [check, later]] as [string, unknown[]]] as const;
    await (isGuardFirst ? overlap(both[0], both[1]) : overlap(both[1], both[0]));
    expect(await placeOf(shift, id), `role first: ${isGuardFirst}`).toBe("unfit");
    await db.pool.query("update volunteer_roles set needs_check = false where title = 'Fundraising'");
  }
});

test("VOLA-10: hours, which keep a place, are recorded only once the shift has begun, and then it cannot move ahead", async () => {
  const { id, check } = await makeVolunteer("2029-01-01");
  const shift = await plan();
  await take(shift, id);
  const place = (await findShift(db.database, shift))!.places[0]!.id;
  const hours = { shiftId: shift, minutes: new Map([[place, 300]]), actor: commandLine };
  expect(await recordHours(services, hours)).toBeNull();
  await revokeCheck(services, { id: check, actor });
  expect(await placeOf(shift, id)).toBe("unfit");
  now = new Date("2026-12-05T12:00:00Z");
  const came = await makeVolunteer("2029-01-01");
  expect(await takePlace(services, { shiftId: shift, applicationId: came.id, role: "Events" }, commandLine)).toBeNull();
  const own = (await findShift(db.database, shift))!.places.find(({ applicationId }) => applicationId === came.id)!.id;
  expect(await recordHours(services, { ...hours, minutes: new Map([[own, 300]]) })).toBe(1);
  const later = { id: shift, version: 1, plan: planOf("2026-12-12", { Events: 5 }), actor: commandLine };
  expect(await changeShift(services, later)).toContain("Hours are recorded");
  now = today;
});

longTest(
  "VOLA-11: two processes with more volunteers than places never sign up more than are wanted, and leave no place empty",
  async () => {
    const people: string[] = [];
    for (let index = 0; index < 24; index += 1) people.push((await makeVolunteer("2029-01-01")).id);
    const tomorrow = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const shift = await plan(tomorrow, { Events: 7 });
    const run = (ids: string[]) =>
      runProgram("test/shift-taker.ts", [shift, "Events", ...ids], { DATABASE_URL: db.url });
    const [one, other] = await Promise.all([run(people.slice(0, 12)), run(people.slice(12))]);
    expect([one.stderr, other.stderr]).toEqual(["", ""]);
    expect(Number(one.stdout) + Number(other.stdout)).toBe(7);
    const { places } = (await findShift(db.database, shift))!;
    expect(places).toHaveLength(7);
  },
);

test("VOLA-11: signing up twice is one place; it is given up until the shift begins, and free again", async () => {
  const shift = await plan("2026-12-05", { Events: 1 });
  const [one, other] = [await makeVolunteer("2029-01-01"), await makeVolunteer("2029-01-01")];
  expect(await take(shift, one.id)).toBeNull();
  expect(await take(shift, one.id)).toBeNull();
  expect(await take(shift, other.id)).toBe("shift_full");
  expect((await listOfferedShifts(db.database, other.id, now)).find(({ id }) => id === shift)?.roles[0]?.free).toBe(0);
  expect(await leavePlace(services, { shiftId: shift, applicationId: one.id })).toBe(true);
  expect(await leavePlace(services, { shiftId: shift, applicationId: one.id })).toBe(false);
  expect(await take(shift, other.id)).toBeNull();
  now = new Date("2026-12-05T07:00:00Z");
  expect(await leavePlace(services, { shiftId: shift, applicationId: other.id })).toBe(false);
  expect(await take(shift, one.id)).toBe("shift_begun");
  now = today;
});

test("VOLA-11: who has a place is told so if they are signed up in another role, and only a new place is recorded", async () => {
  const shift = await plan();
  const { id } = await makeVolunteer("2029-01-01");
  const add = (role: string) => takePlace(services, { shiftId: shift, applicationId: id, role }, commandLine);
  expect(await add("Fundraising")).toBeNull();
  expect(await add("Fundraising")).toBeNull();
  const fault = await add("Events");
  expect(fault).toEqual({ inRole: "Fundraising" });
  expect(describePlaceFault(fault!)).toBe(
    "Already in this shift as Fundraising. To change the role, give up that place first.",
  );
  const { rows } = await db.pool.query("select after from audit_trail where verb = 'shift.add' and subject_id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ after: { shiftRole: "Fundraising" } }]);
});

test("VOLA-9: a shift wants no fewer than have signed up, a change of an outdated form does nothing, and cancelling frees everybody", async () => {
  const shift = await plan();
  const { id } = await makeVolunteer("2029-01-01");
  await take(shift, id);
  const change = { id: shift, version: 1, plan: planOf("2026-12-05", { Events: 0 }), actor: commandLine };
  expect(await changeShift(services, change)).toBe(
    "Events: 1 person has signed up. Enter at least 1, or remove them from the shift first.",
  );
  expect(await changeShift(services, { ...change, plan: planOf("2026-12-05", { Events: 2 }) })).toBeNull();
  expect(await changeShift(services, { ...change, plan: planOf("2026-12-05", { Events: 3 }) })).toContain(
    "in the meantime",
  );
  expect(await cancelShift(services, { id: shift, actor: commandLine })).toBe(true);
  expect(await placeOf(shift, id)).toBe("cancelled");
  expect(await take(shift, id)).toBe("shift_cancelled");
  expect((await listOfferedShifts(db.database, id, now)).map((each) => each.id)).not.toContain(shift);
});

test("VOLA-12: the certificate is a tagged PDF with the hours that were recorded, and nothing of who did not come", async () => {
  const organisation = chashma;
  const shifts = [
    { title: "Charity dinner", role: "Events", day: "2026-12-05", minutes: 300 },
    { title: "Street stall", role: "Fundraising", day: "2026-12-12", minutes: 150 },
  ];
  const given = {
    organisation,
    name: "آمنہ Raza",
    reference: "V-7KQ2-M9XW-4TBC",
    shifts,
    day: "2027-01-05",
    madeAt: today,
  };
  const bytes = await drawHours(given);
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(bytes.toString("latin1")).toContain("/StructTreeRoot");
  expect(bytes.equals(await drawHours(given))).toBe(true);
  // Also with a name from right to left the sentence runs from left to right.
  const page = await (await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise).getPage(1);
  const { items } = await page.getTextContent();
  const leftOf = (word: string) =>
    items.flatMap((item) => ("str" in item && item.str === word ? [item.transform[4]] : []));
  const lefts = ["confirm", "Raza", "volunteered", "hours"].map((word) => leftOf(word)[0]);
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
});

test("BRA-7: the certificate has the published brand’s logo, and no printed strip in the quiet theme", async () => {
  const shift = await plan("2026-11-22");
  const { id } = await makeVolunteer("2028-01-01");
  await take(shift, id);
  const [place] = (await findShift(db.database, shift))!.places;
  now = new Date("2026-11-23T00:00:00Z");
  await recordHours(services, { shiftId: shift, minutes: new Map([[place!.id, 300]]), actor: commandLine });
  now = today;
  const sources = { database: db.database, files: filesInDatabase };
  const draw = async () => (await drawCertificate(sources, { id, organisation: chashma, now }))!.bytes;
  const delivered = await draw();
  expect(delivered.toString("latin1")).not.toContain("/Subtype /Image");
  expect((await countShapes(delivered))[0]).toBeGreaterThan(100);
  const drawn = sharp({ create: { width: 300, height: 160, channels: 4, background: "#0b5d3b" } });
  const logo = await storeImage(db.database, await drawn.png().toBuffer(), { name: "Logo" });
  const value = JSON.stringify({ theme: "quiet", logoOnLight: logo });
  await db.database.insertInto("site_settings").values({ key: "brand", value }).execute();
  const branded = await draw();
  expect(branded.toString("latin1")).toContain("/Subtype /Image");
  expect((await countShapes(branded))[0]).toBeLessThan(30);
});
