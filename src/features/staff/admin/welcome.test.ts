import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createAuthenticator } from "#test/software-authenticator.ts";
import { acceptWithPasskey, invite, logInWithPasskey, origin, refusalIn, withPasskey } from "#test/staff-member.ts";
import { issueInvitation } from "../server/invitations.ts";
import { totpCode } from "../server/totp.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ PUBLIC_URL: origin });
});
afterAll(() => site.close());

const HOUR = 3_600_000;
const optionsOf = async (browser: Awaited<ReturnType<AdminSite["openBrowser"]>>, token: string) =>
  JSON.parse((await browser.get(`/admin/welcome/${token}/options`)).html);

const stateOf = async (id: number) =>
  (await site.database.selectFrom("staff").select("state").where("id", "=", id).executeTakeFirstOrThrow()).state;

test("STA-1: opening an invitation changes nothing, however often; adding a passkey uses it up and logs the person in", async () => {
  const { id, name, token } = await invite(site);
  const browser = await site.openBrowser();
  for (let times = 0; times < 3; times += 1) {
    const { status, html } = await browser.get(`/admin/welcome/${token}`);
    expect(status).toBe(200);
    expect(html).toContain(name);
    expect((await browser.get(`/admin/welcome/${token}/options`)).status).toBe(200);
  }
  expect(await stateOf(id)).toBe("invited");
  expect((await browser.get("/admin/you")).status).toBe(302);
  const done = await acceptWithPasskey(browser, token, createAuthenticator());
  expect([done.status, done.to]).toEqual([303, "/admin/you"]);
  expect(await stateOf(id)).toBe("active");
  expect((await browser.get("/admin/you")).html).toContain(name);

  const again = await site.openBrowser();
  expect((await again.get(`/admin/welcome/${token}`)).html).toContain("This link no longer works");
  expect((await again.get(`/admin/welcome/${token}/options`)).status).toBe(410);
});

