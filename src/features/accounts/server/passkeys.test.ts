import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { call } from "#shared/contract/call.ts";
import type { NewPasskey, UsedPasskey } from "#shared/passkeys/contract.ts";
import { PASSWORD, type RegisteredMember, registerUser } from "#test/accounts.ts";
import { longTest } from "#test/long-test.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";
import { type Authenticator, createAuthenticator } from "#test/software-authenticator.ts";
import {
  addPasskeyCall,
  beginPasskeyCall,
  beginPasskeyLoginCall,
  listPasskeysCall,
  logInWithPasskeyCall,
  removePasskeyCall,
  renamePasskeyCall,
} from "../contract.ts";

const ORIGIN = "https://give.example.org";
const MINUTE = 60_000;
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ PUBLIC_URL: ORIGIN });
});
afterAll(() => site.close());

let place = 0;
/** A visitor at a new network address. */
const stranger = () => {
  place += 1;
  return site.visitor(`198.51.${100 + Math.floor(place / 250)}.${place % 250}`);
};
const session = (visitor: Visitor) => visitor.cookies.get("__Host-session");

async function begin(visitor: Visitor, password?: string) {
  const answer = await call(visitor.send, beginPasskeyCall, { body: password === undefined ? {} : { password } });
  if (!answer.ok) throw new Error(answer.error);
  return answer.data;
}
const add = (visitor: Visitor, made: NewPasskey) => call(visitor.send, addPasskeyCall, { body: made });

/** A member with a passkey, who has logged out again. */
async function openHolder(
  authenticator = createAuthenticator(),
): Promise<RegisteredMember & { authenticator: Authenticator }> {
  const member = await registerUser(site, await stranger());
  const added = await add(member.visitor, authenticator.create(await begin(member.visitor), { origin: ORIGIN }));
  expect(added).toMatchObject({ ok: true });
  await member.visitor.post("/api/logout", {});
  return { ...member, authenticator };
}

async function options(visitor: Visitor) {
  const answer = await call(visitor.send, beginPasskeyLoginCall);
  if (!answer.ok) throw new Error(answer.error);
  return answer.data;
}
const logIn = (visitor: Visitor, used: UsedPasskey) => call(visitor.send, logInWithPasskeyCall, { body: used });
const use = async (visitor: Visitor, authenticator: Authenticator, how = {}) =>
  logIn(visitor, authenticator.use(await options(visitor), { origin: ORIGIN, ...how }));

/** Sends what waits, and reads what the address has been sent about passkeys and passwords. */
async function listEmails({ user }: Pick<RegisteredMember, "user">) {
  const { rows: jobs } = await site.pool.query(
    "select data from pgboss.job where name = 'emails' and data->>'userId' = $1 order by created_on",
    [String(user.id)],
  );
  const send = sendEmails({ ...site.services, now: site.clock.now });
  for (const { data } of jobs) await send(data);
  const { rows } = await site.pool.query(
    "select subject, text_body as text from mailbox_messages where recipient like '%' || $1 || '%' order by id",
    [user.email],
  );
  return rows as { subject: string; text: string }[];
}
const about = async (member: Pick<RegisteredMember, "user">, subject: string) =>
  (await listEmails(member)).filter((email) => email.subject === subject).length;

test("LOG-23: a passkey is added under its authenticator's name, renamed and removed; emails confirm it, and the password still works", async () => {
  const member = await registerUser(site, await stranger());
  const { visitor, user } = member;
  const apple = createAuthenticator({ aaguid: "fbfc3007-154e-4ecc-8c0b-6e020557d7bd" });
  const made = await begin(visitor);
  expect(made).toMatchObject({
    rp: { id: "give.example.org" },
    user: { name: user.email, displayName: "Amina Raza" },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: [],
  });
  const added = await add(visitor, apple.create(made, { origin: ORIGIN }));
  if (!added.ok) throw new Error(added.error);
  expect(added.data).toMatchObject({ name: "Apple Passwords", lastUsedAt: null, isBlocked: false });
  const again = await begin(visitor);
  expect(again.excludeCredentials).toEqual([{ id: apple.id, type: "public-key", transports: ["internal", "hybrid"] }]);
  expect((again.user as { id: string }).id).toBe((made.user as { id: string }).id);
  const { id } = added.data;
  expect(await call(visitor.send, renamePasskeyCall, { body: { id, name: "My phone" } })).toMatchObject({ ok: true });
  expect(await call(visitor.send, listPasskeysCall)).toMatchObject({ data: [{ id, name: "My phone" }] });
  const file = (await visitor.ask({ url: "/api/my-data" })).json();
  expect(file.passkeys).toEqual([{ name: "My phone", createdAt: added.data.createdAt, lastUsedAt: null }]);
  const removed = await call(visitor.send, removePasskeyCall, { body: { id } });
  expect(removed).toMatchObject({ ok: true, data: { credentialId: apple.id } });
  expect(await call(visitor.send, listPasskeysCall)).toMatchObject({ data: [] });
  expect(await use(await stranger(), apple)).toMatchObject({ status: 401, error: "passkey_unknown" });
  expect(await visitor.post("/api/login", { email: user.email, password: PASSWORD })).toMatchObject({ code: 200 });
  expect(await about(member, "A passkey was added to your account")).toBe(1);
  expect(await about(member, "A passkey was removed from your account")).toBe(1);
});

