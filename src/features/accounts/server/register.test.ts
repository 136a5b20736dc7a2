import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, registerUser, registration } from "#test/accounts.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

/** What the page sends, under the wire's names. */
function wire(changes: Record<string, unknown> = {}) {
  return {
    first_name: "Amina",
    last_name: "Raza",
    postal_code: "2144",
    mobile: "61400000000",
    email: `amina-${randomUUID()}@example.com`,
    city: "Not required",
    country: "Australia",
    state: "New South Wales",
    password: PASSWORD,
    prefered_contact: "SMS",
    ...changes,
  };
}

async function send(visitor: Visitor, changes: Record<string, unknown> = {}) {
  const captcha = "captcha" in changes ? {} : { captcha: await visitor.solveCaptcha("register") };
  return visitor.post("/api/user/create", { ...wire(changes), ...captcha });
}

const countUsers = async () => Number((await site.pool.query("select count(*) from users")).rows[0].count);
const findUser = async (email: string) =>
  (await site.pool.query("select * from users where lower(email) = lower($1)", [email])).rows[0];

test("API-3, LOG-18, LOG-15: a registration answers the user under the wire's names and begins a session", async () => {
  const visitor = await site.visitor();
  const body = wire({ email: `Amina.${randomUUID()}@Example.com` });
  const answer = await send(visitor, body);
  const { password: _, ...told } = body;
  expect(answer).toMatchObject({
    code: "200",
    status: "true",
    data: { ...told, city: "", user_id: expect.any(Number) },
  });
  expect(JSON.stringify(answer)).not.toContain(PASSWORD);
  const own = await visitor.post("/api/user", { user_id: answer.data.user_id });
  expect(own.data).toEqual(answer.data);
  const kept = await findUser(body.email);
  expect(kept.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(kept).toMatchObject({ city: "", email: body.email, email_verified_at: null });
});

test("API-12: without a captcha 422, with a wrong, reused or another action's 403, and nobody is registered", async () => {
  const visitor = await site.visitor();
  const before = await countUsers();
  expect(await send(visitor, { captcha: undefined })).toMatchObject({
    code: "422",
    error: "captcha_required",
    data: { captcha: ["Please complete the verification."] },
  });
  for (const captcha of ["c29tZXRoaW5n", await visitor.solveCaptcha("contact")]) {
    expect(await send(visitor, { captcha })).toMatchObject({ code: "403", error: "captcha_failed" });
  }
  const captcha = await visitor.solveCaptcha("register");
  expect(await send(visitor, { captcha })).toMatchObject({ code: "200" });
  expect(await send(visitor, { captcha })).toMatchObject({ code: "403", error: "captcha_failed" });
  expect(await countUsers()).toBe(before + 1);
});

test("API-12: a captcha is spent even if the email is taken, so it reveals only one", async () => {
  const { user, visitor } = await registerUser(site);
  const captcha = await visitor.solveCaptcha("register");
  expect(await send(visitor, { captcha, email: user.email })).toMatchObject({ code: "422" });
  expect(await send(visitor, { captcha })).toMatchObject({ code: "403", error: "captcha_failed" });
});

test.each([
  [{ first_name: " " }, "first_name", "First Name is required"],
  [{ last_name: "" }, "last_name", "Last Name is required"],
  [{ email: "amina@" }, "email", "Invalid email format"],
  [{ email: "" }, "email", "Email is required"],
  [{ postal_code: "" }, "postal_code", "Post Code is required"],
  [{ password: "1234567" }, "password", "Password is required and must be at least 8 characters long."],
  [{ password: "x".repeat(129) }, "password", "Please enter a password of at most 128 characters."],
  [{ country: "Atlantis" }, "country", "Choose a country from the list"],
  [{ state: "Punjab" }, "state", "Choose one of this country’s states from the list"],
  [{ mobile: "61 0" }, "mobile", "Enter the mobile number in digits, starting with the country’s dial code"],
  [{ mobile: "610123" }, "mobile", "Enter a mobile number of 6 to 14 digits"],
])("LOG-12, LOG-2: %o is refused at its field", async (changes, field, sentence) => {
  const answer = await send(await site.visitor(), changes);
  expect(answer).toMatchObject({ code: "422", error: "invalid_input" });
  expect(answer.data[field][0]).toBe(sentence);
});

test("LOG-12: in a country without states, any text is accepted as the state", async () => {
  const { rows } = await site.pool.query(
    "select name from countries where id not in (select country_id from states) limit 1",
  );
  const country = rows[0].name;
  expect(await send(await site.visitor(), { country, state: country })).toMatchObject({ code: "200" });
});

test.each([
  ["+61400000001", "61400000001"],
  ["610400000001", "61400000001"],
  ["61400000001", "61400000001"],
  ["555000111", "555000111"],
])("LOG-18: a mobile number sent as %s is kept as %s", async (mobile, kept) => {
  expect(await send(await site.visitor(), { mobile })).toMatchObject({ code: "200", data: { mobile: kept } });
});

test("LOG-13: a number unlikely for the country gets a hint but is accepted", async () => {
  const visitor = await site.visitor();
  const check = async (mobile: string, country = "Australia") =>
    (await visitor.post("/api/mobile-check", { mobile, country })).data.isLikely;
  expect(await check("61400000001")).toBe(true);
  expect(await check("610400000001")).toBe(true);
  expect(await check("923001234567", "Pakistan")).toBe(true);
  expect(await check("61123")).toBeUndefined();
  expect(await check("61123456")).toBe(false);
  expect(await check("923001234567")).toBe(false);
  expect(await send(visitor, { mobile: "61123456" })).toMatchObject({ code: "200" });
});

test("LOG-15: an email that is taken, in upper or lower case, is an error at the field email", async () => {
  const { user } = await registerUser(site);
  const answer = await send(await site.visitor(), { email: user.email.toUpperCase() });
  expect(answer).toMatchObject({
    code: "422",
    data: { email: ["This email address already has an account. Log in, or reset your password."] },
  });
});

test("LOG-15: of 50 concurrent registrations of one email, one succeeds and 49 are refused cleanly", async () => {
  const email = `crowd-${randomUUID()}@example.com`;
  const visitors = await Promise.all(Array.from({ length: 50 }, () => site.visitor()));
  const bodies = await Promise.all(
    visitors.map(async (visitor) => wire({ email, captcha: await visitor.solveCaptcha("register") })),
  );
  const answers = await Promise.all(visitors.map((visitor, nth) => visitor.post("/api/user/create", bodies[nth])));
  const refusals = answers.filter(({ code }) => code === "422");
  expect(answers.filter(({ code }) => code === "200")).toHaveLength(1);
  expect(refusals).toHaveLength(49);
  for (const { error, data } of refusals) expect([error, Object.keys(data)]).toEqual(["invalid_input", ["email"]]);
  const { rows } = await site.pool.query(
    `select (select count(*) from users where email = $1) as users,
       (select count(*) from sessions join users on users.id = user_id where email = $1) as sessions,
       (select count(*) from pgboss.job join users on users.id = (data->>'userId')::bigint where email = $1) as emails`,
    [email],
  );
  expect(rows[0]).toEqual({ users: 1, sessions: 1, emails: 1 });
});

test("LOG-18: one network address may open 20 accounts an hour, and others are not affected", async () => {
  const strict = await openTestSite({ LIMITS_ACCOUNTS: "2" });
  try {
    const visitor = await strict.visitor("2001:db8::1");
    for (const _ of [1, 2]) await registerUser(strict, visitor);
    const neighbour = await strict.visitor("2001:db8::2");
    const body = registration({ captcha: await neighbour.solveCaptcha("register") });
    const { preferredContact, firstName, lastName, postcode, ...rest } = body;
    const names = { first_name: firstName, last_name: lastName, postal_code: postcode };
    const response = await neighbour.ask({
      method: "POST",
      url: "/api/user/create",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ ...rest, ...names, prefered_contact: preferredContact }),
    });
    expect(response.statusCode).toBe(429);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(3000);
    expect(response.json().error).toBe("too_many_accounts");
    await registerUser(strict, await strict.visitor("2001:db8:1::1"));
    strict.clock.advance(3_601_000);
    await registerUser(strict, neighbour);
  } finally {
    await strict.close();
  }
});