test("STA-1: of ten people with the same invitation at the same moment one logs in, and only that one's passkey is stored", async () => {
  const { id, token } = await invite(site);
  const browsers = await Promise.all(Array.from({ length: 10 }, () => site.openBrowser()));
  const made = await Promise.all(
    browsers.map(async (browser) => createAuthenticator().create(await optionsOf(browser, token), { origin })),
  );
  const answers = await Promise.all(
    browsers.map((browser, index) =>
      browser.post(`/admin/welcome/${token}/passkey`, { passkey: JSON.stringify(made[index]) }),
    ),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  const { rows } = await site.pool.query("select 1 from staff_passkeys where staff_id = $1", [id]);
  expect(rows).toHaveLength(1);
});

test("STA-1: an invitation that is expired, replaced, mistyped, a demo's or of an ended account sets up nothing and says what to do", async () => {
  const [late, replaced, ended, demo] = [
    await invite(site),
    await invite(site),
    await invite(site),
    await invite(site, { kind: "demo" }),
  ];
  const fresh = await issueInvitation(site.database, replaced.id, "invitation", site.clock.now());
  await site.database
    .updateTable("staff")
    .set({ state: "ended", ended_at: site.clock.now() })
    .where("id", "=", ended.id)
    .execute();
  const browser = await site.openBrowser();
  const refuses = async (token: string) => {
    const page = await browser.get(`/admin/welcome/${token}`);
    expect(page.html).toContain("administrator to invite you again");
    expect((await browser.get(`/admin/welcome/${token}/options`)).status).toBe(410);
    const device = createAuthenticator();
    const { token: open } = await invite(site);
    const made = device.create(await optionsOf(browser, open), { origin });
    const sent = await browser.post(`/admin/welcome/${token}/passkey`, { passkey: JSON.stringify(made) });
    expect(sent.status).toBe(409);
  };
  for (const { token } of [replaced, ended, demo]) await refuses(token);
  await refuses("x".repeat(43));
  expect((await browser.get(`/admin/welcome/${fresh}/options`)).status).toBe(200);
  const lateDevice = createAuthenticator().create(await optionsOf(browser, late.token), { origin });
  site.clock.advance(72 * HOUR + 1000);
  await refuses(late.token);
  const sent = await browser.post(`/admin/welcome/${late.token}/passkey`, { passkey: JSON.stringify(lateDevice) });
  expect(sent.status).toBe(409);
  expect(await stateOf(late.id)).toBe("invited");
});

test("STA-1: a passkey made elsewhere, for another invitation, or without checking the person is refused; the invitation stays open", async () => {
  const { token } = await invite(site);
  const other = await invite(site);
  const browser = await site.openBrowser();
  const options = () => optionsOf(browser, token);
  const wrong = [
    createAuthenticator().create(await options(), { origin: "http://evil.example" }),
    createAuthenticator().create(await options(), { origin, rpId: "evil.example" }),
    createAuthenticator().create(await options(), { origin, isVerified: false }),
    createAuthenticator().create(await optionsOf(browser, other.token), { origin }),
    createAuthenticator().create(
      JSON.parse(
        (await browser.get("/admin/sign-in/options")).html.replace("{", '{"rp":{"id":"localhost"},"user":{"id":"x"},'),
      ),
      { origin },
    ),
  ];
  for (const made of wrong) {
    const { status, html } = await browser.post(`/admin/welcome/${token}/passkey`, { passkey: JSON.stringify(made) });
    expect(status).toBe(409);
    expect(refusalIn(html)).toContain("Nothing was added.");
  }
  for (const passkey of ["", "{}", "no json", "[1]"]) {
    expect((await browser.post(`/admin/welcome/${token}/passkey`, { passkey })).status).toBe(409);
  }
  expect((await acceptWithPasskey(browser, token, createAuthenticator())).status).toBe(303);
});

test("STA-2: a password comes with an app's code and ten recovery codes; after a wrong code the form keeps secret and codes, but no password", async () => {
  const { id, email, token } = await invite(site);
  const browser = await site.openBrowser();
  const page = readPage((await browser.get(`/admin/welcome/${token}`)).html);
  const read = (document: Document) => ({
    setUp: document.querySelector<HTMLInputElement>("input[name=setUp]")!.value,
    secret: document.querySelector(".secret")!.textContent!.replaceAll(" ", ""),
    codes: [...document.querySelectorAll(".codes code")].map(({ textContent }) => textContent!),
  });
  const offered = read(page);
  expect(new Set(offered.codes).size).toBe(10);
  expect(page.querySelector(".qr path")!.getAttribute("d")!.length).toBeGreaterThan(500);
  const { rows: before } = await site.pool.query("select 1 from staff_recovery_codes where staff_id = $1", [id]);
  expect(before).toHaveLength(0);
  const path = `/admin/welcome/${token}/password`;
  const newPassword = "three long words here";
  const right = async () => ({
    setUp: offered.setUp,
    newPassword,
    code: await totpCode(offered.secret, site.clock.now()),
  });

  const wrong = await browser.post(path, { ...(await right()), code: "000000", areKept: "yes" });
  expect(wrong.status).toBe(422);
  expect(wrong.html).not.toContain(newPassword);
  expect(read(readPage(wrong.html))).toEqual(offered);
  expect(refusalIn((await browser.post(path, await right())).html)).toContain("Keep the recovery codes first");
  expect(
    refusalIn((await browser.post(path, { ...(await right()), newPassword: "short", areKept: "yes" })).html),
  ).toContain("at least 12 characters");
  const someoneElse = read(readPage((await browser.get(`/admin/welcome/${(await invite(site)).token}`)).html));
  const stolen = await browser.post(path, { ...(await right()), setUp: someoneElse.setUp, areKept: "yes" });
  expect(stolen.status).toBe(422);
  expect(await stateOf(id)).toBe("invited");

  const accepted = await right();
  const done = await browser.post(path, { ...accepted, areKept: "yes" });
  expect([done.status, done.to]).toEqual([303, "/admin/you"]);
  const { rows } = await site.pool.query("select password_hash, totp_secret, totp_step from staff where id = $1", [id]);
  expect(rows[0].password_hash).toMatch(/^\$argon2id/);
  expect(rows[0].totp_secret.includes(offered.secret)).toBe(false);
  // The code of the set-up counts as used.
  const replay = { email, password: newPassword, code: accepted.code };
  expect((await (await site.openBrowser()).post("/admin/sign-in/password", replay)).status).toBe(409);
  site.clock.advance(60_000);
  const next = { ...replay, code: await totpCode(offered.secret, site.clock.now()) };
  expect((await (await site.openBrowser()).post("/admin/sign-in/password", next)).status).toBe(303);
  const trail = await site.pool.query("select after::text from audit_trail where subject_id = $1", [String(id)]);
  for (const secret of [offered.secret, newPassword, ...offered.codes]) {
    expect(JSON.stringify(trail.rows)).not.toContain(secret);
  }
});

test("STA-2: after a reset nothing that worked before works, but what is set up afterwards does", async () => {
  const { id, device, browser } = await withPasskey(site);
  const token = await issueInvitation(site.database, id, "reset", site.clock.now());
  const elsewhere = await site.openBrowser();
  const fresh = createAuthenticator();
  expect((await elsewhere.get(`/admin/welcome/${token}`)).html).toContain("Set up your log-in again");
  expect((await acceptWithPasskey(elsewhere, token, fresh)).status).toBe(303);
  expect((await browser.get("/admin/you")).status).toBe(302);
  const refused = await logInWithPasskey(await site.openBrowser(), device);
  expect(refusalIn(refused.html)).toContain("not known here");
  expect((await logInWithPasskey(await site.openBrowser(), fresh)).status).toBe(303);
});

test("STA-7: whoever was invited without a name gives it with the first passkey; nobody else is asked", async () => {
  const named = await invite(site);
  const asks = async (token: string) =>
    readPage((await (await site.openBrowser()).get(`/admin/welcome/${token}`)).html).querySelectorAll("[name=name]")
      .length;
  expect(await asks(named.token)).toBe(0);
  const { id, email, token } = await invite(site);
  await site.pool.query("update staff set name = $2 where id = $1", [id, email.split("@", 1)[0]]);
  expect(await asks(token)).toBe(2);
  const give = async (to: string, name: string) => {
    const browser = await site.openBrowser();
    const made = createAuthenticator().create(await optionsOf(browser, to), { origin });
    return browser.post(`/admin/welcome/${to}/passkey`, { passkey: JSON.stringify(made), name });
  };
  expect((await give(token, "Zoë Clark")).status).toBe(303);
  expect((await give(named.token, "Somebody else")).status).toBe(303);
  const { rows } = await site.pool.query("select name from staff where id in ($1, $2) order by id", [named.id, id]);
  expect(rows.map(({ name }) => name)).toEqual([named.name, "Zoë Clark"]);
});
