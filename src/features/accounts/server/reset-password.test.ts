import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { PASSWORD, registerUser } from "#test/accounts.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";
import { resetPasswordCall } from "../contract.ts";
import type { AccountEmailJob } from "./emails.ts";

const lines: string[] = [];
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LOG_LEVEL: "trace" });
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
});
afterAll(() => site.close());

const NEW_PASSWORD = "another battery staple";
const MINUTE = 60_000;
let place = 0;
const stranger = () => {
  place += 1;
  return site.visitor(`198.51.100.${place}`);
};

const ask = (visitor: Visitor, email: string) => visitor.post("/api/password/email", { email });
const reset = (visitor: Visitor, email: string, code: string | number, changes: Record<string, string> = {}) =>
  visitor.post("/api/password/reset", {
    email,
    code,
    password: NEW_PASSWORD,
    password_confirmation: changes.password ?? NEW_PASSWORD,
    ...changes,
  });

/** Waiting jobs of one kind, newest first. */
async function listJobs(template: AccountEmailJob["template"], userId: number): Promise<AccountEmailJob[]> {
  const { rows } = await site.pool.query(
    "select data from pgboss.job where data->>'template' = $1 and (data->>'userId')::bigint = $2 order by created_on desc",
    [template, userId],
  );
  return rows.map(({ data }) => data);
}

/** Runs the newest job and reads the code in its email. */
async function readCode(userId: number, email: string): Promise<string> {
  const [job] = await listJobs("reset-code", userId);
  await sendEmails(site.services)(job!);
  const { rows } = await site.pool.query(
    "select text_body from mailbox_messages where recipient = $1 and message_id like '<reset-code-%' order by id desc limit 1",
    [email],
  );
  return /^Code: (\d{8})$/m.exec(rows[0].text_body)![1]!;
}

async function openCode() {
  const member = await registerUser(site);
  await ask(await stranger(), member.user.email);
  return { ...member, email: member.user.email, code: await readCode(member.user.id, member.user.email) };
}

const wrongOf = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, "0");
const failed = { code: "422", status: "false", error: "code_failed", message: "The code is wrong or has expired." };
const logIn = async (email: string, password: string) => (await stranger()).post("/api/login", { email, password });

test("LOG-9: a right code sets the password once and ends every session", async () => {
  const { visitor, email, code, user } = await openCode();
  expect(await reset(await stranger(), email.toUpperCase(), ` ${code} `)).toMatchObject({
    code: "200",
    message: "Password Reset Successfully!",
  });
  expect((await visitor.ask({ url: "/api/sessions" })).statusCode).toBe(401);
  expect(await logIn(email, PASSWORD)).toMatchObject({ code: "401" });
  expect(await logIn(email, NEW_PASSWORD)).toMatchObject({ code: 200 });
  expect(await reset(await stranger(), email, code)).toMatchObject(failed);
  expect(await listJobs("password-changed", user.id)).toHaveLength(1);
});

test("LOG-9: a code may be sent as a number, even if it begins with a zero", async () => {
  const { email, code } = await openCode();
  expect(await reset(await stranger(), email, Number(code))).toMatchObject({ code: "200" });
  const fields = { email, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD };
  expect(resetPasswordCall.body.parse({ ...fields, code: 1_234_567 })).toMatchObject({ code: "01234567" });
});

test("LOG-9: a wrong, expired or used code and an unknown email get the same answer", async () => {
  const { email, code } = await openCode();
  const visitor = await stranger();
  const answers = [await reset(visitor, email, wrongOf(code)), await reset(visitor, "nobody@example.com", code)];
  site.clock.advance(15 * MINUTE + 1000);
  answers.push(await reset(visitor, email, code));
  const used = await openCode();
  await reset(visitor, used.email, used.code);
  answers.push(await reset(visitor, used.email, used.code));
  for (const answer of answers) expect(answer).toEqual(failed);
});

test("LOG-9: passwords that differ or are too short are errors at their fields and use up no try", async () => {
  const { email, code } = await openCode();
  const visitor = await stranger();
  for (let nth = 0; nth < 6; nth += 1) {
    expect(await reset(visitor, email, code, { password_confirmation: "something else" })).toMatchObject({
      data: { password_confirmation: ["Passwords do not match"] },
    });
  }
  expect((await reset(visitor, email, code, { password: "short" })).data.password).toEqual([
    "Password must be at least 8 characters long.",
  ]);
  expect(await reset(visitor, email, code)).toMatchObject({ code: "200" });
});

test("LOG-10, SEC-4: of 20 concurrent wrong codes, five need no captcha, and the right one with a captcha still works", async () => {
  const { email, code } = await openCode();
  const visitors = await Promise.all(Array.from({ length: 20 }, stranger));
  const answers = await Promise.all(visitors.map((visitor) => reset(visitor, email, wrongOf(code))));
  expect(answers.filter(({ error }) => error === "code_failed")).toHaveLength(5);
  expect(answers.filter(({ error, effort }) => error === "captcha_dearer" && effort === 4)).toHaveLength(15);
  const owner = await stranger();
  expect(await reset(owner, email, code)).toMatchObject({ code: "403", effort: 4 });
  expect(await reset(owner, email, code, { captcha: await owner.solveCaptcha("reset", 4) })).toMatchObject({
    code: "200",
  });
});

