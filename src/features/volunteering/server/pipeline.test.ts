import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Place } from "#admin/list-place.ts";
import { filesInDatabase } from "#shared/images/files/create-files.ts";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { type Stage, stageMoves } from "../stages.ts";
import { recordCheck, revokeCheck, verifyCheck } from "./checks.ts";
import { listApplicationEvents } from "./events.ts";
import { searchApplications } from "./find-applications.ts";
import { listApplications } from "./listed-applications.ts";
import { moveApplication } from "./pipeline.ts";
import { findApplication, readSensitiveDetail, recordLook } from "./reads.ts";
import { deleteOldFiles } from "./retention.ts";
import type { VolunteerServices } from "./store.ts";
import { addNote } from "./write-to-applicant.ts";

let db: TestDatabase;
let jobs: Jobs;
let now = new Date("2026-11-21T03:00:00Z");
let services: VolunteerServices;
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log: pino({ level: "silent" }) });
  services = { database: db.database, jobs, now: () => now };
});
beforeEach(() => {
  now = new Date("2026-11-21T03:00:00Z");
});
afterEach(async () => {
  await db.pool.query("delete from pgboss.job");
});
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});

const actor = "Sana";
const emails = async () =>
  (await db.pool.query<{ data: { template: string } }>("select data from pgboss.job where name = 'emails'")).rows.map(
    ({ data }) => data.template,
  );
const countFiles = async () => Number((await db.pool.query("select count(*) as n from private_files")).rows[0].n);
const eventsOf = async (id: string) => (await listApplicationEvents(db.database, id)).map(({ event }) => event);

async function bring(stages: readonly Stage[], roles = ["Fundraising"]) {
  const id = await makeApplication(db.database);
  let version = 1;
  for (const to of stages) {
    const moved = await moveApplication(services, { id, version, to, actor, roles });
    if (!moved.ok) throw new Error(moved.text);
    version = moved.version;
  }
  return { id, version };
}

async function addCheck(applicationId: string, expiresOn: string, isVerified = true) {
  const check = { state: "NSW", number: "WWC0000001V", kind: "volunteer", expiresOn } as const;
  const recorded = await recordCheck(services, { applicationId, check, actor });
  if (!recorded.ok) throw new Error(recorded.text);
  if (isVerified) await verifyCheck(services, { id: recorded.id, actor: "Imran" });
  return recorded.id;
}

test("VOL-10: from received to a decision, each move is recorded with its author, and each decision has one email", async () => {
  const { id } = await bring(["in_review", "waiting", "approved"]);
  const found = await findApplication(db.database, id);
  expect(found).toMatchObject({ stage: "approved", roles: ["Fundraising"], version: 4 });
  expect(found?.events.map(({ event, actor }) => [event, actor])).toEqual([
    ["review_started", actor],
    ["put_on_waiting_list", actor],
    ["approved", actor],
  ]);
  expect(await emails()).toEqual(["application-decided", "application-decided"]);
});

const stages = Object.keys(stageMoves) as Stage[];
const ways: Record<Stage, readonly Stage[]> = {
  received: [],
  in_review: ["in_review"],
  approved: ["in_review", "approved"],
  waiting: ["in_review", "waiting"],
  declined: ["in_review", "declined"],
  withdrawn: ["withdrawn"],
};

test.each(stages)(
  "VOL-10: from %s only the moves of the table are allowed; any other is refused with a sentence",
  async (from) => {
    for (const to of stages) {
      const { id, version } = await bring(ways[from]);
      const moved = await moveApplication(services, { id, version, to, actor, roles: ["Fundraising"] });
      expect(moved.ok, `${from} to ${to}`).toBe(to in stageMoves[from]);
      if (!moved.ok) expect(moved).toMatchObject({ problem: "not_allowed", text: expect.stringContaining("cannot") });
    }
  },
);

