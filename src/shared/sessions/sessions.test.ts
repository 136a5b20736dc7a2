import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, registerUser } from "#test/accounts.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const DAY = 86_400_000;
const isLoggedIn = async (visitor: Visitor) => (await visitor.ask({ url: "/api/sessions" })).statusCode === 200;

async function logIn(visitor: Visitor, email: string) {
  const response = await visitor.ask({
    method: "POST",
    url: "/api/login",
    headers: { "content-type": "application/json", "user-agent": "A\u0001 browser" },
    payload: JSON.stringify({ email, password: PASSWORD }),
  });
  return Object.fromEntries(response.cookies.map((cookie) => [cookie.name, cookie]));
}

test("LOG-17: the session's cookie is hidden from scripts and other sites, and has 256 random bits", async () => {
  const { visitor, user } = await registerUser(site);
  const cookies = await logIn(visitor, user.email);
  expect(cookies.session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", maxAge: 90 * 86_400 });
  expect(cookies.session!.value).toMatch(/^[\w-]{43}$/);
  expect(cookies.session).not.toHaveProperty("domain");
  expect(cookies.device).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(cookies.user).toMatchObject({ value: String(user.id), sameSite: "Lax", path: "/" });
  expect(cookies.user).not.toHaveProperty("httpOnly");
});

test("LOG-17: over https the cookies are bound to this host and to https", async () => {
  const secure = await openTestSite({ PUBLIC_URL: "https://give.chashma.example" });
  try {
    const { visitor, user } = await registerUser(secure);
    const cookies = await logIn(visitor, user.email);
    for (const name of ["__Host-session", "__Host-device"]) {
      expect(cookies[name]).toMatchObject({ secure: true, httpOnly: true, path: "/" });
      expect(cookies[name]).not.toHaveProperty("domain");
    }
    expect(cookies.user).toMatchObject({ secure: true });
    expect(await isLoggedIn(visitor)).toBe(true);
    visitor.cookies.set("session", visitor.cookies.get("__Host-session")!);
    visitor.cookies.delete("__Host-session");
    expect(await isLoggedIn(visitor)).toBe(false);
  } finally {
    await secure.close();
  }
});

test("LOG-17: only the hash of a token is stored, and the hint's cookie opens nothing", async () => {
  const { visitor, user } = await registerUser(site);
  const { rows } = await site.pool.query("select encode(token_hash, 'hex') as hash from sessions where user_id = $1", [
    user.id,
  ]);
  expect(rows).toHaveLength(1);
  const stranger = await site.visitor();
  stranger.cookies.set("user", String(user.id));
  expect(await isLoggedIn(stranger)).toBe(false);
  for (const guess of [
    rows[0].hash,
    "",
    "x",
    "a".repeat(43),
    "a".repeat(10_000),
    `${visitor.cookies.get("session")}a`,
  ]) {
    stranger.cookies.set("session", guess);
    expect(await isLoggedIn(stranger), guess).toBe(false);
  }
});

test("LOG-17: a session ends after two weeks without a visit", async () => {
  const { visitor } = await registerUser(site);
  site.clock.advance(13 * DAY);
  expect(await isLoggedIn(visitor)).toBe(true);
  site.clock.advance(13 * DAY);
  expect(await isLoggedIn(visitor)).toBe(true);
  site.clock.advance(14 * DAY + 1000);
  expect(await isLoggedIn(visitor)).toBe(false);
});

test("LOG-17: a session ends after ninety days, however often it is used, and is then deleted", async () => {
  const { visitor, user } = await registerUser(site);
  for (let week = 0; week < 12; week += 1) {
    site.clock.advance(7 * DAY);
    expect(await isLoggedIn(visitor)).toBe(true);
  }
  site.clock.advance(7 * DAY);
  expect(await isLoggedIn(visitor)).toBe(false);
  expect(await site.services.sessions.forgetOld()).toBeGreaterThan(0);
  const { rows } = await site.pool.query("select 1 from sessions where user_id = $1", [user.id]);
  expect(rows).toEqual([]);
});

test("LOG-17: a browser's name for itself is stored without control characters", async () => {
  const { visitor, user } = await registerUser(site);
  await logIn(visitor, user.email);
  const { rows } = await site.pool.query("select device from sessions where user_id = $1", [user.id]);
  expect(rows).toEqual([{ device: "A browser" }]);
});
