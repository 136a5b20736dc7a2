import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MADE_PASSWORD, makeUser } from "#database/factories.ts";
import { PASSWORD, registerUser } from "#test/accounts.ts";
import { longTest } from "#test/long-test.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const MINUTE = 60_000;
let place = 0;
/** A visitor at a new network address. */
const stranger = () => {
  place += 1;
  return site.visitor(`198.51.${100 + Math.floor(place / 250)}.${place % 250}`);
};

async function logIn(visitor: Visitor, email: string, password = PASSWORD, captcha?: string) {
  const response = await visitor.ask({
    method: "POST",
    url: "/api/login",
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ email, password, captcha }),
  });
  return { status: response.statusCode, headers: response.headers, cookies: response.cookies, ...response.json() };
}
const codeOf = async (visitor: Visitor, email: string, password?: string) =>
  Number((await logIn(visitor, email, password)).code);

test("API-7, LOG-18: a log-in answers the number 200 and the user, and ignores the case of the email", async () => {
  const { user } = await registerUser(site);
  const answer = await logIn(await stranger(), user.email.toUpperCase());
  expect(answer).toMatchObject({
    code: 200,
    status: "true",
    data: { user_id: user.id, email: user.email, prefered_contact: "SMS", postal_code: "2144", city: "" },
  });
});

test("LOG-5: a wrong password and an unknown email get the same answer", async () => {
  const { user } = await registerUser(site);
  const visitor = await stranger();
  const told = [];
  for (const email of [user.email, `nobody-${randomUUID()}@example.com`]) {
    const { headers, ...answer } = await logIn(visitor, email, "wrong password");
    const { date: _, ...sent } = headers;
    told.push({ ...answer, sent });
  }
  expect(told[0]).toMatchObject({
    code: "401",
    status: "false",
    error: "login_failed",
    message: "Email or password is incorrect.",
  });
  expect(told[1]).toEqual(told[0]);
});

test("LOG-2: a password of less than 8 or more than 128 characters is refused before anything is counted", async () => {
  const answer = await logIn(await stranger(), "amina@example.com", "1234567");
  expect(answer.data.password).toEqual(["Please enter a password with at least 8 characters."]);
});

test("LOG-17: a log-in makes a new token, and the browser's former session ends", async () => {
  const { visitor, user } = await registerUser(site);
  const planted = visitor.cookies.get("session");
  expect(await codeOf(visitor, user.email)).toBe(200);
  expect(visitor.cookies.get("session")).not.toBe(planted);
  const old = await site.app.inject({ url: "/api/sessions", cookies: { session: String(planted) } });
  expect(old.statusCode).toBe(401);
  const unknown = "a".repeat(43);
  visitor.cookies.set("session", unknown);
  await visitor.ask({ url: "/api/checkout" });
  await codeOf(visitor, user.email);
  expect(visitor.cookies.get("session")).not.toBe(unknown);
});

test("LOG-17: a password kept with other parameters is rehashed at log-in", async () => {
  const { id, email } = await makeUser(site.database);
  expect(await codeOf(await stranger(), email, MADE_PASSWORD)).toBe(200);
  const { rows } = await site.pool.query("select password_hash from users where id = $1", [id]);
  expect(rows[0].password_hash).toContain("$m=19456,t=2,p=1$");
  expect(await codeOf(await stranger(), email, MADE_PASSWORD)).toBe(200);
});

test("LOG-17: differently composed characters are the same password", async () => {
  const { user } = await registerUser(site, undefined, { password: "caf\u00e9 caf\u00e9" });
  expect(await codeOf(await stranger(), user.email, "cafe\u0301 cafe\u0301")).toBe(200);
});

test("LOG-16: logging out ends the session on the server too, and doing it twice is no error", async () => {
  const { visitor } = await registerUser(site);
  const token = String(visitor.cookies.get("session"));
  expect(await visitor.post("/api/logout", {})).toMatchObject({ code: "200" });
  expect([visitor.cookies.has("session"), visitor.cookies.has("user")]).toEqual([false, false]);
  expect((await site.app.inject({ url: "/api/sessions", cookies: { session: token } })).statusCode).toBe(401);
  expect(await visitor.post("/api/logout", {})).toMatchObject({ code: "200" });
});

longTest(
  "LOG-5: of 30 guesses from one address, ten need no captcha, whether or not the account exists; a quarter of an hour later ten more do not",
  async () => {
    const { user } = await registerUser(site);
    const counts = [];
    for (const email of [user.email, `nobody-${randomUUID()}@example.com`]) {
      const guesser = await stranger();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, nth) => logIn(guesser, email, `guess number ${nth}`)),
      );
      const refusal = answers.find(({ code }) => code === "403");
      expect(refusal).toMatchObject({ error: "captcha_dearer", effort: 4 });
      counts.push(answers.filter(({ code }) => code === "401").length);
    }
    expect(counts).toEqual([10, 10]);
    site.clock.advance(14 * MINUTE);
    expect(await codeOf(await stranger(), user.email, "wrong password")).toBe(403);
    site.clock.advance(2 * MINUTE);
    expect(await codeOf(await stranger(), user.email, "wrong password")).toBe(401);
  },
);

