import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { longTest } from "#test/long-test.ts";
import { readPage } from "#test/read-page.ts";
import {
  listStaffEmails,
  logInWithPasskey,
  origin,
  password,
  refusalIn,
  withPasskey,
  withPassword,
} from "#test/staff-member.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ PUBLIC_URL: origin });
});
afterAll(() => site.close());

type Browser = Awaited<ReturnType<AdminSite["openBrowser"]>>;
const MINUTE = 60_000;

const logIn = (browser: Browser, fields: Record<string, string>) =>
  browser.post("/admin/sign-in/password", { password, ...fields });
const sendCode = (browser: Browser, emailedCode: string, fields = {}) =>
  browser.post("/admin/sign-in/code", { emailedCode, ...fields });

/** Five failed attempts for an email, each from another browser and in another hour. */
async function guess(email: string) {
  for (let times = 0; times < 5; times += 1) {
    expect((await logIn(await site.openBrowser(), { email, code: "000000" })).status).toBe(409);
  }
  // Otherwise the network address would be paused.
  site.clock.advance(16 * MINUTE);
}

const asked = (answer: { status: number; html: string }) => [
  answer.status,
  readPage(answer.html).querySelector("h1")?.textContent,
];
const isAsked = [200, "Enter the code from your email"];

/** The code of the latest email to somebody. */
async function readCode(staffId: number): Promise<string> {
  const job = (await listStaffEmails(site, staffId)).findLast(({ template }) => template === "staff-log-in-code");
  await site.pool.query("truncate mailbox_messages");
  await sendEmails(site.services)(job as never);
  const { rows } = await site.pool.query("select text_body from mailbox_messages");
  return /\b\d{8}\b/.exec(rows[0].text_body)![0];
}

