import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";

const THANKS = "Thank you. We have your message.";
const HOUR_MS = 3_600_000;

let site: TestSite;
let visitor: Visitor;
let addresses = 0;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());
afterEach(() => site.pool.query("truncate contact_messages; delete from pgboss.job where name = 'emails'"));

async function solve(action = "contact"): Promise<string> {
  return solveCaptcha((await site.app.inject(`/api/captcha?action=${action}`)).json());
}

/** What the page sends, by default from a new sender. */
async function write(changes: Record<string, unknown> = {}, from?: Visitor) {
  addresses += 1;
  visitor = from ?? (await site.visitor(`198.51.100.${addresses}`));
  const body = {
    name: "Sana Malik",
    email: `sana-${addresses}@example.com`,
    phone: "0400 000 000",
    subject: "A school in Tharparkar",
    message: "How many children come to it?",
    key: randomUUID(),
    ...("captcha" in changes ? {} : { captcha: await solve() }),
    ...changes,
  };
  return { body, answer: await visitor.post("/api/contact", body) };
}

const listMessages = () => site.database.selectFrom("contact_messages").selectAll().execute();

async function listJobs(): Promise<string[]> {
  const { rows } = await site.pool.query(
    "select data from pgboss.job where name = 'emails' order by data->>'template'",
  );
  return rows.map(({ data }) => data.template);
}

test("PAGE-7, API-13, REL-2: a message is stored with the two jobs that forward and answer it", async () => {
  const { body, answer } = await write();
  expect(answer).toEqual({ status: "true", code: "200", message: THANKS, data: {} });
  const { captcha: _, key, ...fields } = body;
  const [row, ...more] = await listMessages();
  expect(row).toMatchObject({ ...fields, client_key: key });
  expect(more).toEqual([]);
  expect(await listJobs()).toEqual(["contact-answer", "contact-message"]);
  const { rows } = await site.pool.query("select data from pgboss.job where name = 'emails'");
  expect(rows.map(({ data }) => data.messageId)).toEqual([row!.id, row!.id]);
});

test("PAGE-7: phone and subject may be left out, and a name may be in any script", async () => {
  const { answer } = await write({
    name: " آمنہ رضا ",
    phone: undefined,
    subject: undefined,
    message: "شکریہ 🌱\r\nبہت",
  });
  expect(answer.message).toBe(THANKS);
  expect(await listMessages()).toMatchObject([{ name: "آمنہ رضا", phone: "", subject: "", message: "شکریہ 🌱\nبہت" }]);
});

test.each([
  ["name", "", "Please enter your name."],
  ["name", undefined, "Please enter your name."],
  ["name", "ر".repeat(101), "Please shorten your name to at most 100 characters."],
  ["email", " ", "Please enter your email."],
  ["email", "sana@", "Please enter a valid email address, such as name@example.com."],
  ["email", "a@example.com, b@example.com", "Please enter a valid email address, such as name@example.com."],
  ["phone", "0".repeat(31), "Please shorten the phone number to at most 30 characters."],
  ["subject", "x".repeat(201), "Please shorten the subject to at most 200 characters."],
  ["message", " \n ", "Please enter your message."],
  ["message", 7, "Please enter your message."],
  ["message", "🌱".repeat(5001), "Please shorten your message to at most 5,000 characters."],
])("PAGE-7, API-7: a bad %s is refused with its own message, and nothing is stored", async (field, value, sentence) => {
  const { answer } = await write({ [field]: value });
  expect(answer).toMatchObject({ code: "422", error: "invalid_input", data: { [field]: [sentence] } });
  expect(await listMessages()).toEqual([]);
});

test("PAGE-7: 5,000 characters are counted as people count them", async () => {
  const message = "🌱".repeat(5000);
  expect((await write({ message })).answer.message).toBe(THANKS);
  expect((await listMessages())[0]!.message).toBe(message);
});

test("PAGE-7: control characters, lone surrogates and direction marks are removed", async () => {
  const { answer } = await write({
    name: "Sana\u0000 \u202eMalik",
    subject: "Hello\r\nBcc: all@example.com",
    message: "One\u0000\ud800\u001b[2J\n\tTwo",
  });
  expect(answer.message).toBe(THANKS);
  expect(await listMessages()).toMatchObject([
    { name: "Sana Malik", subject: "Hello Bcc: all@example.com", message: "One[2J\n\tTwo" },
  ]);
});

test("API-12: without a captcha 422, with a wrong, reused or another action's 403, and nothing is kept", async () => {
  expect((await write({ captcha: undefined })).answer).toMatchObject({
    code: "422",
    error: "captcha_required",
    data: { captcha: ["Please complete the verification."] },
  });
  for (const captcha of ["c29tZXRoaW5n", await solve("register")]) {
    expect((await write({ captcha })).answer).toMatchObject({ code: "403", error: "captcha_failed" });
  }
  expect(await listMessages()).toEqual([]);
  const { body } = await write();
  const replay = await write({ captcha: body.captcha });
  expect(replay.answer).toMatchObject({ code: "403", error: "captcha_failed" });
  expect(await listMessages()).toHaveLength(1);
  const payment = await site.give(visitor, { changes: { captcha: await solve() } });
  expect(payment.answer).toMatchObject({ code: "403", error: "captcha_failed" });
});

