import { afterEach, beforeEach, expect, test } from "vitest";
import { recordAct } from "#admin/audit.ts";
import { createPersonData } from "#app/admin/person-data.ts";
import { listHoldings, rulesOf } from "#app/holdings.ts";
import { makeStaff } from "#database/factories.ts";
import { registerUser } from "../accounts.ts";
import { type AdminSite, openAdminSite } from "../admin-site.ts";
import { doEverything, leaver, leaverTexts } from "../leaver.ts";
import { addRareRows, dropChecks, mark, markerOf } from "../marked-columns.ts";
import { findText } from "../personal-data.ts";
import { readArchive } from "../read-archive.ts";

let site: AdminSite;
let administrator: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeEach(async () => {
  site = await openAdminSite();
  administrator = await site.logIn("administrator");
});
afterEach(() => site.close());

/** A member who has done everything; the id of their first donation. */
async function makeLeaver(): Promise<string> {
  const { firstName, lastName, email, mobile } = leaver;
  const { visitor, user } = await registerUser(site, undefined, { firstName, lastName, email, mobile });
  await doEverything(site, visitor, user.id);
  // Sessions of staff end after half an hour, and `doEverything` takes three days.
  administrator = await site.logIn("administrator");
  return (await site.pool.query("select id from donations order by created_at limit 1")).rows[0].id;
}

async function download(id: string) {
  const { statusCode, rawPayload, headers } = await administrator.visitor.ask({ url: `/admin/people/${id}/data.zip` });
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("application/zip");
  const files = readArchive(rawPayload);
  expect(Object.keys(files)).toEqual(["person.html", "person.json"]);
  return { html: files["person.html"]!, json: files["person.json"]!, data: JSON.parse(files["person.json"]!) };
}

/** Only test sites keep emails in the database. */
const isEmail = (column: string) => column.startsWith("mailbox_messages.");

const planOf = (email: string) =>
  createPersonData(site.services, {
    holdings: listHoldings(site.services),
    findEmail: async () => email,
    describeActs: async () => [],
  }).planErasure(email);

/** The columns by which rows are found keep what is in them. */
const keys = ["users.email", "donations.email", "ticket_orders.email", "contact_messages.email"];
const keptAsTheyAre = [
  ...keys,
  "volunteer_applications.email",
  "staff.email",
  "staff.roles",
  "staff_sessions.ip_address",
];

/** The negative control: a personal column that nothing exports and nothing erases. */
const planted = "donations.dedication";

/** Writes its marker into every personal column that staff download, and one into a column that nothing knows. */
async function markEverything(id: string): Promise<string[]> {
  const holdings = listHoldings(site.services);
  const never = new Set(
    holdings.flatMap(({ notExported = [], exportedToStaff = [] }) =>
      notExported.filter((column) => !exportedToStaff.includes(column)),
    ),
  );
  const personal = rulesOf(holdings).flatMap(({ columns }) => columns);
  const marked = [...new Set(personal)].filter(
    (column) => !column.startsWith("pgboss.") && !never.has(column) && !keptAsTheyAre.includes(column),
  );
  await addRareRows(site);
  const { id: staffId } = await makeStaff(site.database, { email: leaver.email.toUpperCase() });
  const act = { verb: "donation.note", subject: "donation", subjectId: id, before: { a: 1 }, after: { a: 2 } };
  await recordAct(
    site.database,
    { staff: { id: staffId, name: "X" }, ipAddress: "" },
    { ...act, reason: "x" },
    new Date(),
  );
  await site.pool.query(
    `insert into staff_sessions (token_hash, id, staff_id, created_at, last_seen_at, expires_at, proved_at, ip_address, device)
     values ('x', gen_random_uuid(), $1, now(), now(), now(), now(), '203.0.113.99', '')`,
    [staffId],
  );
  await site.pool.query(
    `insert into refund_requests (id, donation_id, amount_cents, reason, requested_by, requested_at, left_cents,
                                  limit_cents, decision, decided_by, decided_at, decision_reason)
     values (gen_random_uuid(), $1, 100, 'x', $2, now(), 100, 0, 'declined', $3, now(), 'x')`,
    [id, staffId, administrator.id],
  );
  await site.pool.query(
    `insert into refunds_by_hand (refund_id, done_by, done_at, note)
     select refunds.id, $1, now(), 'x' from refunds join payment_attempts attempt on attempt.id = attempt_id
      where donation_id is not null limit 1`,
    [staffId],
  );
  await dropChecks(site);
  for (const table of ["audit_trail", "refund_requests", "volunteer_events"]) {
    await site.pool.query(`alter table ${table} disable trigger user`);
    await site.pool.query(`grant update on ${table} to current_user`);
  }
  await site.pool.query("alter table donations add column dedication text");
  for (const column of [...marked, planted]) await mark(site, column);
  // Whoever erases is somebody else.
  await site.pool.query("update staff set name = 'Administrator' where id = $1", [administrator.id]);
  return marked;
}

test("PER-7: the download has every personal column of every feature, but for those declared to be left out", async () => {
  const id = await makeLeaver();
  const marked = await markEverything(id);
  for (const column of ["audit_trail.reason", "volunteer_events.detail", "refund_requests.reason", "staff.name"]) {
    expect(marked).toContain(column);
  }
  const { json, html } = await download(id);
  const isThere = (column: string) =>
    [markerOf(column), Buffer.from(markerOf(column)).toString("base64")].some((marker) => json.includes(marker));
  expect(
    [...marked, planted].filter((column) => !isThere(column)),
    "add them to exportOf in their feature's retention.ts, or take them out of exportedToStaff",
  ).toEqual([planted]);
  expect(json).toContain("203.0.113.99");
  for (const column of ["donations.first_name", "contact_messages.message", "audit_trail.reason"]) {
    expect(html).toContain(markerOf(column));
  }
});

test("PER-9: once somebody is erased, nothing of them is left but where the plan says that it stays", async () => {
  const id = await makeLeaver();
  await markEverything(id);
  const keeps = (await planOf(leaver.email)).flatMap((plan) => plan.keeps);
  const kept = keeps.flatMap(({ columns }) => columns);
  for (const column of ["receipts.data", "tickets.holder_name", "audit_trail.reason"]) expect(kept).toContain(column);
  const form = { email: leaver.email, reason: "Asked by email on 3 May." };
  expect((await administrator.post(`/admin/people/${id}/erase`, form)).status).toBe(303);
  const left = await findText(site.pool, ["⟦", ...leaverTexts]);
  expect(
    left.filter((column) => !isEmail(column) && !kept.includes(column)),
    "let release erase them, or planErasure say that they stay",
  ).toEqual([planted]);
});
