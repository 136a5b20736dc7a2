import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { longTest } from "#test/long-test.ts";
import { codes, openFixtureGateway } from "./braintree-fixture.ts";
import { controlSimulator, createNonce, type SimulatorControl } from "./control.ts";
import { type RunningSimulators, startSimulators } from "./start.ts";

const root = mkdtempSync(path.join(tmpdir(), "almoner-braintree-"));

let running: RunningSimulators;
let simulator: SimulatorControl;
let merchant: ReturnType<typeof openFixtureGateway>;

beforeAll(async () => {
  running = await startSimulators({ port: 0, dataDir: path.join(root, "books") });
  simulator = controlSimulator(running.url);
  merchant = openFixtureGateway(running.url);
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await running.stop();
  rmSync(root, { recursive: true, force: true });
});

describe("external changes", () => {
  test("DON-19: refunds, settlements and disputes happen outside the API, each only where allowed", async () => {
    const id = (await merchant.sell()).transaction.id;
    const act = (does: Parameters<SimulatorControl["actExternally"]>[0]["do"], amountCents?: number) =>
      simulator.actExternally({ do: does, transactionId: id, ...(amountCents === undefined ? {} : { amountCents }) });
    await expect(act("refund")).rejects.toThrow("unless it is settled");
    await expect(act("dispute_open")).rejects.toThrow("has settled");
    await expect(act("accept")).rejects.toThrow("Braintree has no 'accept'");
    await act("settle");
    await act("refund", 815);
    await expect(act("dispute_lost")).rejects.toThrow("No dispute is open");
    await act("dispute_open");
    expect((await merchant.gateway.transaction.find(id)).disputes).toMatchObject([{ status: "open" }]);
    await act("dispute_lost");
    expect((await merchant.gateway.transaction.find(id)).disputes).toMatchObject([
      { status: "lost", kind: "chargeback" },
    ]);
    const other = (await merchant.sell()).transaction.id;
    await simulator.actExternally({ do: "settlement_decline", transactionId: other });
    expect((await merchant.gateway.transaction.find(other)).status).toBe("settlement_declined");
  });
});

