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
  await requirePaymentMode(db.database, "simulated");
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await requirePaymentMode(db.database, "simulated");
  await expect(requirePaymentMode(db.database, "live")).rejects.toThrow(
    "PAYMENTS=live needs an empty database: this one holds simulated payments.",
  );
});

test("SEC-3: payments of an unknown kind count as simulated", async () => {
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await expect(requirePaymentMode(db.database, "live")).rejects.toThrow("holds simulated payments");
});

test("SEC-3: a database with real payments takes no simulated ones", async () => {
  await requirePaymentMode(db.database, "live");
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await requirePaymentMode(db.database, "live");
  await expect(requirePaymentMode(db.database, "simulated")).rejects.toThrow("This database holds real payments.");
});

test("SEC-3: a database without a payment may change from simulated to live", async () => {
  await requirePaymentMode(db.database, "simulated");
  await requirePaymentMode(db.database, "live");
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await requirePaymentMode(db.database, "live");
});

test("SETUP-1: a site whose payments are off takes over no payments, and goes live in the same database", async () => {
  await requirePaymentMode(db.database, "off");
  await requirePaymentMode(db.database, "live");
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await expect(requirePaymentMode(db.database, "off")).rejects.toThrow("This database holds real payments.");
});

test("SETUP-1: a database with simulated payments, such as a demo's, is refused by a site that is being set up", async () => {
  await requirePaymentMode(db.database, "simulated");
  await makeAttempt(db.database, await makeDonation(db.database), {});
  await expect(requirePaymentMode(db.database, "off")).rejects.toThrow("PAYMENTS=off needs an empty database");
});
