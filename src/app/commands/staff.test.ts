import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { runOnSite, runWithin } from "#test/run-command.ts";
import { staffCommand } from "./staff.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

const REFUSED = 1;
const run = (...words: string[]) => runWithin(site.services, staffCommand, words, REFUSED);
const stateOf = async (email: string) =>
  (await site.pool.query("select name, roles, state from staff where email = $1", [email])).rows[0];

/** As a separate process on the site's database. */
const runAsProcess = (...words: string[]) => runOnSite(site, join(import.meta.dirname, "staff.ts"), words);

test("STA-13: a command invites the first administrator, and lists who works here", async () => {
  expect((await run("list")).stdout).toContain("Invite the first administrator");
  const ended = await runAsProcess("invite", "amina@example.org", "administrator,auditor", "Amina Raza");
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(await stateOf("amina@example.org")).toEqual({
    name: "Amina Raza",
    roles: ["administrator", "auditor"],
    state: "invited",
  });
  const { stdout } = await run("list");
  expect(stdout).toBe("amina@example.org\tAmina Raza\tinvited\tAdministrator, Auditor\tnever here\n");
  const again = await run("invite", "AMINA@example.org", "auditor");
  expect([again.code, again.stdout]).toEqual([
    REFUSED,
    "Amina Raza already has an account with this email. Nothing was changed.\n",
  ]);
});

test("STA-13: a command names the word that is wrong", async () => {
  expect((await run("invite", "amina", "administrator")).stderr).toMatch(/^'amina' is not an email address\./);
  expect((await run("invite", "amina@example.org", "auditor,king")).stderr).toMatch(/^'king' is not a role\./);
  expect((await run("invite", "amina@example.org")).stderr).toMatch(/^Says who works in the back office/);
});

test("STA-13: a command resets whoever lost their devices, and ends an account, but not the last administrator’s", async () => {
  const [one, other] = [await site.logIn("administrator"), await site.logIn("treasurer")];
  const emailOf = async (id: number) =>
    (await site.pool.query("select email from staff where id = $1", [id])).rows[0].email;
  expect(await run("end", await emailOf(one.id))).toMatchObject({
    code: REFUSED,
    stdout: expect.stringContaining("This is the only administrator who can log in."),
  });
  expect((await run("reset", (await emailOf(one.id)).toUpperCase())).code).toBe(0);
  expect((await one.get("/admin/staff")).status).toBe(302);
  expect((await run("end", await emailOf(other.id))).code).toBe(0);
  expect((await other.get("/admin/you")).status).toBe(302);
  expect(await run("end", "nobody@example.org")).toMatchObject({
    code: REFUSED,
    stdout: "Nobody has the email nobody@example.org. Nothing was changed.\n",
  });
  const { rows } = await site.pool.query("select actor, verb from audit_trail where actor like 'Command%' order by id");
  expect(rows.slice(-2).map(({ verb }) => verb)).toEqual(["staff.reset", "staff.end"]);
});

test("SETUP-1: where nothing sends emails and nobody sees a mailbox, inviting and resetting print the link", async () => {
  const config = { ...site.services.config, isDemo: false };
  const runNew = (...words: string[]) => runWithin({ ...site.services, config }, staffCommand, words, REFUSED);
  for (const words of [
    ["invite", "first@example.org", "administrator"],
    ["reset", "first@example.org"],
  ]) {
    const { stdout } = await runNew(...words);
    const [, path] = /^http:\/\/[^/]+(\/admin\/welcome\/[\w-]+)$/m.exec(stdout) ?? [];
    expect((await (await site.openBrowser()).get(path!)).html).toContain("first@example.org");
  }
  const withMail = { ...config, mail: { ...config.mail, smtpUrl: "smtp://mail.example" } };
  const words = ["invite", "second@example.org", "auditor"];
  const { stdout } = await runWithin({ ...site.services, config: withMail }, staffCommand, words, REFUSED);
  expect(stdout).not.toContain("/admin/welcome/");
});

test("STA-13: a demo’s link logs in once, and is refused on a real site", async () => {
  const { id } = await site.logIn("auditor");
  const { email } = (await site.pool.query("select email from staff where id = $1", [id])).rows[0];
  const { code, stdout } = await run("link", email);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^http:\/\/\S+\/admin\/sign-in\/[\w-]{43}\n$/);
  const live = { ...site.services, config: { ...site.services.config, isDemo: false } };
  const refused = await runWithin(live, staffCommand, ["link", email], REFUSED);
  expect([refused.code, refused.stdout]).toEqual([
    REFUSED,
    "Only a demo has links that log in. Use 'reset' instead. Nothing was changed.\n",
  ]);
});

test("STA-13: words that are wrong show how the command is used, and change nothing", async () => {
  const before = (await site.pool.query("select count(*) from staff")).rows[0].count;
  for (const words of [[], ["constructor"], ["invite"], ["invite", "x", "auditor"], ["invite", "a@b.org", "boss"]]) {
    const { code, stderr } = await run(...words);
    expect([code, stderr.includes("Says who works in the back office")], words.join(" ")).toEqual([REFUSED, true]);
  }
  expect((await site.pool.query("select count(*) from staff")).rows[0].count).toBe(before);
});
