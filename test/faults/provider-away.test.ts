import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSimulators, startSimulators } from "#simulators/start.ts";
import { longTest } from "#test/long-test.ts";
import { newKey, openTestSite, type TestSite, wirePayment, wirePayPalPayment } from "#test/site.ts";

const probeMs = 1000;
let dataDir: string;
let port: number;
/** The card provider has its own simulator, which can stop while PayPal's keeps running. */
let cards: RunningSimulators;
let site: TestSite;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "provider-away-"));
  port = await findFreePort();
  cards = await startSimulators({ port, dataDir });
  site = await openTestSite({
    PAYWAY_URL: `${cards.url}/payway/rest/v1`,
    CIRCUIT_FAILURES: "3",
    CIRCUIT_PROBE_MS: String(probeMs),
    LIMITS_DECLINES: "1000",
  });
});
afterAll(async () => {
  await site.close();
  await cards.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port: free } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

const checkout = async () => (await site.app.inject("/api/checkout")).json().data;
const countDonations = async () => (await site.pool.query("select count(*) from donations")).rows[0].count;
const metric = async (provider: string) =>
  new RegExp(`^provider_away\\{provider="${provider}"\\} (\\d)$`, "m").exec(
    (await site.app.inject("/metrics")).body,
  )?.[1];

test("REL-1: while the card provider is down three payments fail, the next are refused unrecorded, PayPal works, and cards come back within one interval", async () => {
  const visitor = await site.visitor();
  const body = async () => wirePayment(crypto.randomUUID(), await visitor.solveCaptcha());
  expect((await checkout()).payway).toMatchObject({ isAvailable: true, message: "" });
  await cards.stop();
  for (let time = 0; time < 3; time += 1) {
    expect(await visitor.post("/api/payway-payment", await body(), newKey())).toMatchObject({
      code: "402",
      message: expect.stringContaining("The card payment service couldn’t take this payment."),
    });
  }
  const recorded = await countDonations();
  const refused = await visitor.ask({
    method: "POST",
    url: "/api/payway-payment",
    payload: JSON.stringify(await body()),
    headers: { "content-type": "application/json", ...newKey() },
  });
  expect(refused.statusCode).toBe(429);
  expect(refused.headers["retry-after"]).toBe("1");
  expect(refused.json()).toMatchObject({ status: "false", error: "provider_away" });
  expect(await countDonations()).toBe(recorded);
  expect(await metric("payway")).toBe("1");
  const { payway, paypal } = await checkout();
  expect(payway).toMatchObject({
    isAvailable: false,
    message: "Card payments aren’t available at the moment. You can pay by PayPal.",
  });
  expect(paypal).toMatchObject({ isAvailable: true, message: "" });
  expect((await site.givePayPal(visitor)).answer.code).toBe("200");
  const { rows } = await site.pool.query(
    "select data from pgboss.job where data->>'template' = 'provider-unavailable'",
  );
  expect(rows).toHaveLength(1);

  site.clock.advance(probeMs);
  await site.services.circuits.tick(site.clock.now());
  expect((await checkout()).payway.isAvailable).toBe(false);
  cards = await startSimulators({ port, dataDir });
  site.clock.advance(probeMs);
  await site.services.circuits.tick(site.clock.now());
  expect((await checkout()).payway).toMatchObject({ isAvailable: true, message: "" });
  expect((await site.give(visitor)).answer.code).toBe("200");
  expect(await metric("payway")).toBe("0");
});

longTest("REL-1: while PayPal is down cards work, and with both down only bank deposit is left", async () => {
  const visitor = await site.visitor();
  await site.simulator.installFault({ match: { provider: "braintree", op: "charge" }, do: "error_500_before" });
  await site.simulator.installFault({ match: { provider: "braintree", op: "client_token" }, do: "error_503" });
  const again = { changes: { repeat: true } };
  for (let time = 0; time < 3; time += 1) expect((await site.givePayPal(visitor, again)).answer.code).toBe("202");
  expect((await site.givePayPal(visitor)).answer).toMatchObject({ code: "429", error: "provider_away" });
  expect((await site.app.inject("/api/generateToken")).json()).toMatchObject({ code: "429", error: "provider_away" });
  const one = await checkout();
  expect(one.payway.isAvailable).toBe(true);
  expect(one.paypal).toMatchObject({
    isAvailable: false,
    message: "PayPal isn’t available at the moment. You can pay by card.",
  });
  await cards.stop();
  // A busy database may lose count of a failure, so there may be more than three.
  const failAgain = async () => {
    const body = wirePayment(crypto.randomUUID(), await visitor.solveCaptcha());
    await visitor.post("/api/payway-payment", body, newKey());
    return checkout();
  };
  await expect.poll(failAgain).toMatchObject({
    payway: { message: "Card payments aren’t available at the moment. Please try again later." },
    paypal: { message: "PayPal isn’t available at the moment. Please try again later." },
  });
  site.clock.advance(probeMs);
  await site.services.circuits.tick(site.clock.now());
  expect((await checkout()).paypal.isAvailable).toBe(false);
  await site.simulator.clearFaults();
  cards = await startSimulators({ port, dataDir });
  site.clock.advance(probeMs);
  await site.services.circuits.tick(site.clock.now());
  expect(await checkout()).toMatchObject({ payway: { isAvailable: true }, paypal: { isAvailable: true } });
  expect((await site.givePayPal(visitor, again)).answer.code).toBe("200");
});

longTest("REL-1: failed client tokens also close PayPal, before a donor tries to pay", async () => {
  const other = await openTestSite({ CIRCUIT_FAILURES: "3" });
  try {
    await other.simulator.installFault({ match: { provider: "braintree", op: "client_token" }, do: "error_503" });
    for (let time = 0; time < 3; time += 1) expect((await other.app.inject("/api/generateToken")).statusCode).toBe(503);
    expect((await other.app.inject("/api/generateToken")).statusCode).toBe(429);
    expect((await other.app.inject("/api/checkout")).json().data.paypal.isAvailable).toBe(false);
    const visitor = await other.visitor();
    const body = wirePayPalPayment("any-nonce-at-all", await visitor.solveCaptcha());
    expect(await visitor.post("/api/payment", body, newKey())).toMatchObject({ code: "429", error: "provider_away" });
    expect((await other.pool.query("select 1 from donations")).rowCount).toBe(0);
  } finally {
    await other.close();
  }
});