test("LOG-10: after four failed attempts the right code still works, and of three concurrent uses only one", async () => {
  const { email, code } = await openCode();
  for (let nth = 0; nth < 2; nth += 1) expect(await reset(await stranger(), email, wrongOf(code))).toEqual(failed);
  const visitors = await Promise.all([stranger(), stranger(), stranger()]);
  const answers = await Promise.all(visitors.map((visitor) => reset(visitor, email, code)));
  expect(answers.map(({ code: told }) => told).sort()).toEqual(["200", "422", "422"]);
});

test("LOG-10, SEC-4: requesting another code leaves the earlier one valid; using one invalidates both", async () => {
  const { user, email, code } = await openCode();
  await ask(await stranger(), email);
  const newer = await readCode(user.id, email);
  expect(newer).not.toBe(code);
  expect(await reset(await stranger(), email, code)).toMatchObject({ code: "200" });
  expect(await reset(await stranger(), email, newer)).toEqual(failed);
});

test("REL-2, LOG-10: an email that is retried has the same code, which stays used once used", async () => {
  const { user, email, code } = await openCode();
  for (let nth = 0; nth < 2; nth += 1) await reset(await stranger(), email, wrongOf(code));
  expect(await readCode(user.id, email)).toBe(code);
  for (let nth = 0; nth < 1; nth += 1) await reset(await stranger(), email, wrongOf(code));
  expect(await reset(await stranger(), email, code)).toMatchObject({ code: "200" });
  await readCode(user.id, email);
  expect(await reset(await stranger(), email, code)).toEqual(failed);
});

test("LOG-10: a known and an unknown email get the same answer, and each queue a job that holds no email", async () => {
  const { user } = await registerUser(site);
  const unknown = `nobody-${randomUUID()}@example.com`;
  const visitor = await stranger();
  const answers = [await ask(visitor, user.email), await ask(visitor, unknown)];
  expect(answers[0]).toMatchObject({ code: "200", status: "true", data: {} });
  expect(answers[1]).toEqual(answers[0]);
  const [known] = await listJobs("reset-code", user.id);
  const [nobody] = await listJobs("reset-code", 0);
  expect(Object.keys(known!).sort()).toEqual(["emailId", "template", "userId"]);
  expect(Object.keys(nobody!).sort()).toEqual(["emailId", "template", "userId"]);
  await sendEmails(site.services)(nobody!);
  const { rows } = await site.pool.query("select 1 from mailbox_messages where recipient = $1", [unknown]);
  expect(rows).toEqual([]);
});

test("LOG-10, SEC-4: three codes an hour need no captcha, whether or not the email has an account; each further one needs a harder one", async () => {
  const { user } = await registerUser(site);
  for (const email of [user.email, `nobody-${randomUUID()}@example.com`]) {
    const answers = [];
    for (let nth = 0; nth < 5; nth += 1) answers.push(await ask(await stranger(), email));
    expect(answers.map(({ code }) => code)).toEqual(["200", "200", "200", "403", "403"]);
    expect(answers[4]).toMatchObject({ error: "captcha_dearer", effort: 4 });
  }
  expect(await listJobs("reset-code", user.id)).toHaveLength(3);
  const owner = await stranger();
  const captcha = await owner.solveCaptcha("reset", 4);
  expect(await owner.post("/api/password/email", { email: user.email, captcha })).toMatchObject({ code: "200" });
  site.clock.advance(61 * MINUTE);
  expect(await ask(await stranger(), user.email)).toMatchObject({ code: "200" });
});

test("LOG-10: codes and passwords are stored only as hashes, and the log contains neither", async () => {
  const { user, email, code } = await openCode();
  await reset(await stranger(), email, code);
  await logIn(email, "a wrong password of mine");
  const { rows } = await site.pool.query(
    `select (select string_agg(r::text, ' ') from reset_codes r) || (select string_agg(u::text, ' ') from users u) ||
       (select string_agg(s::text, ' ') from sessions s) || (select string_agg(j::text, ' ') from pgboss.job j) ||
       (select string_agg(l::text, ' ') from rate_limits l) as everything`,
  );
  const token = (await registerUser(site)).visitor.cookies.get("session")!;
  const log = lines.join("");
  expect(log.length).toBeGreaterThan(1000);
  for (const secret of [code, PASSWORD, NEW_PASSWORD, "a wrong password of mine", token]) {
    expect(rows[0].everything).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
  expect(log).not.toContain(email);
  expect(user.id).toBeGreaterThan(0);
});
