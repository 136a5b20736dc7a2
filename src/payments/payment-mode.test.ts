import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { requirePaymentMode } from "./payment-mode.ts";

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.stop());

test("SEC-3: a database with simulated payments takes no real ones", async () => {
  await requirePaymentMode(db.database, false);
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await requirePaymentMode(db.database, false);
  await expect(requirePaymentMode(db.database, true)).rejects.toThrow(
    "PAYMENTS=live needs an empty database: this one holds simulated payments.",
  );
});

test("SEC-3: payments of an unknown kind count as simulated", async () => {
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await expect(requirePaymentMode(db.database, true)).rejects.toThrow("holds simulated payments");
});

test("SEC-3: a database with real payments takes no simulated ones", async () => {
  await requirePaymentMode(db.database, true);
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await requirePaymentMode(db.database, true);
  await expect(requirePaymentMode(db.database, false)).rejects.toThrow("This database holds real payments.");
});

test("SEC-3: a database without a payment may change from simulated to live", async () => {
  await requirePaymentMode(db.database, false);
  await requirePaymentMode(db.database, true);
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await requirePaymentMode(db.database, true);
});