test("API-8: a message without the page's token is refused", async () => {
  const answer = await site.app.inject({ method: "POST", url: "/api/contact", payload: {} });
  expect(answer.json()).toMatchObject({ code: "403", error: "csrf" });
});

test("PAGE-7: a repeated message, with its captcha spent, gets the same answer and is stored once", async () => {
  const { body } = await write();
  for (const changes of [{}, { captcha: undefined }, { message: "Other words under the same key" }]) {
    expect(await visitor.post("/api/contact", { ...body, ...changes })).toMatchObject({ code: "200", message: THANKS });
  }
  expect(await listMessages()).toMatchObject([{ message: body.message }]);
  expect(await listJobs()).toHaveLength(2);
});

test("PAGE-7, REL-3: ten concurrent copies are one message with two emails", async () => {
  const from = await site.visitor("192.0.2.44");
  const copy = { key: randomUUID(), captcha: await solve(), email: "copies@example.com" };
  const answers = await Promise.all(Array.from({ length: 10 }, () => write(copy, from)));
  expect(answers.map(({ answer }) => answer.message)).toEqual(Array(10).fill(THANKS));
  expect(await listMessages()).toHaveLength(1);
  expect(await listJobs()).toHaveLength(2);
});

test("PAGE-7: a program that fills in the hidden field is thanked, and nothing is stored", async () => {
  const { answer } = await write({ website: "https://buy.example", captcha: undefined });
  expect(answer).toMatchObject({ code: "200", message: THANKS });
  expect(await listMessages()).toEqual([]);
  expect(await listJobs()).toEqual([]);
});

test("PAGE-7, API-11: one network address may send five messages an hour, and the sixth is told when to retry", async () => {
  const from = await site.visitor("2001:db8:1:2::1");
  const neighbour = await site.visitor("2001:db8:1:2:ffff::9");
  for (let count = 0; count < 5; count += 1) expect((await write({}, from)).answer.code).toBe("200");
  const captcha = await solve();
  const sixth = await write({ captcha }, neighbour);
  expect(sixth.answer).toMatchObject({ code: "429", error: "too_many_messages" });
  expect(sixth.answer.message).toContain("call or email us");
  expect(sixth.answer.message).not.toMatch(/charged/);
  const raw = await neighbour.send({
    method: "POST",
    url: "/api/contact",
    body: JSON.stringify(sixth.body),
    headers: {},
  });
  expect(raw.status).toBe(429);
  const response = await site.app.inject({
    method: "POST",
    url: "/api/contact",
    remoteAddress: "2001:db8:1:2::77",
    headers: neighbour.identity,
    payload: sixth.body,
  });
  expect(Number(response.headers["retry-after"])).toBeGreaterThan(3500);
  expect(Number(response.headers["retry-after"])).toBeLessThanOrEqual(3600);
  expect((await write({}, await site.visitor("2001:db8:1:3::1"))).answer.code).toBe("200");
  expect(await listMessages()).toHaveLength(6);
  site.clock.advance(HOUR_MS);
  // The captcha of a refused message was given back, but it is only valid for twenty minutes.
  expect((await write({}, from)).answer.code).toBe("200");
});

test("PAGE-7, SEC-4: three messages an hour with one email need an ordinary captcha and more a harder one, however it is spelt and wherever from", async () => {
  for (const email of ["three@example.com", "Three@Example.com", "THREE@example.com"]) {
    expect((await write({ email })).answer.code).toBe("200");
  }
  const { body, answer } = await write({ email: "three@example.COM" });
  expect(answer).toMatchObject({ code: "403", error: "captcha_dearer", effort: 4 });
  expect(await listMessages()).toHaveLength(3);
  const again = { ...body, captcha: await visitor.solveCaptcha("contact", 4) };
  expect(await visitor.post("/api/contact", again)).toMatchObject({ code: "200" });
  expect(await listJobs(), "one answer an hour to one address").toEqual([
    "contact-answer",
    "contact-message",
    "contact-message",
    "contact-message",
    "contact-message",
  ]);
  site.clock.advance(HOUR_MS);
  expect((await write({ email: "three@example.com" })).answer.code).toBe("200");
  expect((await listJobs()).filter((email) => email === "contact-answer")).toHaveLength(2);
});

test("PAGE-7, REL-3: of twelve different concurrent messages from one address, five are accepted", async () => {
  const from = await site.visitor("192.0.2.55");
  const answers = await Promise.all(Array.from({ length: 12 }, () => write({}, from)));
  const codes = answers.map(({ answer }) => answer.code).sort();
  expect(codes).toEqual([...Array(5).fill("200"), ...Array(7).fill("429")]);
  expect(await listMessages()).toHaveLength(5);
});

test("PAGE-7: the table of limits holds no address and no email", async () => {
  const { body } = await write({ email: "private@example.com" });
  const { rows } = await site.pool.query("select rate_limits::text as row from rate_limits");
  const text = rows.map(({ row }) => row).join("\n");
  expect(text).not.toContain(body.email);
  expect(text).not.toContain("198.51.100");
});
