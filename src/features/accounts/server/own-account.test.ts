import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeDonation } from "#database/factories.ts";
import { PASSWORD, type RegisteredMember, registerUser } from "#test/accounts.ts";
import { longTest } from "#test/long-test.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";

let lines: string[] = [];
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LOG_LEVEL: "trace" });
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
});
beforeEach(() => {
  lines = [];
});
afterAll(() => site.close());

const NEW_PASSWORD = "another battery staple";
const isLoggedIn = async (visitor: Visitor) => (await visitor.ask({ url: "/api/sessions" })).statusCode === 200;
const securityLines = () => lines.map((line) => JSON.parse(line)).filter(({ security }) => security === "not_own");

async function logInElsewhere({ user, password }: RegisteredMember): Promise<Visitor> {
  const visitor = await site.visitor("192.0.2.9");
  expect(await visitor.post("/api/login", { email: user.email, password })).toMatchObject({ code: 200 });
  return visitor;
}

function details(id: number, changes: Record<string, unknown> = {}) {
  return {
    user_id: id,
    first_name: "Sana",
    last_name: "Malik",
    postal_code: "SW1A 1AA",
    mobile: "+923001234567",
    country: "Pakistan",
    state: "Punjab",
    prefered_contact: "Email",
    city: "Lahore",
    ...changes,
  };
}

const passwords = (id: number, changes: Record<string, unknown> = {}) => ({
  user_id: id,
  old_password: PASSWORD,
  new_password: NEW_PASSWORD,
  confirm_password: NEW_PASSWORD,
  ...changes,
});

test("PRO-4: users change their own details but not their email, and the answer has the stored details", async () => {
  const { visitor, user } = await registerUser(site);
  const told = { ...details(user.id), mobile: "923001234567", email: user.email };
  const answer = await visitor.post("/api/updateUser", { ...details(user.id), email: "other@example.com" });
  expect(answer).toMatchObject({ code: "200", data: told });
  expect((await visitor.post("/api/user", { user_id: String(user.id) })).data).toEqual(told);
});

test("PRO-4: the city 'Not required' is stored as empty, as by registration", async () => {
  const { visitor, user } = await registerUser(site);
  const answer = await visitor.post("/api/updateUser", details(user.id, { city: "Not required" }));
  expect(answer).toMatchObject({ code: "200", data: { city: "" } });
  expect((await visitor.post("/api/user", { user_id: String(user.id) })).data).toMatchObject({ city: "" });
});

test("PRO-4: what registration refuses, the update refuses too", async () => {
  const { visitor, user } = await registerUser(site);
  for (const [changes, field] of [
    [{ first_name: "" }, "first_name"],
    [{ state: "Victoria" }, "state"],
    [{ country: "Atlantis" }, "country"],
    [{ prefered_contact: "Pigeon" }, "prefered_contact"],
  ] as const) {
    const answer = await visitor.post("/api/updateUser", details(user.id, changes));
    expect([answer.code, Object.keys(answer.data)]).toEqual(["422", [field]]);
  }
});

test("API-9: 401 without a session; 403 for another user's id, with a line in the security log that names nobody", async () => {
  const [own, other] = [await registerUser(site), await registerUser(site)];
  const guest = await site.visitor();
  for (const [path, body] of [
    ["/api/user", (id: number) => ({ user_id: id })],
    ["/api/updateUser", (id: number) => details(id)],
    ["/api/changePassword", (id: number) => passwords(id)],
  ] as const) {
    lines = [];
    expect(await guest.post(path, body(own.user.id))).toMatchObject({ code: "401", error: "not_signed_in" });
    expect(securityLines()).toEqual([]);
    const refusal = await own.visitor.post(path, body(other.user.id));
    expect(refusal).toMatchObject({ code: "403", error: "not_allowed" });
    expect(JSON.stringify(refusal)).not.toContain(other.user.email);
    expect(await own.visitor.post(path, body(999_999_999))).toEqual(refusal);
    expect(securityLines()).toMatchObject(Array(2).fill({ route: path, userId: own.user.id }));
    expect(lines.join("")).not.toContain("@example.com");
  }
  expect((await other.visitor.post("/api/user", { user_id: other.user.id })).data.first_name).toBe("Amina");
});

