import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createAuthenticator } from "#test/software-authenticator.ts";
import { confirmWithPasskey, logInWithPasskey, origin, refusalIn, withPasskey } from "#test/staff-member.ts";
import { totpCode } from "../server/totp.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ PUBLIC_URL: origin });
});
afterAll(() => site.close());

const MINUTE = 60_000;
type Browser = Awaited<ReturnType<AdminSite["openBrowser"]>>;

const optionsOf = async (browser: Browser) => JSON.parse((await browser.get("/admin/you/passkeys/options")).html);

async function addPasskey(browser: Browser, device = createAuthenticator()) {
  const passkey = JSON.stringify(device.create(await optionsOf(browser), { origin }));
  return { device, answer: await browser.post("/admin/you/passkeys", { passkey }) };
}

const listPasskeys = async (staffId: number) =>
  site.database
    .selectFrom("staff_passkeys")
    .select(["id", "name"])
    .where("staff_id", "=", staffId)
    .orderBy("created_at")
    .execute();

const verbsOf = async (id: number) => {
  const { rows } = await site.pool.query("select verb from audit_trail where subject_id = $1 order by id", [
    String(id),
  ]);
  return rows.map(({ verb }) => verb);
};

test("STA-7: a second passkey is added, named and used; the last way to log in is never removed, even by simultaneous requests", async () => {
  const { id, browser } = await withPasskey(site);
  const [first] = await listPasskeys(id);
  const alone = await browser.post(`/admin/you/passkeys/${first!.id}/remove`);
  expect([alone.status, refusalIn(alone.html)]).toEqual([409, expect.stringContaining("only way to log in")]);
  const { device, answer } = await addPasskey(browser);
  expect([answer.status, answer.to]).toEqual([303, "/admin/you"]);
  expect((await addPasskey(browser, device)).answer.status).toBe(409);
  const [, second] = await listPasskeys(id);
  await browser.post(`/admin/you/passkeys/${second!.id}/name`, { name: " Blue key " });
  const empty = await browser.post(`/admin/you/passkeys/${second!.id}/name`, { name: " " });
  expect([empty.status, refusalIn(empty.html)]).toEqual([422, expect.stringContaining("Enter a name")]);
  expect(readPage((await browser.get("/admin/you")).html).body.textContent).toContain("Blue key");
  expect((await logInWithPasskey(await site.openBrowser(), device)).status).toBe(303);
  const both = await Promise.all([first!, second!].map((one) => browser.post(`/admin/you/passkeys/${one.id}/remove`)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect(await listPasskeys(id)).toHaveLength(1);
  expect(await verbsOf(id)).toEqual([
    "staff.set-up",
    "staff-passkey.add",
    "staff-passkey.rename",
    "staff.log-in",
    "staff-passkey.remove",
  ]);
});

test("STA-7: nobody changes somebody else’s passkeys or sessions, and a blocked passkey does not count as a way to log in", async () => {
  const [one, other] = [await withPasskey(site), await withPasskey(site)];
  const [passkey] = await listPasskeys(other.id);
  await addPasskey(other.browser);
  for (const path of [`passkeys/${passkey!.id}/remove`, `passkeys/${passkey!.id}/name`, "passkeys/none/remove"]) {
    expect((await one.browser.post(`/admin/you/${path}`, { name: "Mine" })).status, path).toBe(409);
  }
  const [session] = await site.services.staffSessions.list(other.id);
  expect((await one.browser.post(`/admin/you/sessions/${session!.id}/end`)).status).toBe(409);
  expect((await other.browser.get("/admin/you")).status).toBe(200);
  const made = JSON.stringify(createAuthenticator().create(await optionsOf(other.browser), { origin }));
  expect((await one.browser.post("/admin/you/passkeys", { passkey: made })).status).toBe(409);

  await site.pool.query("update staff_passkeys set blocked_at = now() where id <> $1", [passkey!.id]);
  const refused = await other.browser.post(`/admin/you/passkeys/${passkey!.id}/remove`);
  expect(refusalIn(refused.html)).toContain("only way to log in");
});

test("STA-7: sessions are listed with device and address, one can be ended from another, and logging out ends this one", async () => {
  const { id, device, browser } = await withPasskey(site);
  const elsewhere = await site.openBrowser();
  await logInWithPasskey(elsewhere, device);
  const page = readPage((await browser.get("/admin/you")).html);
  expect(page.body.textContent).toContain("203.0.113.7");
  const forms = [...page.querySelectorAll<HTMLFormElement>("form[action$='/end']")];
  expect(forms).toHaveLength(1);
  expect((await browser.post(forms[0]!.getAttribute("action")!)).status).toBe(303);
  expect((await elsewhere.get("/admin/you")).status).toBe(302);
  const out = await browser.post("/admin/log-out");
  expect([out.status, out.to]).toEqual([303, "/admin/sign-in?notice=out"]);
  expect((await browser.get("/admin/you")).status).toBe(302);
  expect((await browser.get("/admin/sign-in?notice=out")).html).toContain("You are logged out.");
  expect(await site.services.staffSessions.list(id)).toEqual([]);
  expect(await verbsOf(id)).toEqual(["staff.set-up", "staff.log-in", "staff-session.end", "staff.log-out"]);
});

test("ADM-2: typing keeps the session, which otherwise ends after half an hour", async () => {
  const { browser } = await withPasskey(site);
  for (let minutes = 0; minutes < 60; minutes += 20) {
    site.clock.advance(20 * MINUTE);
    expect((await browser.get("/admin/you/session.json")).status).toBe(204);
  }
  site.clock.advance(31 * MINUTE);
  expect((await browser.get("/admin/you/session.json")).status).toBe(401);
});

test("STA-7: how somebody logs in changes only with a fresh proof, which comes before the device is asked for a passkey", async () => {
  const { id, device, browser } = await withPasskey(site);
  site.clock.advance(11 * MINUTE);
  const options = await browser.get("/admin/you/passkeys/options");
  expect([options.status, JSON.parse(options.html).to]).toEqual([401, "/admin/confirm"]);
  const [passkey] = await listPasskeys(id);
  const sensitive = [`passkeys/${passkey!.id}/remove`, "passkeys", "password", "password/remove", "recovery-codes"];
  for (const path of sensitive) {
    const asked = await browser.post(`/admin/you/${path}`);
    expect([asked.status, asked.html.includes("Confirm that it is you")], path).toEqual([401, true]);
  }
  expect((await confirmWithPasskey(browser, device, { next: "/admin/you" })).to).toBe("/admin/you");
  expect((await addPasskey(browser)).answer.status).toBe(303);
});

test("STA-2, STA-7: a password with its app is set, ends other sessions, gets new codes, and is removed", async () => {
  const { id, email, device, browser } = await withPasskey(site);
  const elsewhere = await site.openBrowser();
  await logInWithPasskey(elsewhere, device);
  const readForm = async (path: string) => {
    const page = readPage((await browser.get(path)).html);
    return {
      setUp: page.querySelector<HTMLInputElement>("input[name=setUp]")!.value,
      secret: page.querySelector(".secret")?.textContent?.replaceAll(" ", "") ?? "",
      codes: [...page.querySelectorAll(".codes code")].map(({ textContent }) => textContent!),
    };
  };
  const { setUp, secret, codes } = await readForm("/admin/you/password");
  const newPassword = "three long words here";
  const sent = { setUp, newPassword, areKept: "yes", code: await totpCode(secret, site.clock.now()) };
  expect((await browser.post("/admin/you/password", { ...sent, code: "000000" })).status).toBe(422);
  expect((await browser.post("/admin/you/password", sent)).status).toBe(303);
  expect((await elsewhere.get("/admin/you")).status).toBe(302);
  expect((await browser.get("/admin/you")).html).toContain("10 recovery codes are left.");

  const renewed = await readForm("/admin/you/recovery-codes");
  expect((await browser.post("/admin/you/recovery-codes", { setUp: renewed.setUp })).status).toBe(422);
  expect((await browser.post("/admin/you/recovery-codes", { setUp: renewed.setUp, areKept: "yes" })).status).toBe(303);
  const recover = async (recoveryCode: string) =>
    (await site.openBrowser()).post("/admin/sign-in/recovery", { email, password: newPassword, recoveryCode });
  expect((await recover(codes[0]!)).status).toBe(409);
  expect((await recover(renewed.codes[0]!)).status).toBe(303);

  expect((await browser.post("/admin/you/password/remove")).status).toBe(303);
  expect((await recover(renewed.codes[1]!)).status).toBe(409);
  expect(await site.pool.query("select 1 from staff_recovery_codes where staff_id = $1", [id])).toMatchObject({
    rowCount: 0,
  });
  expect((await browser.post("/admin/you/password/remove")).status).toBe(409);
});

test("STA-17: the person is told by email of each change of how they log in, and of nothing else", async () => {
  const { id, email, browser } = await withPasskey(site);
  const readForm = async (path: string) => {
    const page = readPage((await browser.get(path)).html);
    const setUp = page.querySelector<HTMLInputElement>("input[name=setUp]")!.value;
    return { setUp, secret: page.querySelector(".secret")?.textContent?.replaceAll(" ", "") ?? "" };
  };
  await addPasskey(browser);
  const [first] = await listPasskeys(id);
  await browser.post(`/admin/you/passkeys/${first!.id}/name`, { name: "Blue key" });
  await browser.post(`/admin/you/passkeys/${first!.id}/remove`);
  const { setUp, secret } = await readForm("/admin/you/password");
  const code = await totpCode(secret, site.clock.now());
  await browser.post("/admin/you/password", { setUp, newPassword: "three long words here", areKept: "yes", code });
  const renewed = await readForm("/admin/you/recovery-codes");
  await browser.post("/admin/you/recovery-codes", { setUp: renewed.setUp, areKept: "yes" });
  await browser.post("/admin/you/password/remove");

  const jobs = await site.pool.query(
    `select data from pgboss.job where name = 'emails' and data->>'template' = 'staff-way-in-changed'
        and (data->>'toId')::int = $1 order by (data->>'actId')::int`,
    [id],
  );
  await site.pool.query("truncate mailbox_messages");
  for (const { data } of jobs.rows) await sendEmails(site.services)(data);
  const { rows } = await site.pool.query("select recipient, subject, text_body from mailbox_messages order by id");
  expect(rows.map(({ subject }) => subject)).toEqual([
    "Your back-office account was set up with a passkey",
    "A passkey was added to your back-office account",
    "A passkey was removed from your back-office account",
    "A password and an authenticator app were set for your back-office account",
    "New recovery codes were made for your back-office account",
    "The password, app and recovery codes of your back-office account were removed",
  ]);
  expect(rows.every(({ recipient }) => recipient === email)).toBe(true);
  expect(rows.every(({ text_body }) => text_body.includes("If this was not you, tell an administrator now"))).toBe(
    true,
  );
  expect(JSON.stringify(rows)).not.toContain("Blue key");
});

test("STA-7: somebody changes their own name with a fresh proof; what they did before keeps the earlier one", async () => {
  const { id, name, browser } = await withPasskey(site);
  const earlier = { verb: "staff.set-up", actor: name };
  expect((await browser.post("/admin/you/name", { name: "\u202eZoë" })).status).toBe(422);
  expect((await browser.post("/admin/you/name", { name: "Zoë Clark" })).to).toBe("/admin/you");
  expect(readPage((await browser.get("/admin/you")).html).querySelector("h1")?.textContent).toBe("Zoë Clark");
  expect((await browser.post("/admin/you/name", { name: "Zoë Clark" })).status).toBe(409);
  const { rows } = await site.pool.query(
    "select verb, actor, before, after from audit_trail where staff_id = $1 order by id",
    [id],
  );
  expect(rows).toMatchObject([
    earlier,
    { verb: "staff.rename", actor: name, before: { name }, after: { name: "Zoë Clark" } },
  ]);
  site.clock.advance(11 * 60_000);
  expect((await browser.post("/admin/you/name", { name: "Zoë" })).status).toBe(401);
});
