import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { action } from "#admin/actions.ts";
import { sendEmails } from "#app/emails.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { adminRights } from "#test/project/admin-rights.ts";
import { readPage } from "#test/read-page.ts";
import { createAuthenticator } from "#test/software-authenticator.ts";
import {
  confirmWithPasskey,
  invite,
  listStaffEmails,
  logInWithPasskey,
  origin,
  password,
  refusalIn,
  withPasskey,
  withPassword,
} from "#test/staff-member.ts";
import { useDemoLink } from "../server/demo-link.ts";
import { warnOfPasskeys } from "../server/passkey-warnings.ts";
import { nextScreen } from "./next-path.ts";

const erased: string[] = [];

/** A test screen with a form that needs a fresh proof. */
const erase = action({
  path: "/admin/you/trial",
  right: "logged in",
  screen: "/admin/you/trial-screen",
  needsProof: true,
  fields: z.object({ note: z.string(), password: z.string().optional() }),
  run: async ({ fields: { note } }) => {
    erased.push(note);
    return { to: "/admin/you" };
  },
});

let site: AdminSite;
beforeAll(async () => {
  const { screen } = await import("#admin/screen.ts");
  const { TrialForm } = await import("#test/trial-form.tsx");
  const trial = screen({
    path: "/admin/you/trial-screen",
    right: "logged in",
    load: async () => ({}),
    title: () => "Trial",
    body: (_, request) => TrialForm({ request, action: "/admin/you/trial" }),
  });
  site = await openAdminSite({ PUBLIC_URL: origin }, { screens: [trial], actions: [erase] });
});
afterAll(() => site.close());

const MINUTE = 60_000;

test("STA-3: a passkey logs in and leads back, only to our own addresses; whoever is logged in already is redirected", async () => {
  const { device, name } = await withPasskey(site);
  const leads = [
    ["/admin/you?tab=1", "/admin/you?tab=1"],
    ["https://evil.example/admin", "/admin"],
    ["//evil.example/admin", "/admin"],
    ["/\\evil.example/admin", "/admin"],
    ["/admin/../login", "/admin"],
    ["/administer", "/admin"],
    ["/admin/sign-in?next=/admin/sign-in", "/admin"],
    ["javascript:alert(1)", "/admin"],
  ] as const;
  for (const [next, to] of leads) {
    const browser = await site.openBrowser();
    const done = await logInWithPasskey(browser, device, { fields: { next } });
    expect([done.status, done.to], next).toEqual([303, to]);
    expect((await browser.get("/admin/you")).html).toContain(name);
    const again = await browser.get(`/admin/sign-in?${new URLSearchParams({ next })}`);
    expect([again.status, again.to], next).toEqual([302, to]);
  }
});

test("STA-3: requests from other sites never carry the session’s cookie, and the log-in screen finds the session anyway", async () => {
  const { device, browser } = await withPasskey(site);
  const stranger = await site.openBrowser();
  expect((await stranger.get("/admin/sign-in/session")).html).toBe('{"isLoggedIn":false}');
  const { headers } = await logInWithPasskey(stranger, device);
  const cookie = [headers["set-cookie"]].flat().find((one) => one?.startsWith("staff="));
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  expect((await browser.get("/admin/sign-in/session")).html).toBe('{"isLoggedIn":true}');
  const page = await (await site.openBrowser()).get("/admin/sign-in?next=/admin/you");
  expect(readPage(page.html).querySelector<HTMLElement>("[data-logged-in]")?.dataset.loggedIn).toBe("/admin/you");
  const foreign = await stranger.visitor.ask({
    method: "POST",
    url: "/admin/log-out",
    payload: "",
    headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
  });
  expect(foreign.statusCode).toBe(403);
  expect((await stranger.get("/admin/you")).status).toBe(200);
});