describe("webhooks", () => {
  /** The webhooks that a site would receive, parsed by the SDK. */
  async function openSite() {
    const received: { kind: string; id: string | undefined; payload: string }[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const form = new URLSearchParams(body);
      try {
        const payload = form.get("bt_payload") ?? "";
        const parsed = (await merchant.gateway.webhookNotification.parse(form.get("bt_signature") ?? "", payload)) as {
          kind: string;
          transaction?: { id: string };
          dispute?: { transaction: { id: string } };
        };
        received.push({ kind: parsed.kind, id: parsed.transaction?.id ?? parsed.dispute?.transaction.id, payload });
        response.writeHead(200).end();
      } catch {
        response.writeHead(403).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/webhook`;
    return { url, received, close: () => new Promise((resolve) => server.close(resolve)) };
  }

  test("DON-19: every copy of a notification has a signature that the SDK accepts; a broken one does not", async () => {
    const site = await openSite();
    const transactionId = (await merchant.sell()).transaction.id;
    const wanted = { transactionId, url: site.url };
    expect(await simulator.notify({ ...wanted, kind: "transaction_settled", times: 2 })).toEqual({
      statuses: [200, 200],
    });
    expect(await simulator.notify({ ...wanted, kind: "dispute_opened" })).toEqual({ statuses: [200] });
    for (const spoil of ["signature", "payload"] as const) {
      expect(await simulator.notify({ ...wanted, kind: "dispute_won", spoil })).toEqual({ statuses: [403] });
    }
    expect(site.received.map(({ kind, id }) => [kind, id])).toEqual([
      ["transaction_settled", transactionId],
      ["transaction_settled", transactionId],
      ["dispute_opened", transactionId],
    ]);
    await site.close();
    expect(await simulator.notify({ ...wanted, kind: "dispute_won" })).toEqual({ statuses: [0] });
  });

  longTest(
    "REL-1: with a rule, each change sends up to three copies, late and out of order; the same seed gives the same sequence",
    async () => {
      const site = await openSite();
      const draw = async (seed: number) => {
        await simulator.sendNotifications({ url: site.url, copies: [0, 1, 2, 3], seed, latestMs: 300 });
        const ids: string[] = [];
        for (let count = 0; count < 12; count += 1) ids.push((await merchant.sell()).transaction.id);
        for (const transactionId of ids) await simulator.actExternally({ do: "settle", transactionId });
        await vi.waitFor(async () => expect((await simulator.listNotifications()).waiting).toBe(0), { timeout: 5000 });
        const { sent } = await simulator.listNotifications();
        return ids.map((id) => sent.filter(({ transactionId }) => transactionId === id).length);
      };
      const copies = await draw(7);
      expect(new Set(copies)).toEqual(new Set([0, 1, 2, 3]));
      expect(site.received).toHaveLength(copies.reduce((sum, count) => sum + count, 0));
      expect((await simulator.listNotifications()).sent.every(({ status }) => status === 200)).toBe(true);
      expect(site.received.map(({ id }) => id)).not.toEqual(
        (await simulator.listNotifications()).sent.map(({ transactionId }) => transactionId),
      );
      expect(await draw(7)).toEqual(copies);
      expect(await draw(8)).not.toEqual(copies);
      await simulator.sendNotifications(null);
      await site.close();
    },
  );
});

describe("books and secrets", () => {
  test("REL-1: transactions, used nonces and request keys survive a restart", async () => {
    const start = () =>
      startSimulators({
        port: 0,
        dataDir: path.join(root, "keys"),
        environment: { BRAINTREE_REQUEST_KEYS: "on" },
      });
    const before = await start();
    const nonce = await createNonce(before.url);
    const [payment, again] = await Promise.all([
      openFixtureGateway(before.url).sell({ nonce, key: "key-1" }),
      controlSimulator(before.url)
        .installFault({ do: "slow", ms: 400, match: { orderRef: "D-2" } })
        .then(async () => {
          const other = { nonce: await createNonce(before.url), orderId: "D-2", key: "key-2" };
          return Promise.all([
            openFixtureGateway(before.url).sell(other),
            new Promise((resolve) => setTimeout(resolve, 100)).then(() => openFixtureGateway(before.url).sell(other)),
          ]);
        }),
    ]);
    expect(again[0].success).toBe(true);
    expect(codes(again[1])).toEqual(["915233"]);
    await before.stop();

    const after = await start();
    const reopened = openFixtureGateway(after.url);
    expect((await reopened.sell({ nonce, key: "key-1" })).transaction.id).toBe(payment.transaction.id);
    expect(codes(await reopened.sell({ nonce, key: "key-1", orderId: "D-9" }))).toEqual(["915232"]);
    expect(codes(await reopened.sell({ nonce, key: "key-3" }))).toEqual(["91564"]);
    expect(await controlSimulator(after.url).listLedger()).toHaveLength(2);
    await after.stop();
  });

  test("DON-15: the log of requests has no nonce or key; ids of the two providers never collide", async () => {
    const nonce = await createNonce(running.url);
    await merchant.gateway.paymentMethodNonce.find(nonce);
    const { id } = (await merchant.sell({ nonce })).transaction;
    const logged = await simulator.listRequests();
    expect(JSON.stringify(logged)).not.toContain(nonce);
    expect(JSON.stringify(logged)).not.toContain("simulator_private");
    expect(logged.at(-1)?.form).toMatchObject({
      "transaction.order_id": "D-1",
      "transaction.payment_method_nonce": "[removed]",
    });
    expect(id).toMatch(/^(?=.*[a-z])[a-z0-9]+$/);
    expect(readFileSync(path.join(root, "books", "simulator-ledger.jsonl"), "utf8")).not.toContain("simulator_private");
  });
});
