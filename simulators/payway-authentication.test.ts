import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { controlSimulator, type SimulatorControl, testCards, tokenise } from "./control.ts";
import { type RunningSimulators, startSimulators } from "./start.ts";

const root = mkdtempSync(path.join(tmpdir(), "almoner-authentication-"));
const secret = { authorization: `Basic ${btoa("T10000_SEC_simulator:")}` };
const publishable = { authorization: `Basic ${btoa("T10000_PUB_simulator:")}` };
const PATH = "three-ds2-authentication";
const REQUEST = {
  messageCategory: "01",
  threeDSRequestorAuthenticationInd: "01",
  currency: "AUD",
  principalAmount: "52.50",
  email: "donor@example.com",
};

let running: RunningSimulators;
let simulator: SimulatorControl;

beforeAll(async () => {
  running = await startSimulators({ port: 0, dataDir: path.join(root, "data") });
  simulator = controlSimulator(running.url);
});
beforeEach(() => simulator.clearFaults());
afterAll(async () => {
  await running.stop();
  rmSync(root, { recursive: true, force: true });
});

type Answer = { status: number; body: Record<string, unknown> };

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
}

const tokenUrl = (token: string, rest = PATH) => `${simulator.paywayUrl}/single-use-tokens/${token}/${rest}`;
const makeToken = (name = "Test Donor", threeDS2 = true) =>
  tokenise(simulator.paywayUrl, { ...testCards.approved, name, threeDS2 });

async function authenticate(token: string, changes: object = {}, headers: Record<string, string> = secret) {
  const body = JSON.stringify({ ...REQUEST, ...changes });
  return read(
    await fetch(tokenUrl(token), { method: "POST", headers: { ...headers, "content-type": "application/json" }, body }),
  );
}

async function find(token: string) {
  return read(await fetch(tokenUrl(token), { headers: secret }));
}

/** Does what the challenge frame's buttons do, from a browser without a key. */
async function answerChallenge(token: string, choice: string) {
  return read(await fetch(tokenUrl(token, "challenge"), { method: "POST", body: new URLSearchParams({ choice }) }));
}

async function pay(token: string, changes: Record<string, string> = {}) {
  const body = new URLSearchParams({
    singleUseTokenId: token,
    customerNumber: "DAY-20261121",
    transactionType: "payment",
    principalAmount: "52.50",
    currency: "aud",
    orderNumber: "D-1",
    merchantId: "TEST",
    customerIpAddress: "203.0.113.9",
    threeDS2: "true",
    ...changes,
  });
  return read(await fetch(`${simulator.paywayUrl}/transactions`, { method: "POST", headers: secret, body }));
}