test("VOL-10: when two people decide at once one wins, and the other is told what happened", async () => {
  const { id, version } = await bring(["in_review"]);
  const both = await Promise.all([
    moveApplication(services, { id, version, to: "approved", actor, roles: ["Fundraising"] }),
    moveApplication(services, { id, version, to: "declined", actor: "Imran" }),
  ]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  const second = both.find(({ ok }) => !ok);
  expect(second).toMatchObject({
    problem: "moved_meanwhile",
    text: expect.stringMatching(/is now (approved|declined)/),
  });
  expect((await eventsOf(id)).filter((event) => event === "approved" || event === "declined")).toHaveLength(1);
  expect(await emails()).toEqual(["application-decided"]);
});

test("VOL-3: a role with children needs a check that is verified and has not ended", async () => {
  const { id, version } = await bring(["in_review"]);
  const approve = (roles: string[]) => moveApplication(services, { id, version, to: "approved", actor, roles });
  expect(await approve([])).toMatchObject({ problem: "roles_missing" });
  expect(await approve(["Astronaut"])).toMatchObject({ problem: "roles_missing" });
  const wanted = ["Fundraising", "Field Work"];
  expect(await approve(wanted)).toMatchObject({
    problem: "check_missing",
    text: expect.stringContaining("Field Work: no "),
  });
  const check = await addCheck(id, "2027-02-01", false);
  expect(await approve(wanted)).toMatchObject({ text: expect.stringContaining("not been verified") });
  expect(await verifyCheck(services, { id: check, actor: "Imran" })).toBe(true);
  expect(await verifyCheck(services, { id: check, actor: "Sana" })).toBe(false);
  now = new Date("2027-02-01T13:30:00Z");
  expect(await approve(wanted)).toMatchObject({ text: expect.stringContaining("expired on 1 February 2027") });
  now = new Date("2027-02-01T12:30:00Z");
  expect(await approve(wanted)).toMatchObject({ ok: true, stage: "approved" });
  expect((await findApplication(db.database, id))?.check).toMatchObject({
    verifiedBy: "Imran",
    expiresOn: "2027-02-01",
  });
});

test("VOLA-7: staff who look a person up see a check as verified only until the register no longer shows it", async () => {
  const { id } = await bring([]);
  const check = await addCheck(id, "2030-01-01");
  const { reference } = (await findApplication(db.database, id))!;
  const found = async () => (await searchApplications(db.database, reference))[0]?.check?.isVerified;
  expect(await found()).toBe(true);
  await revokeCheck(services, { id: check, actor });
  expect(await found()).toBe(false);
});

test("VOL-11: withdrawing removes photo and signature immediately and for good", async () => {
  const before = await countFiles();
  const id = await makeApplication(db.database);
  expect((await moveApplication(services, { id, to: "withdrawn", actor: "applicant" })).ok).toBe(true);
  expect(await countFiles()).toBe(before);
  expect(await findApplication(db.database, id)).toMatchObject({ hasPhoto: false, hasSignature: false });
  expect(await eventsOf(id)).toEqual(["withdrawn", "files_deleted"]);
  expect(await emails()).toEqual([]);
});

test("VOL-11: a declined applicant's pictures are deleted after the configured days, once, and not before", async () => {
  await db.pool.query("update volunteer_applications set decided_at = '2027-02-01'");
  const { id } = await bring(["in_review", "declined"]);
  const { id: kept } = await bring(["in_review", "approved"]);
  now = new Date("2027-02-19T02:00:00Z");
  const deleteOld = () =>
    db.database.transaction().execute((transaction) => deleteOldFiles(transaction, { now, limit: 100 }, 90));
  expect(await deleteOld()).toBe(0);
  now = new Date("2027-02-19T04:00:00Z");
  const both = await Promise.all([deleteOld(), deleteOld()]);
  expect(both.toSorted()).toEqual([0, 1]);
  expect(await findApplication(db.database, id)).toMatchObject({ hasPhoto: false, hasSignature: false });
  expect(await findApplication(db.database, kept)).toMatchObject({ hasPhoto: true, hasSignature: true });
  expect(await eventsOf(id)).toEqual(["review_started", "declined", "files_deleted"]);
});

test("VOL-5: an emergency contact is in no list, and each view of it is recorded with its reason", async () => {
  const id = await makeApplication(db.database);
  expect(JSON.stringify(await findApplication(db.database, id))).not.toContain("Bilal");
  const sources = { database: db.database, files: filesInDatabase };
  const look = { id, actor, why: "fell off a ladder" };
  expect(await recordLook(services, { ...look, what: "emergency" })).toBe(true);
  const contact = { name: "Bilal Raza", mobile: "0498 765 432" };
  expect(await readSensitiveDetail(sources, id, "emergency")).toMatchObject({ contact });
  expect(await recordLook(services, { ...look, what: "photo" })).toBe(true);
  expect(await readSensitiveDetail(sources, id, "photo")).toMatchObject({
    dataUrl: expect.stringContaining("data:image/jpeg;base64,"),
  });
  expect((await listApplicationEvents(db.database, id)).map(({ event, detail }) => [event, detail])).toEqual([
    ["emergency_contact_viewed", { why: "fell off a ladder" }],
    ["file_viewed", { which: "photo", why: "fell off a ladder" }],
  ]);
  const nobody = { ...look, id: "00000000-0000-4000-8000-000000000000" };
  expect(await recordLook(services, { ...nobody, what: "emergency" })).toBe(false);
  expect(await addNote(services, { id: nobody.id, actor, text: "?" })).toBe(false);
});

test("VOL-10: notes stay in order, and history can be neither changed nor removed", async () => {
  const id = await makeApplication(db.database);
  await addNote(services, { id, actor, text: "Rang on Monday" });
  await addNote(services, { id, actor: "Imran", text: "Rang back" });
  expect((await listApplicationEvents(db.database, id)).map(({ detail }) => detail)).toEqual([
    { text: "Rang on Monday" },
    { text: "Rang back" },
  ]);
  await expect(db.pool.query("update volunteer_events set actor = 'x'")).rejects.toThrow(
    /append only|permission denied/,
  );
  await expect(db.pool.query("delete from volunteer_events")).rejects.toThrow(/append only|permission denied/);
});

test("VOL-3: lists continue after the last row shown, by stage, and show nothing twice", async () => {
  const made = [];
  for (let index = 0; index < 7; index += 1) made.push(await makeApplication(db.database, { created_at: now }));
  const filter = { q: "", stage: "received", role: null, days: null, check: null } as const;
  const seen: string[] = [];
  let olderThan: Place | null = null;
  do {
    const page = await listApplications(db.database, filter, { today: "2026-11-21", limit: 3, olderThan });
    seen.push(...page.rows.map(({ id }) => id));
    olderThan = page.older;
  } while (olderThan !== null);
  expect(new Set(seen).size).toBe(seen.length);
  for (const id of made) expect(seen).toContain(id);
});