test("LOG-23: a passkey of an unknown authenticator is named after browser and system", async () => {
  const { visitor } = await registerUser(site, await stranger());
  const body = createAuthenticator().create(await begin(visitor), { origin: ORIGIN });
  const agent = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36";
  expect(await call(visitor.send, addPasskeyCall, { body, headers: { "user-agent": agent } })).toMatchObject({
    data: { name: "Chrome on Android" },
  });
});

test("LOG-23: ten minutes after the log-in, adding a passkey needs the password, with at most ten tries", async () => {
  const { visitor } = await registerUser(site, await stranger());
  site.clock.advance(9 * MINUTE);
  await begin(visitor);
  site.clock.advance(2 * MINUTE);
  await expect(begin(visitor)).rejects.toThrow("password_needed");
  await expect(begin(visitor, "not the password")).rejects.toThrow("invalid_input");
  await begin(visitor, PASSWORD);
  for (let nth = 0; nth < 10; nth += 1)
    await expect(begin(visitor, "not the password")).rejects.toThrow("invalid_input");
  await expect(begin(visitor, PASSWORD)).rejects.toThrow("too_many_tries");
});

test("LOG-23: a member has at most ten passkeys, even if many are added at the same time", async () => {
  const { visitor } = await registerUser(site, await stranger());
  const made = [];
  for (let nth = 0; nth < 12; nth += 1)
    made.push(createAuthenticator().create(await begin(visitor), { origin: ORIGIN }));
  const answers = await Promise.all(made.map((one) => add(visitor, one)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
  await expect(begin(visitor)).rejects.toThrow("too_many_passkeys");
});

test("LOG-23, API-9: another member's passkey cannot be renamed, removed or registered, and is refused like an unknown one", async () => {
  const owner = await openHolder();
  const { rows } = await site.pool.query("select id from passkeys where user_id = $1", [owner.user.id]);
  const { visitor } = await registerUser(site, await stranger());
  for (const id of [rows[0].id, randomUUID()]) {
    for (const answer of [
      await call(visitor.send, renamePasskeyCall, { body: { id, name: "Mine" } }),
      await call(visitor.send, removePasskeyCall, { body: { id } }),
    ]) {
      expect(answer).toMatchObject({ status: 403, error: "not_allowed" });
    }
  }
  const thief = createAuthenticator();
  const taken = thief.create(await begin(visitor), { origin: ORIGIN, credentialId: owner.authenticator.id });
  expect(await add(visitor, taken)).toMatchObject({ ok: false, error: "passkey_not_added" });
  expect(await use(owner.visitor, owner.authenticator)).toMatchObject({ ok: true, data: { id: owner.user.id } });
});

test.each([
  ["from another origin", { origin: "https://give.example.org.evil.example" }],
  ["for another host", { rpId: "example.org" }],
  ["without verifying the person", { isVerified: false }],
  ["without anybody there", { isPresent: false }],
])("LOG-23, LOG-24: a passkey made or used %s is refused", async (_, how) => {
  const { visitor } = await registerUser(site, await stranger());
  const made = createAuthenticator().create(await begin(visitor), { origin: ORIGIN, ...how });
  expect(await add(visitor, made)).toMatchObject({ status: 422, error: "passkey_not_added" });
  const holder = await openHolder();
  expect(await use(holder.visitor, holder.authenticator, how)).toMatchObject({ status: 401, error: "passkey_failed" });
  expect(session(holder.visitor)).toBeUndefined();
  expect(await use(holder.visitor, holder.authenticator)).toMatchObject({ ok: true });
});

test("LOG-24: a passkey logs in without an email, with a new token, and makes the device known", async () => {
  const { visitor, user, authenticator } = await openHolder();
  const asked = await options(visitor);
  expect(asked).toMatchObject({ rpId: "give.example.org", userVerification: "required" });
  expect(asked.allowCredentials ?? []).toEqual([]);
  const elsewhere = await stranger();
  expect(await use(elsewhere, authenticator)).toMatchObject({ status: 200, data: { id: user.id, email: user.email } });
  const first = session(elsewhere);
  expect(elsewhere.cookies.get("user")).toBe(String(user.id));
  expect(elsewhere.cookies.has("__Host-device")).toBe(true);
  expect(await use(elsewhere, authenticator)).toMatchObject({ ok: true });
  expect(session(elsewhere)).not.toBe(first);
  const old = await site.app.inject({ url: "/api/sessions", cookies: { "__Host-session": String(first) } });
  expect(old.statusCode).toBe(401);
  expect(await call(elsewhere.send, listPasskeysCall)).toMatchObject({ data: [{ lastUsedAt: expect.any(String) }] });
});

test("LOG-25: a challenge works once, for five minutes, in the browser or session that requested it, and for its own purpose", async () => {
  const holder = await openHolder();
  const { visitor, authenticator } = holder;
  const sign = async (by: Visitor) => authenticator.use(await options(by), { origin: ORIGIN });
  const used = await sign(visitor);
  const expired = { status: 401, error: "passkey_expired" };
  const [one, other] = await Promise.all([logIn(visitor, used), logIn(visitor, used)]);
  expect([one, other].filter(({ ok }) => ok)).toHaveLength(1);
  expect([one, other].find(({ ok }) => !ok)).toMatchObject(expired);
  expect(await logIn(visitor, used)).toMatchObject(expired);

  const foreign = await sign(await stranger());
  expect(await logIn(visitor, foreign)).toMatchObject(expired);
  const late = await sign(visitor);
  site.clock.advance(5 * MINUTE);
  expect(await logIn(visitor, late)).toMatchObject(expired);
  const ownMade = authenticator.use({ challenge: "A".repeat(70), rpId: "give.example.org" }, { origin: ORIGIN });
  expect(await logIn(visitor, ownMade)).toMatchObject(expired);

  expect(await use(visitor, authenticator)).toMatchObject({ ok: true });
  const forAdding = authenticator.use({ ...(await begin(visitor)), rpId: "give.example.org" }, { origin: ORIGIN });
  expect(await logIn(visitor, forAdding)).toMatchObject(expired);
  const device = createAuthenticator();
  const begun = await begin(visitor);
  const forLogin = { ...begun, ...(await options(visitor)) };
  expect(await add(visitor, device.create(forLogin, { origin: ORIGIN }))).toMatchObject({ error: "passkey_not_added" });
  const elsewhere = await stranger();
  await use(elsewhere, authenticator);
  const made = device.create(begun, { origin: ORIGIN });
  expect(await add(elsewhere, made)).toMatchObject({ error: "passkey_not_added" });
  expect(await add(visitor, made)).toMatchObject({ ok: true });
  expect(await add(visitor, made)).toMatchObject({ error: "passkey_not_added" });
});

test("LOG-25: another user's credential id or handle, a wrong key and invalid bytes are refused, and block nobody", async () => {
  const [holder, other] = [await openHolder(createAuthenticator({ isCounting: true })), await openHolder()];
  const { visitor, authenticator } = holder;
  const failed = { status: 401, error: "passkey_failed" };
  expect(await use(visitor, other.authenticator, { credentialId: authenticator.id })).toMatchObject(failed);
  const forger = createAuthenticator();
  forger.state.userHandle = authenticator.state.userHandle;
  // Signed with an unknown key and a counter of 0: the counter is never checked.
  expect(await use(visitor, forger, { credentialId: authenticator.id })).toMatchObject(failed);
  const handle = authenticator.state.userHandle;
  authenticator.state.userHandle = other.authenticator.state.userHandle;
  expect(await use(visitor, authenticator)).toMatchObject(failed);
  authenticator.state.userHandle = handle;
  const good = authenticator.use(await options(visitor), { origin: ORIGIN });
  const broken = { ...good, response: { ...good.response, authenticatorData: "AAAA" } };
  expect(await logIn(visitor, broken)).toMatchObject(failed);
  const unread = { ...good, response: { ...good.response, clientDataJSON: "AAAA" } };
  expect(await logIn(visitor, unread)).toMatchObject({ error: "passkey_expired" });
  expect(await use(visitor, authenticator)).toMatchObject({ ok: true });
});

test("LOG-25: a counter that does not rise permanently blocks the passkey, with one email; the other passkeys and the password still work", async () => {
  const counting = createAuthenticator({ isCounting: true });
  const holder = await openHolder(counting);
  const { visitor, user } = holder;
  expect(await use(visitor, counting)).toMatchObject({ ok: true });
  counting.state.counter -= 1;
  const elsewhere = await stranger();
  expect(await use(elsewhere, counting)).toMatchObject({ status: 401, error: "passkey_blocked" });
  expect(session(elsewhere)).toBeUndefined();
  counting.state.counter += 100;
  expect(await use(elsewhere, counting)).toMatchObject({ status: 401, error: "passkey_blocked" });
  expect(await about(holder, "A passkey on your account was blocked")).toBe(1);
  expect(await call(visitor.send, listPasskeysCall)).toMatchObject({ data: [{ isBlocked: true }] });
  expect(await elsewhere.post("/api/login", { email: user.email, password: PASSWORD })).toMatchObject({ code: 200 });
});

test("LOG-25: a synced passkey, whose counter is always 0, keeps working; one that returns to 0 is blocked", async () => {
  const synced = await openHolder();
  for (let nth = 0; nth < 3; nth += 1)
    expect(await use(synced.visitor, synced.authenticator)).toMatchObject({ ok: true });
  const counting = createAuthenticator({ isCounting: true });
  const holder = await openHolder(counting);
  counting.state.counter = 0;
  expect(await use(holder.visitor, counting)).toMatchObject({ error: "passkey_blocked" });
});

longTest(
  "LOG-25, SEC-4: ten failed attempts pause a browser and fifty an address; the owner elsewhere is not affected, and right ones do not count",
  async () => {
    const holder = await openHolder();
    const forger = createAuthenticator();
    forger.state.userHandle = holder.authenticator.state.userHandle;
    const credentialId = holder.authenticator.id;
    const guesser = await stranger();
    for (let nth = 0; nth < 12; nth += 1) {
      expect(await use(guesser, holder.authenticator)).toMatchObject({ ok: true });
    }
    for (let nth = 0; nth < 10; nth += 1) {
      expect(await use(guesser, forger, { credentialId })).toMatchObject({ error: "passkey_failed" });
    }
    expect(await use(guesser, forger, { credentialId })).toMatchObject({ status: 429, error: "too_many_tries" });
    const counts: Record<string, number> = {};
    for (let nth = 0; nth < 45; nth += 1) {
      guesser.cookies.delete("__Host-browser");
      const answer = await use(guesser, forger, { credentialId });
      const told = answer.ok ? "logged in" : answer.error;
      counts[told] = (counts[told] ?? 0) + 1;
    }
    expect(counts).toEqual({ passkey_failed: 40, too_many_tries: 5 });
    expect(await use(holder.visitor, holder.authenticator)).toMatchObject({ ok: true });
  },
);

test("LOG-23: a closed account has no passkeys; a reset password leaves them, and its email says how many there are", async () => {
  const closing = await openHolder();
  await use(closing.visitor, closing.authenticator);
  expect(await closing.visitor.post("/api/close-account", { password: PASSWORD })).toMatchObject({ code: "200" });
  expect(await use(closing.visitor, closing.authenticator)).toMatchObject({ error: "passkey_unknown" });

  const holder = await openHolder();
  await use(holder.visitor, holder.authenticator);
  const change = { old_password: PASSWORD, new_password: "another password", confirm_password: "another password" };
  await holder.visitor.post("/api/changePassword", { user_id: holder.user.id, ...change });
  const email = (await listEmails(holder)).find(({ subject }) => subject === "Your password was changed");
  expect(email?.text.replace(/\s+/g, " ")).toContain(
    "Your account also has a passkey, which still works. You can see and remove it under ‘Change Password’.",
  );
  expect(await use(await stranger(), holder.authenticator)).toMatchObject({ ok: true });
});
