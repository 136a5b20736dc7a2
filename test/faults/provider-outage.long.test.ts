import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { controlSimulator, type SimulatorControl } from "#simulators/control.ts";
import { findRunningSimulator } from "#simulators/running.ts";
import { type RunningSimulators, startSimulators } from "#simulators/start.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { newKey, openTestSite, type TestSite, wirePayment } from "#test/site.ts";

const second = 1000;
let dataDir: string;
/** The card provider has its own simulator, which hangs and stops while PayPal's keeps running. */
let cards: RunningSimulators;
let books: SimulatorControl;
let site: TestSite;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "provider-outage-"));
  cards = await startSimulators({ port: 0, dataDir });
  books = controlSimulator(cards.url);
  site = await openTestSite({
    PAYWAY_URL: `${cards.url}/payway/rest/v1`,
    CIRCUIT_FAILURES: "3",
    CIRCUIT_PROBE_MS: "10000",
    PROVIDER_TIMEOUT_MS: "60000",
    CUSTOMER_WAIT_MS: "500",
    LOG_LEVEL: "silent",
  });
  await site.services.jobs.work("emails", sendEmails(site.services));
});
afterAll(async () => {
  await site.close();
  await cards.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const checkout = async () => (await site.app.inject("/api/checkout")).json().data;
const stateOf = async (key: { "idempotency-key": string }) =>
  (await site.app.inject(`/api/payments/${key["idempotency-key"]}`)).json().data.state;
/** However busy the machine is, and so even if the donor's wait was over first. */
const expectPaid = (key: { "idempotency-key": string }) => expect.poll(() => stateOf(key)).toBe("succeeded");

async function expectContent() {
  for (const path of ["/api/home", "/api/event", "/api/gallery", "/api/categories"])
    expect((await site.app.inject(path)).statusCode, path).toBe(200);
}

const countCharging = async () =>
  (await site.pool.query("select from payment_attempts where state = 'submitting'")).rowCount;

/** Lets time pass in steps, with the ticks that would run. */
async function pass(milliseconds: number, stepMs = 10 * second) {
  for (let passed = 0; passed < milliseconds; passed += stepMs) {
    site.clock.advance(stepMs);
    await Promise.all([site.services.circuits.tick(site.clock.now()), site.services.payments.tick(site.clock.now())]);
  }
}

test("REL-9: the card provider hangs, is down for ten minutes and comes back: donors are told before their charges end, content keeps working, and nothing is lost or charged twice", async () => {
  const [one, two] = [await site.visitor("203.0.113.40"), await site.visitor("203.0.113.41")];
  const other = { changes: { donor_email: "two@donors.example", donorEmail: "two@donors.example" } };
  const paidBefore = await site.give(one);
  await expectPaid(paidBefore.key);
  const lateToken = await site.cardToken();
  // It is charged, but the answer never comes.
  await books.installFault({ match: { op: "charge" }, do: "hang_after", times: 1 });
  const charged = await site.give(two, other);
  expect(charged.answer.code).toBe("202");

  const { pid } = (await findRunningSimulator(Number(new URL(cards.url).port)))!;
  process.kill(pid, "SIGSTOP");
  const key = newKey();
  const body = wirePayment(lateToken, await one.solveCaptcha(), { repeat: true });
  expect(await one.post("/api/payway-payment", body, key)).toMatchObject({ code: "202" });
  while ((await checkout()).payway.isAvailable) await sleep(50);
  const { payway, paypal } = await checkout();
  expect(payway.message).toBe("Card payments aren’t available at the moment. You can pay by PayPal.");
  expect(paypal.isAvailable).toBe(true);
  await expectContent();
  expect(await countCharging(), "all this while the provider hangs").toBe(2);
  await expectPaid((await site.givePayPal(await site.visitor("203.0.113.42"))).key);

  process.kill(pid, "SIGKILL");
  await expect.poll(countCharging).toBe(0);
  await pass(600 * second);
  expect(await stateOf(charged.key), "never 'not charged' while nobody can be asked").toBe("processing");
  const refused = await one.post(
    "/api/payway-payment",
    wirePayment(crypto.randomUUID(), await one.solveCaptcha()),
    newKey(),
  );
  expect(refused).toMatchObject({ code: "429", error: "provider_away" });
  await expectContent();

  cards = await startSimulators({ port: Number(new URL(cards.url).port), dataDir });
  await pass(30 * second);
  expect((await checkout()).payway).toMatchObject({ isAvailable: true, message: "" });
  for (let minutes = 0; minutes < 70 && (await stateOf(charged.key)) === "processing"; minutes += 5)
    await pass(300 * second, 300 * second);
  expect(await stateOf(charged.key)).toBe("succeeded");
  expect(await stateOf(key), "never sent, and said so").toBe("failed");
  await expectPaid((await site.give(await site.visitor("203.0.113.43"))).key);
  const ledger = [...(await books.listLedger()), ...(await site.simulator.listLedger())];
  expect(faultsOf(await compareBooks(site.pool, ledger))).toEqual(noFaults);
});
