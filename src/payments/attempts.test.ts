import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { findAttempt, moveAttempt } from "./attempts.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

test("REL-1, REL-3: of two moves that start from the same version of a payment only one is made, even if the state stays the same", async () => {
  const { database } = db;
  const donationId = await makeDonation(database);
  const state = { state: "partially_refunded", provider_transaction_id: "1", settled_at: new Date() } as const;
  const seen = (await findAttempt(database, await makeAttempt(database, donationId, { ...state, lease_until: null })))!;
  const move = () => moveAttempt(database, seen, "partially_refunded", { actor: "refund", now: new Date() });
  expect(await move()).toMatchObject({ state_version: seen.state_version + 1 });
  expect(await move()).toBeNull();
});