test("LOG-5: of 60 guesses from 60 addresses, ten need no captcha, and the owner's known device still logs in", async () => {
  const { visitor: owner, user } = await registerUser(site, await stranger());
  await owner.post("/api/logout", {});
  const guessers = await Promise.all(Array.from({ length: 60 }, stranger));
  const codes = await Promise.all(guessers.map((guesser, nth) => codeOf(guesser, user.email, `guess number ${nth}`)));
  expect(codes.filter((code) => code === 401)).toHaveLength(10);
  expect(codes.filter((code) => code === 403)).toHaveLength(50);
  expect(await codeOf(await stranger(), user.email)).toBe(403);
  expect(await codeOf(owner, user.email)).toBe(200);
});

test("LOG-5: no 15 minutes allow more than ten guesses without a captcha, whenever they begin", async () => {
  const { user } = await registerUser(site);
  const guess = async () => codeOf(await stranger(), user.email, "wrong password");
  expect(await guess()).toBe(401);
  site.clock.advance(14 * MINUTE);
  for (let nth = 0; nth < 9; nth += 1) expect(await guess()).toBe(401);
  site.clock.advance(2 * MINUTE);
  expect(await guess()).toBe(403);
});

test("LOG-5: a known device has a separate limit of ten tries, which a right password resets", async () => {
  const { visitor, user } = await registerUser(site, await stranger());
  for (const round of [1, 2]) {
    for (let nth = 0; nth < 9; nth += 1) expect(await codeOf(visitor, user.email, `wrong ${round} ${nth}`)).toBe(401);
    expect(await codeOf(visitor, user.email)).toBe(200);
  }
  for (let nth = 0; nth < 10; nth += 1) expect(await codeOf(visitor, user.email, "wrong password")).toBe(401);
  expect(await codeOf(visitor, user.email)).toBe(429);
});

test("LOG-5: a log-in by the owner from elsewhere gives a guesser no more tries", async () => {
  const { user } = await registerUser(site);
  for (let nth = 0; nth < 9; nth += 1) expect(await codeOf(await stranger(), user.email, "wrong password")).toBe(401);
  expect(await codeOf(await stranger(), user.email)).toBe(200);
  expect(await codeOf(await stranger(), user.email, "wrong password")).toBe(401);
  expect(await codeOf(await stranger(), user.email, "wrong password")).toBe(403);
});

longTest("SEC-4, LOG-5: each guess beyond ten needs a harder captcha; an easier or used one is refused", async () => {
  const { user } = await registerUser(site);
  const efforts: number[] = [];
  let used: string | undefined;
  for (let nth = 0; nth < 30; nth += 1) {
    const guesser = await stranger();
    const { effort, code } = await logIn(guesser, user.email, "wrong password");
    if (effort === undefined) expect(code).toBe("401");
    else {
      efforts.push(effort);
      const cheap = await guesser.solveCaptcha("login", effort / 2);
      expect(await logIn(guesser, user.email, "wrong password", cheap)).toMatchObject({ code: "403", effort });
      used = await guesser.solveCaptcha("login", effort);
      expect(await logIn(guesser, user.email, "wrong password", used)).toMatchObject({ code: "401" });
    }
  }
  expect(efforts).toEqual([4, 8, 16, 32].flatMap((effort) => Array(5).fill(effort)));
  const owner = await stranger();
  expect((await logIn(owner, user.email, PASSWORD, used)).error).toBe("captcha_failed");
  expect(await logIn(owner, user.email, PASSWORD, await owner.solveCaptcha("login", 32))).toMatchObject({ code: 200 });
});

test("LOG-5: a device is known to one account, and nobody can make it known to another", async () => {
  const [one, other] = [await registerUser(site), await registerUser(site)];
  for (let nth = 0; nth < 10; nth += 1) await codeOf(await stranger(), other.user.email, "wrong password");
  expect(await codeOf(one.visitor, other.user.email)).toBe(403);
  const [name] = String(one.visitor.cookies.get("device")).split(".");
  const [, signature] = String(other.visitor.cookies.get("device")).split(".");
  one.visitor.cookies.set("device", `${name}.${signature}`);
  expect(await codeOf(one.visitor, other.user.email)).toBe(403);
});

longTest(
  "LOG-5: one network address has fifty guesses for all accounts together; right passwords do not count",
  async () => {
    const guesser = await stranger();
    const { user } = await registerUser(site);
    for (let nth = 0; nth < 3; nth += 1) {
      expect(await codeOf(guesser, user.email)).toBe(200);
      guesser.cookies.delete("device");
    }
    const codes: number[] = [];
    for (let batch = 0; batch < 3; batch += 1) {
      const guesses = Array.from({ length: 20 }, () =>
        codeOf(guesser, `nobody-${randomUUID()}@example.com`, "12345678"),
      );
      codes.push(...(await Promise.all(guesses)));
    }
    expect(codes.filter((code) => code === 401)).toHaveLength(50);
    expect(codes.filter((code) => code === 429)).toHaveLength(10);
  },
);

test("LOG-5: 32 passwords are checked at the same time; further log-ins are refused as busy and not counted", async () => {
  const { user } = await registerUser(site);
  const visitors = await Promise.all(Array.from({ length: 60 }, stranger));
  const answers = await Promise.all(
    visitors.map((visitor, nth) => logIn(visitor, `nobody-${nth}-${randomUUID()}@example.com`, "wrong password")),
  );
  const busy = answers.filter(({ code }) => code === "503");
  expect(busy.length).toBeGreaterThan(0);
  for (const { headers } of busy) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(answers.filter(({ code }) => code === "401").length).toBeGreaterThanOrEqual(32);
  expect(busy.length + answers.filter(({ code }) => code === "401").length).toBe(60);
  expect(await codeOf(await stranger(), user.email)).toBe(200);
});
