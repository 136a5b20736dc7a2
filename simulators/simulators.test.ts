import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { longTest } from "#test/long-test.ts";
import { controlSimulator, type SimulatorControl, testCards, tokenise } from "./control.ts";
import { createFaults, FaultRule } from "./faults.ts";
import { Health } from "./running.ts";
import { type RunningSimulators, startSimulators } from "./start.ts";

const root = mkdtempSync(path.join(tmpdir(), "almoner-simulators-"));
const secret = { authorization: `Basic ${btoa("T10000_SEC_simulator:")}` };
const publishable = { authorization: `Basic ${btoa("T10000_PUB_simulator:")}` };

afterAll(() => rmSync(root, { recursive: true, force: true }));

type Answer = { status: number; body: Record<string, unknown> };

async function post(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = secret,
): Promise<Answer> {
  const response = await fetch(url, { method: "POST", headers, body: new URLSearchParams(fields) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

async function pay(
  simulator: SimulatorControl,
  changes: Record<string, string> = {},
  key: string = randomUUID(),
): Promise<Answer> {
  const fields = {
    singleUseTokenId: changes.singleUseTokenId ?? (await tokenise(simulator.paywayUrl, testCards.approved)),
    customerNumber: "G0",
    transactionType: "payment",
    principalAmount: "52.50",
    currency: "aud",
    orderNumber: "D-1",
    merchantId: "TEST",
    customerIpAddress: "203.0.113.9",
    ...changes,
  };
  return post(`${simulator.paywayUrl}/transactions`, fields, { ...secret, "idempotency-key": key });
}

async function health(url: string): Promise<Health> {
  return Health.parse(await (await fetch(`${url}/__sim/health`)).json());
}

async function killSimulator(url: string): Promise<void> {
  const { pid } = await health(url);
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(fetch(`${url}/__sim/health`)).rejects.toThrow(), { timeout: 5000 });
}

describe("the process", () => {
  let running: RunningSimulators | undefined;
  afterEach(async () => running?.stop());

  longTest("REL-1: it survives a SIGKILL of the server, and the next server reuses and stops it", async () => {
    const dataDir = path.join(root, "survivor");
    const script = `
      const { startSimulators } = await import(${JSON.stringify(new URL("start.ts", import.meta.url).href)});
      const { url } = await startSimulators({ port: 0, dataDir: ${JSON.stringify(dataDir)} });
      console.log(url);
      setInterval(() => {}, 1000);`;
    const server = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const url = line.toString().trim();
    await pay(controlSimulator(url));
    server.kill("SIGKILL");
    await once(server, "exit");

    expect(await controlSimulator(url).listLedger()).toHaveLength(1);
    const port = Number(new URL(url).port);
    running = await startSimulators({ port, dataDir });
    expect(running).toMatchObject({ url, isOwner: true });
    const second = await startSimulators({ port, dataDir });
    expect(second).toMatchObject({ url, isOwner: false });
    await second.stop();
    expect((await health(url)).ownerPid).toBe(process.pid);
    await running.stop();
    await expect(health(url)).rejects.toThrow();
  });

  test("REL-1: it is stopped even while it is too busy to answer", async () => {
    running = await startSimulators({ port: 0, dataDir: path.join(root, "busy") });
    const { pid } = await health(running.url);
    process.kill(pid, "SIGSTOP");
    const stopped = running.stop();
    await pause(2500);
    process.kill(pid, "SIGCONT");
    await stopped;
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  test("REL-1: after being killed it comes back with its books, tokens, keys and clock", async () => {
    const dataDir = path.join(root, "restart");
    running = await startSimulators({ port: 0, dataDir });
    const before = controlSimulator(running.url);
    const unused = await tokenise(before.paywayUrl, testCards.approved);
    const first = await pay(before, { orderNumber: "D-1" }, "key-1");
    await before.advance(3_600_000);
    const late = await tokenise(before.paywayUrl, testCards.approved);
    const ledger = await before.listLedger();
    await killSimulator(running.url);
    // What a kill in the middle of a write leaves.
    appendFileSync(path.join(dataDir, "simulator-ledger.jsonl"), '{"kind":"transaction","row":{"prov');

    running = await startSimulators({ port: 0, dataDir });
    const after = controlSimulator(running.url);
    expect(await after.listLedger()).toEqual(ledger);
    expect(await pay(after, { orderNumber: "D-1" }, "key-1")).toEqual(first);
    expect(await pay(after, { singleUseTokenId: unused })).toMatchObject({ status: 422 });
    expect(await pay(after, { singleUseTokenId: late })).toMatchObject({ status: 201 });
    expect(await after.listLedger()).toHaveLength(2);
  });

  test("a reset starts a new file, keeps the old one, and never reuses an id", async () => {
    const dataDir = path.join(root, "reset");
    running = await startSimulators({ port: 0, dataDir });
    const simulator = controlSimulator(running.url);
    const first = await pay(simulator);
    await simulator.installFault({ do: "error_503" });
    await simulator.reset();
    expect(await simulator.listLedger()).toEqual([]);
    expect(await simulator.listRequests()).toEqual([]);
    const second = await pay(simulator);
    expect(second.status).toBe(201);
    expect(Number(second.body.transactionId)).toBeGreaterThan(Number(first.body.transactionId));
    expect(readdirSync(dataDir)).toContain("simulator-ledger-1.jsonl");
  });

  longTest("it refuses to run beside live payments, and names a bad setting", () => {
    const main = new URL("main.ts", import.meta.url).pathname;
    const start = (environment: Record<string, string>) =>
      spawnSync(process.execPath, [main], {
        env: { ...process.env, SIMULATOR_PORT: "0", ...environment },
        encoding: "utf8",
      });
    const live = start({ PAYMENTS: "live", DATA_DIR: path.join(root, "live") });
    expect(live.status).toBe(1);
    expect(live.stderr).toMatch(/did not start. PAYMENTS: The simulators do not run where PAYMENTS is live/);
    expect(existsSync(path.join(root, "live"))).toBe(false);
    expect(start({ IDEMPOTENCY_MODE: "maybe" }).stderr).toMatch(/IDEMPOTENCY_MODE/);
  });

  test("a second start on another port, which would know only its own payments, says where the first is", async () => {
    const dataDir = path.join(root, "two");
    running = await startSimulators({ port: 0, dataDir });
    const port = Number(new URL(running.url).port);
    await expect(startSimulators({ port: port + 1, dataDir })).rejects.toThrow(`Set SIMULATOR_PORT to ${port}`);
  });

  longTest("a second start on its port exits quietly, but one with other books says so", async () => {
    const dataDir = path.join(root, "twice");
    running = await startSimulators({ port: 0, dataDir });
    const port = new URL(running.url).port;
    const main = new URL("main.ts", import.meta.url).pathname;
    const start = (folder: string) =>
      spawnSync(process.execPath, [main], {
        env: { ...process.env, SIMULATOR_PORT: port, DATA_DIR: folder },
        encoding: "utf8",
      });
    expect(start(dataDir)).toMatchObject({ status: 0, stdout: expect.stringContaining("already running") });
    expect(start(root)).toMatchObject({ status: 1, stderr: expect.stringContaining("another data directory") });
    await expect(startSimulators({ port: Number(port), dataDir: root })).rejects.toThrow(/another data directory/);
  });
});

describe("PayWay's own rules", () => {
  let running: RunningSimulators;
  let simulator: SimulatorControl;
  beforeAll(async () => {
    running = await startSimulators({ port: 0, dataDir: path.join(root, "payway") });
    simulator = controlSimulator(running.url);
  });
  afterEach(() => simulator.reset());
  afterAll(() => running.stop());

  test("keys allow only their own calls", async () => {
    const at = (where: string) => `${simulator.paywayUrl}${where}`;
    expect((await fetch(at("/transactions/1"), { headers: { authorization: "Basic bm8=" } })).status).toBe(401);
    expect((await fetch(at("/"), { headers: publishable })).status).toBe(403);
    expect((await post(at("/transactions"), {}, publishable)).status).toBe(403);
    expect((await post(at("/single-use-tokens"), {}, secret)).status).toBe(403);
    expect((await fetch(at("/transactions"), { headers: secret })).status).toBe(405);
    expect((await fetch(at("/nowhere"), { headers: secret })).status).toBe(404);
    expect((await fetch(at("/transactions/1"), { headers: secret })).status).toBe(404);
    const asJson = { ...secret, "content-type": "application/json" };
    expect((await fetch(at("/transactions"), { method: "POST", headers: asJson, body: "{}" })).status).toBe(415);
  });

  test.each([
    { field: "principalAmount", value: "0" },
    { field: "principalAmount", value: "1.005" },
    { field: "currency", value: "AUD" },
    { field: "orderNumber", value: "a".repeat(21) },
    { field: "customerNumber", value: "" },
    { field: "merchantId", value: "4638116" },
    { field: "customerIpAddress", value: "" },
    { field: "singleUseTokenId", value: randomUUID() },
    { field: "transactionType", value: "preAuth" },
  ])("$field '$value' is refused by name, and nothing is booked", async ({ field, value }) => {
    const answer = await pay(simulator, { [field]: value });
    expect(answer).toMatchObject({ status: 422, body: { data: [{ fieldName: field }] } });
    expect(await simulator.listLedger()).toEqual([]);
  });

  test.each([
    { field: "cardNumber", value: "411111111111" },
    { field: "expiryDateMonth", value: "13" },
    { field: "expiryDateYear", value: "x" },
    { field: "cvn", value: "12" },
    { field: "cardholderName", value: " " },
  ])("a card with $field '$value' gets no token", async ({ field, value }) => {
    const card = {
      paymentMethod: "creditCard",
      cardNumber: "4564 7100 0000 0004",
      cvn: "847",
      expiryDateMonth: "02",
      expiryDateYear: "29",
      cardholderName: "Test Donor",
    };
    const url = `${simulator.paywayUrl}/single-use-tokens`;
    expect((await post(url, card, publishable)).status).toBe(200);
    expect(await post(url, { ...card, [field]: value }, publishable)).toMatchObject({
      status: 422,
      body: { data: [{ fieldName: field }] },
    });
  });

  test("a token expires after ten minutes", async () => {
    const [early, late] = await Promise.all([1, 2].map(() => tokenise(simulator.paywayUrl, testCards.approved)));
    await simulator.advance(9 * 60_000);
    expect((await pay(simulator, { singleUseTokenId: early! })).status).toBe(201);
    await simulator.advance(60_000);
    expect((await pay(simulator, { singleUseTokenId: late! })).status).toBe(422);
  });

  test("a payment is voided before it settles and refunded after, never beyond what was paid", async () => {
    const at = (id: unknown) => `${simulator.paywayUrl}/transactions/${id}`;
    const refund = (id: unknown, amount: string) =>
      post(`${simulator.paywayUrl}/transactions`, {
        transactionType: "refund",
        parentTransactionId: String(id),
        principalAmount: amount,
      });
    const first = (await pay(simulator)).body.transactionId;
    expect((await refund(first, "1")).status).toBe(422);
    expect(await post(`${at(first)}/void`, {})).toMatchObject({ status: 200, body: { status: "voided" } });
    expect((await post(`${at(first)}/void`, {})).status).toBe(422);

    const second = (await pay(simulator)).body.transactionId;
    await simulator.advance(86_400_000);
    expect((await post(`${at(second)}/void`, {})).status).toBe(422);
    expect(await refund(second, "50.00")).toMatchObject({
      status: 201,
      body: { status: "approved", transactionType: "refund" },
    });
    expect((await refund(second, "2.51")).status).toBe(422);
    expect((await refund(second, "2.50")).status).toBe(201);
    const rows = await simulator.listLedger();
    expect(rows.map(({ type, status, amountCents, parentId }) => [type, status, amountCents, parentId])).toEqual([
      ["payment", "voided", 5250, null],
      ["payment", "approved", 5250, null],
      ["refund", "approved", 5000, String(second)],
      ["refund", "approved", 250, String(second)],
    ]);
  });

  test.each([
    { cents: "61", status: "approved" },
    { cents: "62", status: "declined" },
  ])("the fault card's pending .$cents becomes $status as time goes on", async ({ cents, status }) => {
    const token = await tokenise(simulator.paywayUrl, testCards.fault);
    const answer = await pay(simulator, { singleUseTokenId: token, principalAmount: `10.${cents}` });
    expect(answer).toMatchObject({ status: 201, body: { status: "pending" } });
    await simulator.advance(1);
    expect(await simulator.listLedger()).toMatchObject([{ status }]);
  });

  test.each([
    { cents: "00", answers: [201], booked: 1 },
    { cents: "63", answers: [201], booked: 1 },
    { cents: "74", answers: [500, 500], booked: 0 },
    { cents: "75", answers: [500, 500], booked: 1 },
    { cents: "76", answers: [429, 429, 201], booked: 1 },
    { cents: "77", answers: [503, 201], booked: 1 },
    { cents: "88", answers: [201], booked: 1 },
  ])("the fault card with .$cents answers $answers", async ({ cents, answers, booked }) => {
    const token = await tokenise(simulator.paywayUrl, testCards.fault);
    for (const status of answers) {
      const answer = await pay(simulator, { singleUseTokenId: token, principalAmount: `10.${cents}` }, "one-key");
      expect(answer.status).toBe(status);
    }
    expect(await simulator.listLedger()).toHaveLength(booked);
  });

  test("with any other card the cents mean nothing", async () => {
    expect(await pay(simulator, { principalAmount: "10.74" })).toMatchObject({ status: 201 });
  });

  test("DON-15: no card, token or key is in the log of requests or the books", async () => {
    const token = await tokenise(simulator.paywayUrl, testCards.approved);
    await pay(simulator, { singleUseTokenId: token });
    const logged = JSON.stringify(await simulator.listRequests());
    for (const known of [testCards.approved.number, "847", token, "Test Donor", btoa("T10000_SEC_simulator:")]) {
      expect(logged).not.toContain(`"${known}"`);
    }
    const books = readFileSync(path.join(root, "payway", "simulator-ledger.jsonl"), "utf8");
    expect(books).toContain("456471...004");
    expect(books).not.toMatch(/4564710000000004|Test Donor|"847"/);
  });
});

describe("faults", () => {
  const subject = { provider: "payway", op: "charge", orderReference: "D1", amountCents: 100, token: null } as const;

  test("the same seed draws the same calls, and their share is close to the one asked for", () => {
    const draw = (seed: number) => {
      const faults = createFaults();
      faults.install(FaultRule.parse({ do: "error_503", match: { share: 0.2 }, seed }));
      return Array.from({ length: 1000 }, () => faults.take(subject) !== null);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7).filter(Boolean).length).toBeGreaterThan(160);
    expect(draw(7).filter(Boolean).length).toBeLessThan(240);
  });

  test("a rule fires if all its conditions match: nth call, number of times, order", () => {
    const faults = createFaults();
    faults.install(FaultRule.parse({ do: "error_503", match: { nth: 2, orderRef: "D1" } }));
    faults.install(FaultRule.parse({ do: "error_429", match: { amountCents: 100 }, times: 2 }));
    faults.install(FaultRule.parse({ do: "search_empty" }));
    const calls = [subject, subject, { ...subject, amountCents: 7 }, subject, subject, { ...subject, op: "search" }];
    expect(calls.map((call) => faults.take(call)?.do ?? null)).toEqual([
      "error_429",
      "error_503",
      null,
      "error_429",
      null,
      "search_empty",
    ]);
  });
});