test("STA-3: a use of a passkey at another origin or host, without checking the person, for another browser, or a second time is refused", async () => {
  const { device } = await withPasskey(site);
  const browser = await site.openBrowser();
  const faults = [{ origin: "http://evil.example" }, { rpId: "evil.example" }, { isVerified: false }] as const;
  for (const fault of faults) {
    const refused = await logInWithPasskey(browser, device, fault);
    expect([refused.status, refusalIn(refused.html)]).toEqual([409, expect.stringContaining("could not be checked")]);
  }
  const elsewhere = await site.openBrowser();
  const options = JSON.parse((await browser.get("/admin/sign-in/options")).html);
  const passkey = JSON.stringify(device.use(options, { origin }));
  expect((await elsewhere.post("/admin/sign-in/passkey", { passkey })).status).toBe(409);
  const fresh = JSON.stringify(device.use(JSON.parse((await browser.get("/admin/sign-in/options")).html), { origin }));
  expect((await browser.post("/admin/sign-in/passkey", { passkey: fresh })).status).toBe(303);
  await browser.post("/admin/log-out");
  expect((await browser.post("/admin/sign-in/passkey", { passkey: fresh })).status).toBe(409);
  expect((await logInWithPasskey(browser, createAuthenticator())).status).toBe(409);
  expect((await browser.get("/admin/you")).status).toBe(302);
});

test("STA-18: the start says how many passkeys belong to a host that the site has left, and what to do", async () => {
  const { device, id } = await withPasskey(site);
  const warn = () => warnOfPasskeys({ database: site.database, config: { publicUrl: origin } });
  const moveTo = (host: string | null) =>
    site.pool.query("update staff_passkeys set host = $2 where staff_id = $1", [id, host]);
  expect(await warn()).toEqual([]);
  await moveTo("former.example");
  const { hostname } = new URL(origin);
  expect(await warn()).toEqual([
    expect.stringMatching(
      `^1 passkey of staff belongs to former.example and does not work at ${hostname}.*reset EMAIL`,
    ),
  ]);
  await moveTo(null);
  expect(await warn()).toEqual([]);
  await logInWithPasskey(await site.openBrowser(), device);
  const { rows } = await site.pool.query("select host from staff_passkeys where staff_id = $1", [id]);
  expect(rows).toEqual([{ host: hostname }]);
});

test("STA-4: a counter that does not rise blocks the passkey and logs nobody in; the person and each administrator are told", async () => {
  const administrator = await site.logIn("administrator");
  const { id, device } = await withPasskey(site, { isCounting: true });
  const { device: synced } = await withPasskey(site);
  for (let times = 0; times < 3; times += 1) {
    expect((await logInWithPasskey(await site.openBrowser(), synced)).status).toBe(303);
  }
  expect((await logInWithPasskey(await site.openBrowser(), device)).status).toBe(303);
  device.state.counter -= 1;
  const browser = await site.openBrowser();
  const copied = await logInWithPasskey(browser, device);
  expect([copied.status, refusalIn(copied.html)]).toEqual([409, expect.stringContaining("blocked")]);
  expect((await browser.get("/admin/you")).status).toBe(302);
  device.state.counter += 10;
  expect(refusalIn((await logInWithPasskey(browser, device)).html)).toContain("blocked");

  const emails = await listStaffEmails(site, id);
  const told = emails.filter(({ template }) => template === "staff-passkey-blocked");
  expect(told.map((job) => (job as unknown as { recipientId: number }).recipientId)).toEqual(
    expect.arrayContaining([id, administrator.id]),
  );
  await site.pool.query("truncate mailbox_messages");
  for (const job of told) await sendEmails(site.services)(job as never);
  const { rows } = await site.pool.query("select recipient, subject from mailbox_messages");
  expect(rows).toHaveLength(told.length);
  expect(rows.map(({ subject }) => subject)).toContain("A passkey of your back-office account was blocked");
});