test("PRO-6: a new password ends every other session and gives this one a new token", async () => {
  const member = await registerUser(site);
  const { visitor, user } = member;
  const elsewhere = await logInElsewhere(member);
  const before = visitor.cookies.get("session");
  const answer = await visitor.post("/api/changePassword", passwords(user.id));
  expect(answer).toMatchObject({ code: "200", message: "Password Changed!" });
  expect(visitor.cookies.get("session")).not.toBe(before);
  expect([await isLoggedIn(visitor), await isLoggedIn(elsewhere)]).toEqual([true, false]);
  const old = await site.app.inject({ url: "/api/sessions", cookies: { session: String(before) } });
  expect(old.statusCode).toBe(401);
  expect(await elsewhere.post("/api/login", { email: user.email, password: PASSWORD })).toMatchObject({ code: "401" });
  await logInElsewhere({ ...member, password: NEW_PASSWORD });
  const { rows } = await site.pool.query(
    "select 1 from pgboss.job where data->>'template' = 'password-changed' and (data->>'userId')::bigint = $1",
    [user.id],
  );
  expect(rows).toHaveLength(1);
});

test("PRO-6: a wrong old password and new passwords that differ are errors at their fields, and nothing changes", async () => {
  const { visitor, user } = await registerUser(site);
  const wrong = await visitor.post("/api/changePassword", passwords(user.id, { old_password: "not my password" }));
  expect(wrong).toMatchObject({ code: "422", data: { old_password: ["This isn’t your current password."] } });
  const differing = await visitor.post("/api/changePassword", passwords(user.id, { confirm_password: "x" }));
  expect(differing).toMatchObject({ code: "422", data: { confirm_password: ["Passwords do not match"] } });
  expect(await visitor.post("/api/changePassword", passwords(user.id))).toMatchObject({ code: "200" });
});

test("PRO-5: passwords that are missing or too short have the specification's sentences", async () => {
  const { visitor, user } = await registerUser(site);
  const empty = { old_password: "", new_password: "", confirm_password: "" };
  expect((await visitor.post("/api/changePassword", passwords(user.id, empty))).data).toEqual({
    old_password: ["Old Password is required."],
    new_password: ["New Password is required."],
    confirm_password: ["Confirm Password is required."],
  });
  const short = { new_password: "1234567", confirm_password: "1234567" };
  expect((await visitor.post("/api/changePassword", passwords(user.id, short))).data).toEqual({
    new_password: ["New Password must be at least 8 characters long."],
  });
});

longTest("PRO-6: after ten wrong old passwords the next one is not checked", async () => {
  const { visitor, user } = await registerUser(site);
  const wrong = passwords(user.id, { old_password: "not my password" });
  const codes = [];
  for (let nth = 0; nth < 10; nth += 1) codes.push((await visitor.post("/api/changePassword", wrong)).code);
  expect(new Set(codes)).toEqual(new Set(["422"]));
  expect(await visitor.post("/api/changePassword", passwords(user.id))).toMatchObject({ code: "429" });
  site.clock.advance(16 * 60_000);
  expect(await visitor.post("/api/changePassword", passwords(user.id))).toMatchObject({ code: "200" });
});

test("PRO-6: of two concurrent password changes, only one succeeds", async () => {
  const member = await registerUser(site);
  const elsewhere = await logInElsewhere(member);
  const answers = await Promise.all(
    [member.visitor, elsewhere].map((visitor) => visitor.post("/api/changePassword", passwords(member.user.id))),
  );
  expect(answers.filter(({ code }) => code === "200")).toHaveLength(1);
});

test("LOG-17: the list shows the user's sessions, and all others can be ended", async () => {
  const member = await registerUser(site);
  const { visitor } = member;
  const elsewhere = await logInElsewhere(member);
  await logInElsewhere(member);
  const { data } = (await visitor.ask({ url: "/api/sessions" })).json();
  expect(data).toHaveLength(3);
  expect(data.filter(({ isThisOne }: { isThisOne: boolean }) => isThisOne)).toHaveLength(1);
  expect(Object.keys(data[0]).sort()).toEqual(["createdAt", "device", "id", "isThisOne", "lastSeenAt"]);
  expect(await visitor.post("/api/sessions/end-others", {})).toMatchObject({ code: "200", data: { ended: 2 } });
  expect([await isLoggedIn(visitor), await isLoggedIn(elsewhere)]).toEqual([true, false]);
});

