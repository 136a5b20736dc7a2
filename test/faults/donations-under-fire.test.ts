import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { crashPoints, refundCrashPoints } from "#payments/crash-points.ts";
import { testCards, tokenise } from "#simulators/control.ts";
import { type House, runUnderFire } from "./donations-under-fire.ts";
import type { Gift } from "./donor.ts";
import { startForgetfulProvider } from "./forgetful-provider.ts";

/** Two to three times what it takes on two busy cores: what is to be quick has limits of its own. */
const patient = 300_000;
/** Nobody is killed and nothing fails: what a twin shows is then its own doing. */
const calm = { seed: 7, donations: 4, clients: 2 };

test(
  "DON-22, REL-1: nothing is lost, charged twice or charged in vain while server, database and provider fail",
  async () => {
    const report = await runUnderFire({
      seed: 20_261_121,
      donations: 60,
      clients: 8,
      payPalShare: 0.4,
      refundShare: 0.2,
      fire: { killEveryMs: 800, databaseRestarts: 1, rounds: 1 },
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
    // Most donors come back until it is done; how many depends on how long the machine takes to start a server again.
    expect(report.succeeded).toBeGreaterThan(report.gifts / 2);
  },
  patient,
);

test(
  "DON-22: with a provider that forgets keys and tokens the same harness sees the double charges",
  async () => {
    const { breaches, gifts } = await runUnderFire({ ...calm, standBetween: startForgetfulProvider });
    expect(breaches.chargedTwice).toHaveLength(gifts);
    expect(Object.keys(breaches)).toContain("the provider's books, the ledger and the donations differ");
  },
  patient,
);

test(
  "DON-22: the same harness sees a planted charge, a lost donation, a lost letter and a wrong word to a donor",
  async () => {
    const { breaches } = await runUnderFire({ ...calm, tamper: plantBreaches });
    expect(Object.keys(breaches).sort()).toEqual(
      [
        "answered with an id that is not on the books",
        "charged another amount than the donor saw",
        "chargedWithoutDonation",
        "letters that are not one for each success",
        "secrets in the log",
        "the provider's books, the ledger and the donations differ",
        "told of a success that is lost",
        "told that it failed while the provider holds the money",
        "told two different outcomes",
      ].sort(),
    );
  },
  patient,
);

/** What no honest run can hold, each in one place. */
async function plantBreaches({ simulator, database, logFile }: House, gifts: Gift[]) {
  const [first, second, third] = gifts as [Gift, Gift, Gift];
  await chargeBehindOurBack(simulator.paywayUrl);
  first.told.unshift("failed");
  gifts[1] = { ...second, totalCents: second.totalCents + 1 };
  gifts.push({ ...third, key: randomUUID(), id: randomUUID() });
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
