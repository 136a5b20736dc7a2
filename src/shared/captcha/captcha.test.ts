import Fastify from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readConfig } from "#shared/config/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { createAltcha } from "./altcha.ts";
import { captchaActions, forgetOldCaptchaUses, spendCaptcha } from "./captcha.ts";
import { createCaptcha } from "./create-captcha.ts";
import { captchaRoutes } from "./routes.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const now = new Date("2026-11-21T03:00:00Z");

async function spendAtOnce(database: Database, times: number): Promise<number> {
  const spends = Array.from({ length: times }, () =>
    database.transaction().execute((transaction) => spendCaptcha(transaction, "one-nonce", now)),
  );
  return (await Promise.all(spends)).filter((isFirst) => isFirst).length;
}

test("API-12: of fifty simultaneous transactions that use one captcha, exactly one succeeds", async () => {
  expect(await spendAtOnce(db.database, 50)).toBe(1);
});

test("API-12: negative control: without the unique key more than one of the fifty succeeds", async () => {
  const unguarded = await createTestDatabase();
  try {
    await unguarded.pool.query("alter table captcha_uses drop constraint captcha_uses_pkey");
    expect(await spendAtOnce(unguarded.database, 50)).toBeGreaterThan(1);
  } finally {
    await unguarded.stop();
  }
});

test("API-12: a transaction that rolls back frees the captcha", async () => {
  const undone = db.database.transaction().execute(async (transaction) => {
    expect(await spendCaptcha(transaction, "given-back", now)).toBe(true);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await spendCaptcha(db.database, "given-back", now)).toBe(true);
  expect(await spendCaptcha(db.database, "given-back", now)).toBe(false);
});

test("API-12: uses are deleted after a day, long after their captchas expired", async () => {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  await spendCaptcha(db.database, "yesterday", hoursAgo(25));
  await spendCaptcha(db.database, "today", hoursAgo(23));
  expect(await forgetOldCaptchaUses(db.database, now)).toBe(1);
  expect(await spendCaptcha(db.database, "today", now)).toBe(false);
});

function serverWith(environment: Record<string, string>, effort = 1) {
  const settings = { SECRET_KEY: "a secret key of thirty-two characters", CAPTCHA_COST: "1", ...environment };
  const config = readConfig(settings);
  const captcha = createCaptcha(config, { warn: vi.fn() });
  const work = createAltcha({ cost: 1, secretKey: config.secretKey });
  const server = Fastify();
  server.register(captchaRoutes, { captcha, work, findEffort: async () => effort, now: () => new Date() });
  return { server, captcha };
}

test("API-12: GET /captcha returns a solvable challenge in the widget's format, without storing it", async () => {
  const { server, captcha } = serverWith({});
  const answer = await server.inject("/captcha");
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["content-type"]).toContain("application/json");
  expect(answer.json()).toMatchObject({ parameters: { cost: 1, data: { action: "donate", effort: 1 } } });
  const token = await solveCaptcha(answer.json());
  const verdict = await captcha.verify(token, { action: "donate", address: "192.0.2.1", now: new Date() });
  expect(verdict).toMatchObject({ ok: true });
});

test("API-12: a captcha that was asked for without an action serves every form that always needs one", async () => {
  const { server, captcha } = serverWith({}, 16);
  const challenge = (await server.inject("/captcha")).json();
  expect(challenge.parameters.data.effort, "as much work as any form needs").toBe(16);
  const token = await solveCaptcha(challenge);
  const context = { address: "192.0.2.1", now: new Date() };
  const verdicts = captchaActions.map(async (action) => ({
    action,
    ...(await captcha.verify(token, { ...context, action })),
  }));
  expect((await Promise.all(verdicts)).filter(({ ok }) => ok).map(({ action }) => action)).toEqual([
    "donate",
    "contact",
    "register",
    "volunteer",
    "tickets",
  ]);
});

test("API-12: a challenge is signed for one action, and unknown actions get none", async () => {
  const { server, captcha } = serverWith({}, 4);
  const answer = await server.inject("/captcha?action=contact");
  expect(answer.json(), "a guard on payments does not make messages harder").toMatchObject({
    parameters: { data: { action: "contact", effort: 1 } },
  });
  const token = await solveCaptcha(answer.json());
  const context = { address: "192.0.2.1", now: new Date() };
  expect(await captcha.verify(token, { ...context, action: "contact" })).toMatchObject({ ok: true });
  expect(await captcha.verify(token, { ...context, action: "donate" })).toEqual({ ok: false, reason: "invalid" });
  expect((await server.inject("/captcha?action=anything")).statusCode).not.toBe(200);
});

test("DON-25, SEC-4: GET /captcha returns the requested effort, and a harder challenge for payments while cards are guarded", async () => {
  const { server } = serverWith({}, 16);
  const effortOf = async (query: string) => (await server.inject(`/captcha?${query}`)).json().parameters.data.effort;
  expect(await effortOf("action=donate")).toBe(16);
  expect(await effortOf("action=tickets&effort=2")).toBe(16);
  expect(await effortOf("action=donate&effort=32")).toBe(32);
  expect(await effortOf("action=login&effort=8")).toBe(8);
  for (const nonsense of ["0", "-1", "x", "NaN", ""]) expect(await effortOf(`action=login&effort=${nonsense}`)).toBe(1);
  for (const huge of ["33", "1e9", "Infinity"]) expect(await effortOf(`action=login&effort=${huge}`)).toBe(32);
});

test("API-12, SEC-4: with another provider GET /captcha serves only captchas asked for on suspicion", async () => {
  const keys = { CAPTCHA_PROVIDER: "turnstile", CAPTCHA_SITE_KEY: "site", CAPTCHA_SECRET_KEY: "secret" };
  const { server, captcha } = serverWith(keys);
  expect((await server.inject("/captcha")).statusCode).not.toBe(200);
  for (const action of ["login", "reset", "hold"]) {
    expect((await server.inject(`/captcha?action=${action}`)).statusCode).toBe(200);
  }
  expect(captcha.publicConfig()).toMatchObject({ provider: "turnstile", siteKey: "site" });
});