test("PRO-10: users can download everything we hold on them, but no credentials", async () => {
  const { visitor, user } = await registerUser(site);
  const donationId = await makeDonation(site.database, { donation: { user_id: user.id, email: user.email } });
  await makeDonation(site.database, { donation: { email: "somebody.else@example.com" } });
  const { rows } = await site.pool.query("select reference from donations where id = $1", [donationId]);
  const response = await visitor.ask({ url: "/api/my-data" });
  expect(response.headers["content-disposition"]).toBe('attachment; filename="my-data.json"');
  expect(response.headers["cache-control"]).toContain("no-store");
  const data = response.json();
  expect(data.user).toMatchObject({ email: user.email, firstName: "Amina", mobile: "61400000000" });
  expect(data.sessions).toMatchObject([{ address: "203.0.113.7" }]);
  expect(response.body).toContain(rows[0].reference);
  expect(response.body).not.toMatch(/argon2|hash|somebody\.else/i);
  expect((await (await site.visitor()).ask({ url: "/api/my-data" })).statusCode).toBe(401);
});

test("PRO-10: closing an account deletes it and its sessions; its donations stay without the person", async () => {
  const member = await registerUser(site);
  const { visitor, user } = member;
  const elsewhere = await logInElsewhere(member);
  const donationId = await makeDonation(site.database, { donation: { user_id: user.id, email: user.email } });
  const wrong = await visitor.post("/api/close-account", { password: "not my password" });
  expect(wrong).toMatchObject({ code: "422", data: { password: ["This isn’t your current password."] } });
  expect(await visitor.post("/api/close-account", { password: PASSWORD })).toMatchObject({ code: "200" });
  expect(["session", "user", "device"].filter((name) => visitor.cookies.has(name))).toEqual([]);
  expect(await isLoggedIn(elsewhere)).toBe(false);
  const login = await visitor.post("/api/login", { email: user.email, password: PASSWORD });
  expect(login).toMatchObject({ code: "401", error: "login_failed" });
  const donations = await site.pool.query("select user_id, total_cents from donations where id = $1", [donationId]);
  expect(donations.rows).toEqual([{ user_id: null, total_cents: 10_658 }]);
  const emails = await site.pool.query("select subject from mailbox_messages where recipient = $1", [user.email]);
  expect(emails.rows).toEqual([{ subject: "Your account is closed" }]);
  await registerUser(site, undefined, { email: user.email });
});

test("PRO-10: when two tabs close an account, one succeeds and the other is logged out, not told of a wrong password", async () => {
  const { visitor, user } = await registerUser(site);
  const holder = await site.pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from users where id = $1 for update", [user.id]);
  const closing = [1, 2].map(() => visitor.post("/api/close-account", { password: PASSWORD }));
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await site.pool.query(waiting)).rowCount).toBe(2);
  await holder.query("commit");
  holder.release();
  const codes = (await Promise.all(closing)).map(({ code, error }) => [code, error]);
  expect(codes.sort()).toEqual([
    ["200", undefined],
    ["401", "not_signed_in"],
  ]);
});

test("PRO-12: without a session, a call for the data is 401, and a press of the link leads to the log-in and back", async () => {
  const visitor = await site.visitor();
  const askAs = (mode: string) => visitor.ask({ url: "/api/my-data", headers: { "sec-fetch-mode": mode } });
  expect((await askAs("cors")).statusCode).toBe(401);
  const { statusCode, headers } = await askAs("navigate");
  expect([statusCode, headers.location]).toEqual([302, "/login?return=%2Fprofile"]);
  expect(headers["cache-control"]).toBe("private, no-store");
});

test("PRO-10: an account is closed even if the mail server does not answer, and the log does not say whose it was", async () => {
  const { visitor, user } = await registerUser(site);
  const { mail } = site.services;
  const { send } = mail;
  mail.send = () => Promise.reject(new Error(`550 no such person: ${user.email}`));
  const answer = await visitor.post("/api/close-account", { password: PASSWORD });
  mail.send = send;
  expect(answer).toMatchObject({ code: "200" });
  expect(lines.join("")).toContain("could not be sent");
  expect(lines.join("")).not.toContain(user.email);
});

test("API-8: without the page's token every account call is refused", async () => {
  const { visitor, user } = await registerUser(site);
  const cookies = Object.fromEntries(visitor.cookies);
  const calls = [
    "/login",
    "/logout",
    "/user",
    "/user/create",
    "/updateUser",
    "/changePassword",
    "/password/email",
    "/password/reset",
    "/sessions/end-others",
    "/email-verification/send",
    "/email-verification",
    "/close-account",
    "/mobile-check",
  ];
  for (const call of calls) {
    const payload = { ...passwords(user.id), email: user.email, password: PASSWORD, key: randomUUID() };
    const response = await site.app.inject({ method: "POST", url: `/api${call}`, cookies, payload });
    expect([call, response.statusCode, response.json().error]).toEqual([call, 403, "csrf"]);
  }
  expect(await isLoggedIn(visitor)).toBe(true);
});
