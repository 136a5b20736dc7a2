import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { forgetUsedChallenges, makeChallenge, spendChallenge } from "./challenges.ts";
import { doesCounterRise, hasPasskeys } from "./passkeys.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const now = new Date("2026-11-22T00:00:00Z");
const site = { secretKey: "a secret of forty characters for the test", purpose: "log in", holder: "one" } as const;
const spend = (challenge: string, changes: Partial<Parameters<typeof spendChallenge>[2]> = {}, at = now) =>
  spendChallenge(db.database, challenge, { ...site, ...changes }, at);

test("LOG-25: a challenge works once, for its purpose and person, under this site's secret, in one encoding", async () => {
  const challenge = makeChallenge(site, now);
  expect(await spend(challenge, { purpose: "add" })).toBe(false);
  expect(await spend(challenge, { holder: "another" })).toBe(false);
  expect(await spend(challenge, { secretKey: "another secret of forty characters here" })).toBe(false);
  for (const spelling of [`${challenge}=`, `${challenge} `, challenge.slice(0, -1), `${challenge}A`, ""]) {
    expect(await spend(spelling)).toBe(false);
  }
  expect(await spend(challenge)).toBe(true);
  expect(await spend(challenge)).toBe(false);
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  expect(await spend(makeChallenge(site, now), {}, later(5))).toBe(false);
  expect(await spend(makeChallenge(site, now), {}, later(4.9))).toBe(true);
  await forgetUsedChallenges(db.database, later(64));
  expect((await db.pool.query("select 1 from used_passkey_challenges")).rowCount).toBe(2);
  await forgetUsedChallenges(db.database, later(66));
  expect((await db.pool.query("select 1 from used_passkey_challenges")).rowCount).toBe(0);
});

test("LOG-24: pages offer passkeys if the site's host is a name", () => {
  const offered = ["https://give.example.org", "http://localhost:3000", "https://1.example.org"];
  const refused = ["http://127.0.0.1:3000", "http://[::1]:3000", "https://203.0.113.7"];
  for (const publicUrl of offered) expect(hasPasskeys({ publicUrl }), publicUrl).toBe(true);
  for (const publicUrl of refused) expect(hasPasskeys({ publicUrl }), publicUrl).toBe(false);
});

test("LOG-25: a counter must rise, or stay at 0", () => {
  const right = [
    [0, 0],
    [0, 1],
    [1, 2],
    [7, 4_000_000_000],
  ] as const;
  const wrong = [
    [1, 1],
    [2, 1],
    [1, 0],
  ] as const;
  for (const [kept, sent] of right) expect(doesCounterRise(kept, sent), `${kept} ${sent}`).toBe(true);
  for (const [kept, sent] of wrong) expect(doesCounterRise(kept, sent), `${kept} ${sent}`).toBe(false);
});
