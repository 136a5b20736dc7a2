import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { addDemoStaff } from "#database/demo-staff.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { invite, listStaffEmails, origin } from "#test/staff-member.ts";
import { describeDemoLink, makeDemoLink } from "./demo-link.ts";
import { findInvitation, issueInvitation, sendInvitation, spendInvitation } from "./invitations.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ PUBLIC_URL: origin });
});
afterAll(() => site.close());

const readMailbox = async () => {
  const { rows } = await site.pool.query("select recipient, message_id, text_body from mailbox_messages");
  return rows as { recipient: string; message_id: string; text_body: string }[];
};

test("STA-8: an empty demo gets one person of each role, once, and a link for its administrator; a live site gets neither", async () => {
  const { services, database, pool } = site;
  expect(await makeDemoLink(services)).toBeNull();
  expect([await addDemoStaff(database), await addDemoStaff(database)]).toEqual([true, false]);
  const { rows } = await pool.query("select roles, email from staff order by id");
  expect(rows.map(({ roles }) => roles)).toEqual([["administrator"], ["treasurer"], ["editor"], ["auditor"]]);
  expect(rows.every(({ email }) => email.endsWith("@example.org"))).toBe(true);
  expect(await makeDemoLink({ ...services, config: { ...services.config, isDemo: false } })).toBeNull();
  const link = await makeDemoLink(services);
  expect(link).toMatch(/^http:\/\/localhost:3000\/admin\/sign-in\/[\w-]{43}$/);
  const browser = await site.openBrowser();
  expect((await browser.get(new URL(link!).pathname)).to).toBe("/admin");
  expect((await browser.get("/admin/you")).html).toContain("Priya Nair");
});

test("STA-8: a demo whose database does not answer says so instead of its link, and runs on", async () => {
  const { services } = site;
  const away = createDatabase(createPool("postgres://app@localhost/nowhere?host=/nowhere", () => undefined));
  const said = await describeDemoLink({ ...services, database: away });
  expect(said).toMatch(/^Staff: no link, because of an error: .*ENOENT.* `npm run staff` says how to make one\.$/);
  await away.destroy();
  expect(await describeDemoLink(services)).toMatch(/^Staff: http:\S+\n/);
});

test("STA-1: an invitation is emailed; the job has no secret, a retry sends the same link, and a replaced invitation is not emailed", async () => {
  const { services, database, clock, pool } = site;
  const { id, email } = await invite(site);
  const send = () =>
    database
      .transaction()
      .execute((transaction) =>
        sendInvitation(transaction, services, { staffId: id, kind: "invitation" }, clock.now()),
      );
  await send();
  const [job] = await listStaffEmails(site, id);
  expect(Object.keys(job!).toSorted()).toEqual(["emailId", "staffId", "template"]);
  const handle = async (one: unknown) => {
    await pool.query("truncate mailbox_messages");
    await sendEmails(services)(one as never);
    return readMailbox();
  };
  const [first] = await handle(job);
  expect(first!.recipient).toBe(email);
  const token = /\/admin\/welcome\/([\w-]{43})/.exec(first!.text_body)![1]!;
  const [again] = await handle(job);
  expect(again).toEqual(first);
  expect((await findInvitation(database, token, clock.now()))?.state).toBe("open");
  const kept = JSON.stringify((await pool.query("select * from staff_invitations where staff_id = $1", [id])).rows);
  expect(kept).not.toContain(token);

  await send();
  expect(await handle(job)).toEqual([]);
  expect(await findInvitation(database, token, clock.now())).toBeNull();
});

test("STA-1: of ten simultaneous requests one uses an invitation up; a later invitation replaces only unused ones", async () => {
  const { database, clock } = site;
  const { id, token } = await invite(site);
  const spent = await Promise.all(Array.from({ length: 10 }, () => spendInvitation(database, token, clock.now())));
  expect(spent.filter((one) => one !== null)).toEqual([{ staffId: id, kind: "invitation" }]);
  await issueInvitation(database, id, "reset", clock.now());
  expect((await findInvitation(database, token, clock.now()))?.state).toBe("used");
  expect(await spendInvitation(database, `${token}=`, clock.now())).toBeNull();
});