test("STA-5: a password needs a code, which works once; of two at the same moment one logs in", async () => {
  const { email, codeNow, codeAt } = await withPassword(site);
  const send = async (fields: Record<string, string>) =>
    (await site.openBrowser()).post("/admin/sign-in/password", { email, password, ...fields });
  const code = await codeNow();
  const twice = await Promise.all([send({ code }), send({ code: ` ${code.slice(0, 3)} ${code.slice(3)}` })]);
  expect(twice.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const replayed = await send({ code });
  expect([replayed.status, refusalIn(replayed.html)]).toEqual([409, expect.stringContaining("is not right")]);
  const inMinutes = (minutes: number) => new Date(site.clock.now().getTime() + minutes * MINUTE);
  // Somebody else's tries: after five wrong ones a browser that is new needs an emailed code.
  const other = await withPassword(site);
  for (const wrong of [await other.codeAt(inMinutes(-2)), await other.codeAt(inMinutes(2)), "", "abcdef"]) {
    expect((await send({ email: other.email, code: wrong })).status).toBeGreaterThanOrEqual(409);
  }
  expect((await send({ email: email.toUpperCase(), code: await codeAt(inMinutes(0.5)) })).status).toBe(303);
  expect((await send({ code: await codeNow() })).status, "older than one that was used").toBe(409);
});

test("STA-5: an unknown email, a wrong password and a wrong code get the same answer, and no password comes back", async () => {
  const { email, codeNow } = await withPassword(site);
  const code = await codeNow();
  const tries = [
    { email: "nobody@example.org", password, code },
    { email, password: "not this one at all", code },
    { email, password, code: "123456" },
  ];
  const answers = [];
  for (const one of tries) answers.push(await (await site.openBrowser()).post("/admin/sign-in/password", one));
  expect(new Set(answers.map(({ status, html }) => `${status} ${refusalIn(html)}`)).size).toBe(1);
  for (const [index, { html }] of answers.entries()) {
    expect(html).not.toContain(tries[index]!.password);
    expect(readPage(html).querySelector("input[name=email]")?.getAttribute("value")).toBe(tries[index]!.email);
  }
});

test("STA-5: five failed attempts pause this browser; passkeys and other browsers still work, and so does the account", async () => {
  const { email, codeNow } = await withPassword(site);
  const { device } = await withPasskey(site);
  const browser = await site.openBrowser();
  const send = async (from: typeof browser, fields: Record<string, string>) =>
    from.post("/admin/sign-in/password", { email, password, code: "000000", ...fields });
  for (let times = 0; times < 5; times += 1) expect((await send(browser, {})).status).toBe(409);
  const paused = await send(browser, { code: await codeNow() });
  expect([paused.status, refusalIn(paused.html)]).toEqual([429, expect.stringContaining("wait 15 minutes")]);
  expect((await logInWithPasskey(browser, device)).status).toBe(303);
  const other = await withPassword(site);
  const elsewhere = await site.openBrowser();
  const sent = { email: other.email, code: await other.codeNow() };
  expect((await send(elsewhere, sent)).status).toBe(303);
  site.clock.advance(16 * MINUTE);
  expect((await send(browser, { email: other.email, code: await other.codeNow() })).status).toBe(303);
});

test("STA-5: a recovery code replaces the app’s, each once, even if sent several times at the same moment, and the person is told", async () => {
  const { id, email, recoveryCodes } = await withPassword(site);
  const send = async (recoveryCode: string, fields = {}) =>
    (await site.openBrowser()).post("/admin/sign-in/recovery", { email, password, recoveryCode, ...fields });
  expect((await send(recoveryCodes[0]!, { password: "not this one at all" })).status).toBe(409);
  const [first, ...others] = await Promise.all([
    send(recoveryCodes[0]!),
    send(recoveryCodes[0]!.toUpperCase().replace("-", " ")),
    send(recoveryCodes[0]!),
  ]);
  expect([first, ...others].filter((answer) => answer?.status === 303)).toHaveLength(1);
  expect((await send(recoveryCodes[0]!)).status).toBe(409);
  expect((await send(recoveryCodes[1]!)).status).toBe(303);
  expect((await send((await withPassword(site)).recoveryCodes[0]!)).status).toBe(409);
  const jobs = (await listStaffEmails(site, id)).filter(({ template }) => template === "staff-recovery-code-used");
  expect(jobs).toHaveLength(2);
  await site.pool.query("truncate mailbox_messages");
  await sendEmails(site.services)(jobs[0] as never);
  const { rows } = await site.pool.query("select recipient, text_body from mailbox_messages");
  expect(rows).toMatchObject([{ recipient: email, text_body: expect.stringContaining("8 codes are left") }]);
});

test("STA-6: after ten minutes what cannot be undone asks for a new proof, keeps what was typed but no password, and does nothing by itself", async () => {
  const { device, browser } = await withPasskey(site);
  const fields = { note: "As Amina asked", password: "a secret password" };
  expect((await browser.post("/admin/you/trial", fields)).status).toBe(303);
  expect(erased.splice(0)).toEqual(["As Amina asked"]);
  site.clock.advance(11 * MINUTE);
  const asked = await browser.post("/admin/you/trial", fields);
  expect(asked.status).toBe(401);
  expect(asked.html).toContain("Confirm that it is you");
  const carried = readPage(asked.html).querySelector<HTMLInputElement>("input[name=carried]")!.value;
  expect(JSON.parse(Buffer.from(carried, "base64url").toString())).toEqual({
    path: "/admin/you/trial",
    values: { note: [fields.note] },
  });

  // Somebody else’s passkey, though it works, proves nothing here.
  const other = await withPasskey(site);
  const refused = await confirmWithPasskey(browser, other.device, { carried });
  expect([refused.status, refusalIn(refused.html)]).toEqual([409, expect.stringContaining("not known here")]);
  expect(readPage(refused.html).querySelector<HTMLInputElement>("input[name=carried]")!.value).toBe(carried);

  const resumed = await confirmWithPasskey(browser, device, { carried });
  expect(resumed.status).toBe(200);
  expect(erased).toEqual([]);
  expect(readPage(resumed.html).querySelector("input[name=note]")?.getAttribute("value")).toBe(fields.note);
  expect(resumed.html).not.toContain(fields.password);
  expect((await browser.post("/admin/you/trial", { note: fields.note })).status).toBe(303);
  expect(erased.splice(0)).toEqual([fields.note]);
});

test("SEC-12: a long form of a stranger is kept without escaping it for HTML, and none is shown again", async () => {
  const stranger = await site.openBrowser();
  const quotes = '"'.repeat(600_000);
  const kept = await stranger.post("/admin/you/trial", { note: quotes });
  // Three forms have it, in base64: a quote would be 6 characters, and its backslash another.
  expect([kept.status, kept.html.length < 10 * quotes.length]).toEqual([401, true]);
  for (const fields of [{ email: quotes }, { email: "a@example.org", carried: quotes }]) {
    const { html } = await stranger.post("/admin/sign-in/password", fields);
    expect(html).not.toContain("&quot;&quot;");
  }
});

test("STA-6: a file that needs a proof is downloaded once, from the list that offers it, and the way back leads to that list", async () => {
  const { device, browser } = await withPasskey(site);
  site.clock.advance(11 * MINUTE);
  const ticks = Array.from({ length: 25 }, (_, row) => `chosen-00000000-0000-4000-8000-0000000000${row + 10}=1`);
  const file = `/admin/donations.csv?state=paid&only=chosen&${ticks.join("&")}`;
  const asked = await browser.get(file);
  expect(asked.status).toBe(302);
  const { html } = await browser.get(asked.to!);
  const back = [...readPage(html).querySelectorAll("a")].find((link) => link.textContent === "Back, without doing it");
  expect(back?.getAttribute("href")).toBe("/admin/donations?state=paid");
  expect((await browser.get("/admin/donations?state=paid")).headers.refresh).toBeUndefined();

  const next = readPage(html).querySelector<HTMLInputElement>("#passkey input[name=next]")!.value;
  const confirmed = await confirmWithPasskey(browser, device, { next });
  expect([confirmed.status, confirmed.to]).toEqual([303, "/admin/donations?state=paid"]);
  const list = await browser.get(confirmed.to!);
  expect(list.html).toContain("The download begins now.");
  expect(list.headers.refresh).toBe(`0; url=${file}`);
  expect((await browser.get(confirmed.to!)).headers.refresh, "reloaded").toBeUndefined();

  const again = await logInWithPasskey(await site.openBrowser(), device, {
    fields: { next: "/admin/journal.csv?x=1" },
  });
  expect([again.status, again.to]).toEqual([303, "/admin/journal?x=1"]);
});

test("STA-6: every file that needs a proof has a screen to go back to", () => {
  const files = Object.keys(adminRights).filter((address) => /^GET .*\.(?!json)\w+$/.test(address));
  const proved = files.filter((address) => adminRights[address]!.endsWith("+ proof"));
  expect(proved.length).toBeGreaterThan(5);
  for (const address of proved) expect(adminRights, address).toHaveProperty([`GET ${nextScreen(address.slice(4))}`]);
});

test("STA-3: no cookie and no address makes a screen send the browser to another site", async () => {
  const { browser } = await withPasskey(site);
  for (const download of ["https://evil.example/x.csv", "//evil.example/x.csv", "/admin/../x.csv\n", "/admin/x.html"]) {
    browser.visitor.cookies.set("toast", encodeURIComponent(JSON.stringify({ message: "x", download })));
    expect((await browser.get("/admin/you")).headers.refresh, download).toBeUndefined();
  }
});

test("STA-6: a form sent after the session ended comes back filled after logging in; a password and code confirm too", async () => {
  const { id, email, codeNow } = await withPassword(site);
  const browser = await site.openBrowser(id);
  await site.database.deleteFrom("staff_sessions").where("staff_id", "=", id).execute();
  const asked = await browser.post("/admin/you/trial", { note: "Typed for ten minutes" });
  expect(asked.status).toBe(401);
  const carried = readPage(asked.html).querySelector<HTMLInputElement>("input[name=carried]")!.value;
  const wrong = await browser.post("/admin/sign-in/password", { email, password, code: "000000", carried });
  expect(readPage(wrong.html).querySelector<HTMLInputElement>("input[name=carried]")!.value).toBe(carried);
  const code = await codeNow();
  const resumed = await browser.post("/admin/sign-in/password", { email, password, code, carried });
  expect(resumed.status).toBe(200);
  expect(readPage(resumed.html).querySelector("input[name=note]")?.getAttribute("value")).toBe("Typed for ten minutes");
  expect(erased).toEqual([]);

  site.clock.advance(11 * MINUTE);
  expect((await browser.post("/admin/you/trial", { note: "x" })).status).toBe(401);
  expect((await browser.post("/admin/confirm/password", { password, code })).status, "an old code").toBe(409);
  const confirmed = await browser.post("/admin/confirm/password", {
    password,
    code: await codeNow(),
    next: "/admin/you",
  });
  expect([confirmed.status, confirmed.to]).toEqual([303, "/admin/you"]);
  expect((await browser.post("/admin/you/trial", { note: "x" })).status).toBe(303);
  erased.splice(0);
});

test("STA-3: an account that is only invited, or has ended, cannot log in in any way", async () => {
  const { id, device } = await withPasskey(site);
  const { id: other, email, codeNow, recoveryCodes } = await withPassword(site);
  const end = { state: "ended", ended_at: site.clock.now() } as const;
  await site.database.updateTable("staff").set(end).where("id", "in", [id, other]).execute();
  const browser = await site.openBrowser();
  expect((await logInWithPasskey(browser, device)).status).toBe(409);
  const code = await codeNow();
  expect((await browser.post("/admin/sign-in/password", { email, password, code })).status).toBe(409);
  const recoveryCode = recoveryCodes[0]!;
  expect((await browser.post("/admin/sign-in/recovery", { email, password, recoveryCode })).status).toBe(409);
});

test("STA-8: a demo’s link logs in once, within an hour, with a fresh proof, and never on a site that takes real money", async () => {
  const { name, token } = await invite(site, { kind: "demo", roles: ["administrator"] });
  const live = { ...site.services, config: { ...site.services.config, isDemo: false } };
  expect(await useDemoLink(live, token, {} as never)).toBeNull();
  const tries = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const browser = await site.openBrowser();
      return { browser, answer: await browser.get(`/admin/sign-in/${token}`) };
    }),
  );
  const winners = tries.filter(({ answer }) => answer.to === "/admin");
  expect(winners).toHaveLength(1);
  expect((await winners[0]!.browser.get("/admin/you")).html).toContain(name);
  expect((await winners[0]!.browser.post("/admin/you/trial", { note: "proved" })).status).toBe(303);
  erased.splice(0);
  for (const { answer, browser } of tries.filter((one) => one !== winners[0])) {
    expect(answer.to).toBe("/admin/sign-in?notice=over");
    expect((await browser.get("/admin/you")).status).toBe(302);
  }
  expect((await tries[0]!.browser.get("/admin/sign-in?notice=nothing")).status).toBeLessThan(400);

  const invited = await invite(site);
  const late = await invite(site, { kind: "demo" });
  site.clock.advance(61 * MINUTE);
  for (const one of [invited.token, late.token, "x"]) {
    expect((await (await site.openBrowser()).get(`/admin/sign-in/${one}`)).to).toBe("/admin/sign-in?notice=over");
  }
});
