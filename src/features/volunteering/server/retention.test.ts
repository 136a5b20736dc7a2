import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser } from "#database/factories.ts";
import { filesInDatabase } from "#shared/images/files/create-files.ts";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { applyRetention, type Person } from "#shared/retention/retention.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { chashma } from "#test/organisation.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { recordCheck, verifyCheck } from "./checks.ts";
import { writeVolunteerEmail } from "./emails.ts";
import { insertEvents } from "./events.ts";
import { moveApplication } from "./pipeline.ts";
import { volunteerHoldings } from "./retention.ts";
import { addNote } from "./write-to-applicant.ts";

const DAY = 86_400_000;
const log = pino({ level: "silent" });
let db: TestDatabase;
let jobs: Jobs;
let now = new Date("2026-11-22T00:00:00Z");
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log });
});
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});

const services = () => ({ database: db.database, files: filesInDatabase, jobs, now: () => now });
const holdings = () => volunteerHoldings(services(), { filesDays: 90 });
const runJob = () => applyRetention({ database: db.database, log, now: () => now }, holdings().rules);
const leave = (person: Person) =>
  db.database.transaction().execute((transaction) => holdings().release!(transaction, person, now));
const wait = (days: number) => {
  now = new Date(now.getTime() + days * DAY);
};

const read = async (id: string) =>
  (await db.pool.query("select * from volunteer_applications where id = $1", [id])).rows[0];
const count = async (table: string, id: string) =>
  Number((await db.pool.query(`select count(*) from ${table} where application_id = $1`, [id])).rows[0].count);

async function approve(id: string, { verified }: { verified: boolean }) {
  const check = { state: "NSW", number: "WWC1234567E", kind: "volunteer", expiresOn: "2030-02-01" } as const;
  const recorded = await recordCheck(services(), { applicationId: id, check, actor: "Sana" });
  if (verified && recorded.ok) await verifyCheck(services(), { id: recorded.id, actor: "Sana" });
  await moveApplication(services(), { id, to: "in_review", actor: "Sana" });
  const moved = await moveApplication(services(), { id, to: "approved", actor: "Sana", roles: ["Administration"] });
  expect(moved.ok).toBe(true);
}

test("SEC-9: an application is deleted with its pictures, check and notes one year after it was declined, or two years after its last change if undecided", async () => {
  const [declined, waiting, active] = [
    await makeApplication(db.database, { created_at: now }),
    await makeApplication(db.database, { created_at: now }),
    await makeApplication(db.database, { created_at: now }),
  ];
  await addNote(services(), { id: declined, actor: "Sana", text: "Rang Amina" });
  for (const to of ["in_review", "declined"] as const)
    await moveApplication(services(), { id: declined, to, actor: "Sana" });
  await approve(active, { verified: false });
  wait(364);
  await runJob();
  expect(await read(declined)).toMatchObject({ name: "Amina Raza", photo_file_id: null });
  wait(2);
  await runJob();
  expect([await read(declined), await count("volunteer_events", declined)]).toEqual([undefined, 0]);
  expect(await read(waiting)).toBeDefined();
  wait(366);
  await runJob();
  expect(await read(waiting)).toBeUndefined();
  expect(await read(active)).toMatchObject({ stage: "approved", name: "Amina Raza" });
  const files = await db.pool.query("select 1 from private_files");
  expect(files.rowCount).toBe(2);
});

test("SEC-9, PRO-11: for seven years after a volunteer with a verified check leaves, only name and check are kept", async () => {
  const { id: userId, email } = await makeUser(db.database);
  const id = await makeApplication(db.database, { user_id: userId, email, created_at: now, updated_at: now });
  await approve(id, { verified: true });
  await leave({ userId, email, isConfirmed: false, askedBy: "member" });
  const row = await read(id);
  expect(row).toMatchObject({
    name: "Amina Raza",
    stage: "withdrawn",
    street: "",
    mobile: "",
    email: "",
    emergency_name: "",
  });
  expect(JSON.stringify(row)).not.toMatch(/Harbour|Bilal|0412/);
  expect([await count("volunteer_events", id), await count("working_with_children_checks", id)]).toEqual([0, 1]);
  wait(7 * 366 - 10);
  await runJob();
  expect(await read(id)).toBeDefined();
  wait(10);
  await runJob();
  expect([await read(id), await count("working_with_children_checks", id)]).toEqual([undefined, 0]);
});

test("PRO-11: closing an account withdraws the application, and the coordinator is told only the reference", async () => {
  const { id: userId, email } = await makeUser(db.database);
  const id = await makeApplication(db.database, { user_id: userId, email, created_at: now, updated_at: now });
  const { reference } = await read(id);
  await approve(id, { verified: false });
  await db.pool.query("delete from pgboss.job");
  await leave({ userId, email, isConfirmed: false, askedBy: "member" });
  expect(await read(id)).toBeUndefined();
  const { rows } = await db.pool.query("select data from pgboss.job where data ->> 'template' = 'volunteer-withdrew'");
  expect(rows).toEqual([{ data: { template: "volunteer-withdrew", applicationId: id, reference } }]);
  const organisation = { ...chashma, email: "office@example.com", volunteersEmail: undefined };
  const context = {
    database: db.database,
    sender: { organisation, publicUrl: "http://a.example" },
    config: { secretKey: "k", linkDays: 400 },
    now: () => now,
  };
  const sent = await writeVolunteerEmail(context, rows[0].data);
  expect(sent).toMatchObject({ to: { address: "office@example.com" }, text: expect.stringContaining(reference) });
  expect(sent!.text).not.toMatch(/Amina|0412/);
  // The same email is sent if staff erase a person, with or without an account.
  expect(sent!.text).toContain("has closed their account, or staff have erased their data.");
});

test("SEC-9: the history of a kept application can still be neither changed nor removed", async () => {
  const id = await makeApplication(db.database);
  await insertEvents(db.database, [{ applicationId: id, event: "received", actor: "applicant" }], now);
  for (const statement of [
    "delete from volunteer_events",
    "update volunteer_events set actor = 'x'",
    "truncate volunteer_events",
  ]) {
    await expect(db.pool.query(statement), statement).rejects.toThrow(/append only|permission denied/);
  }
});
