import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

const path = "/admin/settings/mail";
const SMTP_URL = "smtp://sender:very-secret@127.0.0.1:9";

let site: AdminSite;
beforeAll(async () => {
  // A domain that nobody can have, so that the DNS is asked in vain.
  site = await openAdminSite({ SMTP_URL, MAIL_FROM: "Our Charity <no-reply@127.0.0.1.invalid>" });
});
afterAll(() => site.close());

test("SETUP-5: a test email that cannot be sent says why, and the screen never shows user or password", async () => {
  const admin = await site.logIn("administrator");
  const shown = await admin.get(path);
  const tried = await admin.post(path);
  expect(tried.status).toBe(409);
  expect(tried.html).toContain("Nothing was sent. No connection to a mail server at 127.0.0.1:9");
  for (const { html } of [shown, tried]) {
    expect(html).toContain("127.0.0.1:9");
    expect(html).not.toMatch(/very-secret|sender:/);
  }
  expect((await (await site.logIn("treasurer")).post(path)).status).toBe(403);
});

test("SETUP-5: without a mail server the test goes to the mailbox of a demo, with the real sender", async () => {
  const demo = await openAdminSite();
  try {
    const admin = await demo.logIn("administrator");
    const { status, html } = await admin.post(path);
    expect([status, html]).toEqual([200, expect.stringContaining("in the mailbox at /dev/mail")]);
    const { rows } = await demo.pool.query("select sender, subject from mailbox_messages");
    expect(rows).toEqual([{ sender: demo.config.mail.from, subject: "Test email of Chashma Foundation Australia" }]);
    const { rowCount } = await demo.pool.query("select 1 from audit_trail where verb = 'mail.test'");
    expect(rowCount).toBe(1);
  } finally {
    await demo.close();
  }
});
