import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { crashPoints, refundCrashPoints } from "#payments/crash-points.ts";
import { testCards, tokenise } from "#simulators/control.ts";
import { type Environment, runChaos } from "./donations-chaos.ts";
import type { SentDonation } from "./donor.ts";
import { startForgetfulProvider } from "./forgetful-provider.ts";

/** Two to three times what it takes on two busy cores; anything that must be quick has its own limit. */
/** Without kills and faults, so that what a negative control shows is its own doing. */
const calm = { seed: 7, donations: 4, clients: 2 };

test("DON-22, REL-1: nothing is lost, charged twice or charged in vain while server, database and provider fail", async () => {
  const report = await runChaos({
    seed: 20_261_121,
    donations: 60,
    clients: 8,
    payPalShare: 0.4,
    refundShare: 0.2,
    chaos: { killEveryMs: 800, databaseRestarts: 1, rounds: 1 },
  });
  expect(report.breaches).toEqual({});
  expect(report.settledMs).toBeLessThan(60_000);
  expect(report.drainedMs).toBeLessThan(60_000);
  for (const point of [...crashPoints, ...refundCrashPoints]) {
    if (point !== "refund_requested") expect(report.deaths[point], point).toBeGreaterThan(0);
  }
  expect(report.refunds).toBeGreaterThan(5);
  expect(report.webhooks).toBeGreaterThan(0);
  expect(report.deaths.random).toBeGreaterThan(0);
  expect(report.databaseRestarts).toBe(1);
  expect(report.faultyCalls).toBeGreaterThan(0);
  // Most donors come back until it is done; how many depends on how fast the machine restarts a server.
  expect(report.succeeded).toBeGreaterThan(report.donations / 2);
});

test("DON-22: with a provider that forgets keys and tokens the same harness sees the double charges", async () => {
  const { breaches, donations } = await runChaos({ ...calm, openProxy: startForgetfulProvider });
  expect(breaches.chargedTwice).toHaveLength(donations);
  expect(Object.keys(breaches)).toContain("the provider's books, the ledger and the donations differ");
});

test("DON-22: the same harness sees a planted charge, a lost donation, a lost email and a wrong word to a donor", async () => {
  const { breaches } = await runChaos({ ...calm, tamper: plantBreaches });
  expect(Object.keys(breaches).sort()).toEqual(
    [
      "answered with an id that is not on the books",
      "charged a different amount from what the donor saw",
      "chargedWithoutDonation",
      "emails that are not one for each success",
      "secrets in the log",
      "the provider's books, the ledger and the donations differ",
      "told of a success that was lost",
      "told that it failed while the provider holds the money",
      "told two different outcomes",
    ].sort(),
  );
});

/** Faults that no honest run has, one of each kind. */
async function plantBreaches({ simulator, database, logFile }: Environment, donations: SentDonation[]) {
  const [first, second, third] = donations as [SentDonation, SentDonation, SentDonation];
  await chargeBehindOurBack(simulator.paywayUrl);
  first.told.unshift("failed");
  donations[1] = { ...second, totalCents: second.totalCents + 1 };
  donations.push({ ...third, key: randomUUID(), id: randomUUID() });
  await database.deleteFrom("mailbox_messages").where("recipient", "=", third.email).execute();
  appendFileSync(logFile, `{"msg":"sent to ${third.email}"}\n{"msg":"token ${first.instrument}"}\n`);
}

async function chargeBehindOurBack(paywayUrl: string) {
  const response = await fetch(`${paywayUrl}/transactions`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("T10000_SEC_simulator:")}` },
    body: new URLSearchParams({
      singleUseTokenId: await tokenise(paywayUrl, testCards.approved),
      customerNumber: "NOBODY",
      transactionType: "payment",
      principalAmount: "12.34",
      currency: "aud",
      orderNumber: "NOBODY",
      merchantId: "TEST",
      customerIpAddress: "203.0.113.9",
    }),
  });
  expect(response.status).toBe(201);
}
