import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { recordCheck, remindOfChecks, verifyCheck } from "./checks.ts";
import { listApplicationEvents } from "./events.ts";
import type { VolunteerServices } from "./store.ts";

let db: TestDatabase;
let jobs: Jobs;
let now: Date;
let services: VolunteerServices;
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log: pino({ level: "silent" }) });
  services = { database: db.database, jobs, now: () => now };
});
beforeEach(() => {
  now = new Date("2026-11-21T03:00:00Z");
});
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});

async function makeVolunteer(expiresOn: string) {
  const id = await makeApplication(db.database, { stage: "approved", roles: ["Field Work"], decided_at: now });
  const check = { state: "VIC", number: `WWC${Math.floor(Math.random() * 1e7)}`, kind: "paid", expiresOn } as const;
  const recorded = await recordCheck(services, { applicationId: id, check, actor: "Sana" });
  if (recorded.ok) await verifyCheck(services, { id: recorded.id, actor: "Sana" });
  return id;
}

test("VOL-3: a volunteer is reminded once from three months before a check's end, and again when it has ended", async () => {
  const id = await makeVolunteer("2027-03-01");
  await makeVolunteer("2029-03-01");
  expect(await remindOfChecks(services)).toBe(0);
  now = new Date("2026-12-02T03:00:00Z");
  const both = await Promise.all([remindOfChecks(services), remindOfChecks(services)]);
  expect(both.toSorted()).toEqual([0, 1]);
  expect(await remindOfChecks(services)).toBe(0);
  now = new Date("2027-03-01T14:00:00Z");
  expect(await remindOfChecks(services)).toBe(1);
  expect(await remindOfChecks(services)).toBe(0);
  const reminders = (await listApplicationEvents(db.database, id)).filter(
    ({ event }) => event === "check_reminder_sent",
  );
  expect(reminders.map(({ detail }) => (detail as { hasLapsed: boolean }).hasLapsed)).toEqual([false, true]);
  const { rows } = await db.pool.query("select 1 from pgboss.job where data->>'template' = 'check-expires'");
  expect(rows).toHaveLength(2);
});

test("VOL-3: a new check replaces the old one, which stays on record without reminders", async () => {
  const id = await makeVolunteer("2026-12-24");
  const check = { state: "NSW", number: "WWC0000009V", kind: "volunteer", expiresOn: "2031-11-01" } as const;
  expect(await recordCheck(services, { applicationId: id, check, actor: "Sana" })).toMatchObject({ ok: true });
  expect(await remindOfChecks(services)).toBe(0);
  const { rows } = await db.pool.query(
    "select replaced_at from working_with_children_checks where application_id = $1",
    [id],
  );
  expect(rows.filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1);
  expect(rows).toHaveLength(2);
  const nobody = { applicationId: randomUUID(), check, actor: "Sana" };
  expect(await recordCheck(services, nobody)).toMatchObject({ ok: false, text: "There is no such application." });
});
