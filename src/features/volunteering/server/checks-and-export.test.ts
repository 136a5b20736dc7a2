import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { listNeedingAttention, recordCheck, remindOfChecks, verifyCheck } from "./checks.ts";
import { listApplicationEvents } from "./events.ts";
import { exportApplications } from "./export.ts";
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

async function makeVolunteer(expiresOn: string | null, { isVerified = true } = {}) {
  const id = await makeApplication(db.database, { stage: "approved", roles: ["Field Work"], decided_at: now });
  if (expiresOn === null) return id;
  const check = { state: "VIC", number: `WWC${Math.floor(Math.random() * 1e7)}`, kind: "paid", expiresOn } as const;
  const recorded = await recordCheck(services, { applicationId: id, check, actor: "Sana" });
  if (recorded.ok && isVerified) await verifyCheck(services, { id: recorded.id, actor: "Sana" });
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

test("VOL-3: volunteers in a role with children are listed until they have a valid check", async () => {
  await db.pool.query("update volunteer_applications set stage = 'received', roles = '{}'");
  const none = await makeVolunteer(null);
  const unverified = await makeVolunteer("2028-01-01", { isVerified: false });
  const lapsed = await makeVolunteer("2026-11-30");
  await makeVolunteer("2028-01-01");
  await makeApplication(db.database, { stage: "approved", roles: ["Fundraising"] });
  const listed = (await listNeedingAttention(db.database, "2026-12-01")).map(({ id }) => id);
  expect(listed.toSorted()).toEqual([none, unverified, lapsed].toSorted());
});

/** Reads CSV (RFC 4180) with quotes and line ends, as a spreadsheet does. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, end] of text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted!.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

const longText = `${'پاکستان میں مدد کرنا چاہتی ہوں، "دل" سے۔\n'.repeat(80)}`.slice(0, 3000);

test("VOL-4: the export has names in Urdu and texts of 3,000 characters in full, and no cell is a formula", async () => {
  await db.pool.query("update volunteer_applications set stage = 'received', roles = '{}'");
  const id = await makeApplication(db.database, {
    name: "آمنہ رضا",
    skills: longText,
    experience: '=HYPERLINK("https://evil.example")',
    mobile: "+61 412 345 678",
  });
  const pieces: string[] = [];
  const wanted = { actor: "Sana", why: "Eid lists", withEmergencyContacts: false };
  for await (const piece of exportApplications(services, wanted)) pieces.push(piece);
  const text = pieces.join("");
  expect(text.startsWith("\ufeff")).toBe(true);
  const [heading = [], ...rows] = readCsv(text.slice(1));
  const row = rows.find((cells) => cells.includes("آمنہ رضا")) ?? [];
  const cell = (title: string) => row[heading.indexOf(title)];
  expect(cell("Skills")).toBe(longText);
  expect(cell("Previous experience")).toBe('\'=HYPERLINK("https://evil.example")');
  expect(cell("Mobile")).toBe("'+61 412 345 678");
  expect(cell("Interests")).toBe("Events; Fundraising");
  expect(text).not.toContain("Bilal");
  expect((await listApplicationEvents(db.database, id)).at(-1)).toMatchObject({ event: "exported", actor: "Sana" });
});

test("VOL-5: emergency contacts are exported only on request, which is recorded", async () => {
  const id = await makeApplication(db.database);
  let text = "";
  const wanted = { actor: "Sana", why: "Excursion", withEmergencyContacts: true };
  for await (const piece of exportApplications(services, wanted)) text += piece;
  expect(text).toContain('"Bilal Raza"');
  expect((await listApplicationEvents(db.database, id)).at(-1)?.detail).toEqual({
    why: "Excursion",
    withEmergencyContacts: true,
  });
});

test("VOL-4: an export of many applications comes in batches and leaves nobody out", async () => {
  const before = Number((await db.pool.query("select count(*) as n from volunteer_applications")).rows[0].n);
  await db.pool.query(
    `insert into volunteer_applications (id, client_key, reference, name, street, state, country, postcode, mobile, email,
       preferred_contact, availability, interests, emergency_name, emergency_postcode, emergency_city, emergency_state,
       emergency_country, emergency_mobile, emergency_email, emergency_preferred_contact, created_at, updated_at)
     select gen_random_uuid(), gen_random_uuid(), 'V-TEST-' || n, 'Volunteer ' || n, 'Street', 'NSW', 'Australia', '2000',
       '0400000000', 'v@example.com', 'Email', 'Weekend', '{Events}', 'E', '2000', 'Sydney', 'NSW', 'Australia',
       '0400000001', 'e@example.com', 'Email', now(), now() from generate_series(1, 1200) n`,
  );
  let rows = 0;
  let pieces = 0;
  for await (const piece of exportApplications(services, { actor: "a", why: "b", withEmergencyContacts: false })) {
    rows += readCsv(piece.replace("\ufeff", "")).length;
    pieces += 1;
  }
  expect(rows).toBe(before + 1200 + 1);
  expect(pieces).toBeGreaterThan(3);
});