test("STA-16: after five failed attempts a browser that is new to the person also needs the emailed code, once, and is then known", async () => {
  const { id, email, codeNow } = await withPassword(site);
  const own = await site.openBrowser();
  expect((await logIn(own, { email, code: await codeNow() })).status).toBe(303);
  await guess(email);
  // A known browser: it has logged in before.
  await own.post("/admin/log-out");
  const stranger = await site.openBrowser();
  const first = await logIn(stranger, { email, code: await codeNow(), next: "/admin/you" });
  expect(asked(first)).toEqual(isAsked);
  expect((await stranger.get("/admin/you")).status).toBe(302);
  const code = await readCode(id);
  expect(JSON.stringify(await listStaffEmails(site, id))).not.toContain(code);

  const wrong = await sendCode(stranger, "00000000");
  expect([wrong.status, refusalIn(wrong.html)]).toEqual([409, expect.stringContaining("This is not the code")]);
  expect((await sendCode(await site.openBrowser(), code)).status, "another browser").toBe(409);
  const done = await Promise.all([0, 1].map(() => sendCode(stranger, `${code.slice(0, 4)} ${code.slice(4)}`)));
  expect(done.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect((await stranger.get("/admin/you")).status).toBe(200);

  await guess(email);
  await stranger.post("/admin/log-out");
  expect((await logIn(stranger, { email, code: await codeNow() })).status, "known now").toBe(303);
});

test("STA-16: a browser that the person has used, and a passkey, need no code; another person’s browser does", async () => {
  const { email, codeNow } = await withPassword(site);
  const { device, email: keyEmail } = await withPasskey(site);
  const own = await site.openBrowser();
  expect((await logIn(own, { email, code: await codeNow() })).status).toBe(303);
  await guess(email);
  await guess(keyEmail);
  expect((await logIn(own, { email: email.toUpperCase(), code: await codeNow() })).status).toBe(303);
  expect((await logInWithPasskey(await site.openBrowser(), device)).status).toBe(303);

  await guess(email);
  const colleague = await withPassword(site);
  const theirs = await site.openBrowser();
  expect((await logIn(theirs, { email: colleague.email, code: await colleague.codeNow() })).status).toBe(303);
  expect(asked(await logIn(theirs, { email, code: await codeNow() }))).toEqual(isAsked);
});

test("STA-16: the answer is the same for an unknown email, a wrong password and a right one; only the right one sends a code", async () => {
  const { id, email, codeNow } = await withPassword(site);
  const nobody = "nobody-at-all@example.org";
  await guess(email);
  await guess(nobody);
  const code = await codeNow();
  const tries = [
    { email: nobody, password, code },
    { email, password: "not this one at all", code },
    { email, password, code: "000000" },
    { email, password, code },
  ];
  const answers = [];
  for (const one of tries) answers.push(await logIn(await site.openBrowser(), one));
  const shown = answers.map(({ status, html, headers }) => ({
    status,
    main: readPage(html).querySelector(".gate-in")?.textContent,
    cookies: [headers["set-cookie"]].flat().map((one) => String(one).replace(/=[^;]*/, "")),
  }));
  expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(shown[0]?.cookies.some((one) => one.startsWith("staff-code;"))).toBe(true);
  const codes = (await listStaffEmails(site, id)).filter(({ template }) => template === "staff-log-in-code");
  expect(codes).toHaveLength(1);
  for (const { html } of answers) expect(html).not.toContain(password);
});

longTest(
  "STA-16: a code ends after ten minutes, after five wrong ones, and with the password or the account",
  async () => {
    const ends: Record<string, (browser: Browser, id: number) => Promise<unknown>> = {
      "ten minutes": async () => site.clock.advance(10 * MINUTE),
      "five wrong codes": async (browser) => {
        for (let times = 0; times < 5; times += 1) {
          expect((await sendCode(browser, "11111111")).status).toBe(409);
          // Otherwise the browser would be paused first.
          await site.pool.query("delete from rate_limits");
        }
      },
      "a new password": async (_, id) =>
        site.database.transaction().execute(async (transaction) =>
          (await import("../server/ways-to-log-in.ts")).setPassword(transaction, site.config.secretKey, id, {
            hash: "x",
            totpSecret: "JBSWY3DPEHPK3PXP",
            totpStep: 0,
            recoveryCodes: ["aaaaa-bbbbb"],
          }),
        ),
      "the end of the account": async (_, id) =>
        site.pool.query("update staff set state = 'ended', ended_at = now() where id = $1", [id]),
    };
    for (const [what, end] of Object.entries(ends)) {
      const { id, email, codeNow } = await withPassword(site);
      await guess(email);
      const browser = await site.openBrowser();
      expect(asked(await logIn(browser, { email, code: await codeNow() })), what).toEqual(isAsked);
      const code = await readCode(id);
      await end(browser, id);
      expect((await sendCode(browser, code)).status, what).toBe(409);
      expect((await browser.get("/admin/you")).status, what).toBe(302);
    }
    const row = "select 1 from staff_log_in_codes where encode(code_hmac, 'escape') ~ '^[0-9]{8}$'";
    expect((await site.pool.query(row)).rowCount, "hashed").toBe(0);
  },
);

test("STA-16: a form that was sent without a session comes back filled after the emailed code", async () => {
  const { id, email, codeNow } = await withPassword(site, ["administrator"]);
  await guess(email);
  const browser = await site.openBrowser();
  const typed = await browser.post("/admin/staff/invite", {
    email: "kept@example.org",
    name: "Kept",
    roles: "auditor",
  });
  const carriedIn = (html: string) => readPage(html).querySelector<HTMLInputElement>("input[name=carried]")!.value;
  const step = await logIn(browser, { email, code: await codeNow(), carried: carriedIn(typed.html) });
  const done = await sendCode(browser, await readCode(id), { carried: carriedIn(step.html) });
  expect([done.status, done.html.includes("kept@example.org")]).toEqual([200, true]);
});

test("STA-16: after the fifth failed attempt the person is told once a day, it is in the audit trail, and staff see how long the account is guarded", async () => {
  const { id, email, name, codeNow } = await withPassword(site);
  const administrator = await site.logIn("administrator");
  const told = async () =>
    (await listStaffEmails(site, id)).filter(({ template }) => template === "staff-wrong-tries").length;
  for (let times = 1; times <= 4; times += 1) await logIn(await site.openBrowser(), { email, code: "000000" });
  expect(await told()).toBe(0);
  expect((await administrator.get(`/admin/staff/${id}`)).html).not.toContain("Guarded until");
  await logIn(await site.openBrowser(), { email, code: "000000" });
  await logIn(await site.openBrowser(), { email, code: "000000" });
  expect(await told()).toBe(1);
  const page = readPage((await administrator.get(`/admin/staff/${id}`)).html).body.textContent!;
  expect(page).toContain(`${name} was named in five failed attempts to log in`);
  expect(page).toContain("Guarded until");
  site.clock.advance(25 * 60 * MINUTE);
  expect((await logIn(await site.openBrowser(), { email, code: await codeNow() })).status, "a day later").toBe(303);
});

test("STA-5: each failed attempt says how many this browser has left", async () => {
  const browser = await site.openBrowser();
  site.clock.advance(16 * MINUTE);
  const said = [];
  for (let times = 0; times < 6; times += 1) {
    const { html } = await logIn(browser, { email: `left-${times}@example.org`, code: "000000" });
    said.push(/After (?:\w+ more failed attempt\w*)|now waits|wait 15/.exec(refusalIn(html))?.[0]);
  }
  expect(said).toEqual([
    "After 4 more failed attempts",
    "After 3 more failed attempts",
    "After 2 more failed attempts",
    "After one more failed attempt",
    "now waits",
    "wait 15",
  ]);
});