describe("asking the bank", () => {
  test.each([
    ["3DS-Y", "Y", 201],
    ["3DS-A", "A", 201],
    ["3ds-u", "U", 201],
    ["A Raza", "Y", 201],
    ["3DS-C", "C", 422],
    ["3DS-N", "N", 422],
    ["3DS-R", "R", 422],
  ])("API-4: %s on the card gets %s, and a charge that relies on it %i", async (name, status, charge) => {
    const token = await makeToken(name);
    expect(await authenticate(token)).toEqual({ status: 200, body: { transStatus: status } });
    expect(await find(token)).toEqual({ status: 200, body: { transStatus: status } });
    expect(await pay(token)).toMatchObject({ status: charge });
  });

  test("API-4: authenticating leaves the token usable, and asking twice changes nothing", async () => {
    const token = await makeToken("3DS-C");
    await authenticate(token);
    await answerChallenge(token, "confirm");
    expect(await authenticate(token)).toMatchObject({ body: { transStatus: "Y" } });
    expect(await pay(token)).toMatchObject({ status: 201, body: { status: "approved" } });
    expect(await find(token)).toMatchObject({ status: 422 });
    expect(await authenticate(token)).toMatchObject({ status: 422 });
  });

  test("API-4: a charge that relies on 3-D Secure is refused without it, or for another amount", async () => {
    const never = await makeToken();
    expect(await find(never)).toMatchObject({ status: 404 });
    expect(await pay(never)).toMatchObject({ status: 422, body: { data: [{ fieldName: "threeDS2" }] } });
    const dearer = await makeToken();
    await authenticate(dearer);
    expect(await pay(dearer, { principalAmount: "52.51" })).toMatchObject({ status: 422 });
    expect(await pay(dearer)).toMatchObject({ status: 201 });
    expect(await pay(never, { threeDS2: "false" })).toMatchObject({ status: 201 });
  });

  test("API-4: unknown and expired tokens, tokens made without 3-D Secure and bad fields are refused", async () => {
    const token = await makeToken();
    expect(await authenticate(crypto.randomUUID())).toMatchObject({ status: 404 });
    expect(await authenticate(await makeToken("3DS-Y", false))).toMatchObject({ status: 422 });
    for (const changes of [{ currency: "USD" }, { principalAmount: "0" }, { email: "no" }, { messageCategory: "02" }]) {
      const [fieldName] = Object.keys(changes);
      expect(await authenticate(token, changes)).toMatchObject({ status: 422, body: { data: [{ fieldName }] } });
    }
    expect(await authenticate(token, {}, publishable)).toMatchObject({ status: 403 });
    expect(await authenticate(token, {}, {})).toMatchObject({ status: 401 });
    expect((await fetch(tokenUrl(token), { method: "PUT", headers: secret })).status).toBe(405);
    await simulator.advance(600_000);
    expect(await authenticate(token)).toMatchObject({ status: 422 });
  });

  test("API-4: fault rules reach the call under the name authenticate, and the log holds no token", async () => {
    const token = await makeToken();
    await simulator.installFault({ match: { op: "authenticate" }, do: "error_500_before", times: 1 });
    expect(await authenticate(token)).toMatchObject({ status: 500 });
    expect(await authenticate(token)).toMatchObject({ status: 200 });
    const requests = await simulator.listRequests();
    expect(requests.filter(({ op }) => op === "authenticate").length).toBeGreaterThan(1);
    expect(JSON.stringify(requests)).not.toContain(token);
  });
});

describe("the challenge", () => {
  async function openChallenge() {
    const token = await makeToken("3DS-C");
    await authenticate(token);
    return token;
  }

  test("API-4: confirming sets Y, refusing sets N, and an answer cannot be changed", async () => {
    const confirmed = await openChallenge();
    expect(await answerChallenge(confirmed, "confirm")).toEqual({ status: 200, body: { transStatus: "Y" } });
    expect(await answerChallenge(confirmed, "refuse")).toMatchObject({ status: 422 });
    expect(await find(confirmed)).toMatchObject({ body: { transStatus: "Y" } });
    expect(await pay(confirmed)).toMatchObject({ status: 201 });

    const refused = await openChallenge();
    expect(await answerChallenge(refused, "refuse")).toEqual({ status: 200, body: { transStatus: "N" } });
    expect(await find(refused)).toMatchObject({ body: { transStatus: "N" } });
    expect(await pay(refused)).toMatchObject({ status: 422 });
  });

  test("API-4: an abandoned or broken challenge stays at C", async () => {
    const token = await openChallenge();
    expect(await answerChallenge(token, "break")).toMatchObject({ status: 422 });
    expect(await find(token)).toMatchObject({ body: { transStatus: "C" } });
    expect(await pay(token)).toMatchObject({ status: 422 });
  });

  test("API-4: its frame is a page with its own policy, which reports an error if no challenge is waiting", async () => {
    const token = await openChallenge();
    const frame = await fetch(tokenUrl(token, "challenge-iframe.htm?challengeWindowSize=01"));
    expect(frame.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await frame.text();
    expect(html).toContain("Your bank asks: is this you?");
    expect(html).not.toContain("data-nothing-waits");
    for (const [, file] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      expect((await fetch(new URL(file as string, frame.url))).status).toBe(200);
    }
    for (const other of [crypto.randomUUID(), await makeToken()]) {
      expect(await (await fetch(tokenUrl(other, "challenge-iframe.htm"))).text()).toContain("data-nothing-waits");
    }
  });

  longTest("API-4: an answer survives a restart of the simulator", async () => {
    const token = await openChallenge();
    await answerChallenge(token, "confirm");
    await running.stop();
    running = await startSimulators({ port: 0, dataDir: path.join(root, "data") });
    simulator = controlSimulator(running.url);
    expect(await find(token)).toMatchObject({ body: { transStatus: "Y" } });
    expect(await pay(token)).toMatchObject({ status: 201 });
  });
});
