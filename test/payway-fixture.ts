import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createPayway, type PaywayOptions } from "#payments/payway/payway.ts";
import type { Charge } from "#payments/provider.ts";
import { customerOfDay } from "#payments/reference.ts";
import { dayInSydney } from "#shared/language.ts";
import { controlSimulator, type TypedCard, testCards, tokenise } from "#simulators/control.ts";
import { openSimulators } from "./simulators.ts";

export const SECRET_KEY = "T10000_SEC_simulator";

export type PaywayFixture = Awaited<ReturnType<typeof startPaywayFixture>>;

/** The PayWay adapter with its own simulator, over real HTTP. `stop` ends and removes both. */
export async function startPaywayFixture(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "almoner-payway-"));
  const running = await openSimulators(folder, environment);
  const simulator = controlSimulator(running.url);
  const servers: Server[] = [];

  return {
    simulator,

    connect(changes: Partial<PaywayOptions> = {}) {
      return createPayway({
        url: simulator.paywayUrl,
        secretKey: SECRET_KEY,
        merchantId: "TEST",
        timeoutMs: 2000,
        searchIsAuthoritative: true,
        authentication: null,
        ...changes,
      });
    },

    /** A charge of $52.50 for a new order, on a fresh token of `card` unless `instrument` is given. */
    async prepareCharge(changes: Partial<Charge> & { card?: TypedCard } = {}): Promise<Charge> {
      const { card = testCards.approved, ...rest } = changes;
      return {
        instrument: rest.instrument ?? (await tokenise(simulator.paywayUrl, card)),
        amountCents: 5250,
        currency: "AUD",
        orderReference: `T${randomUUID().replaceAll("-", "").slice(0, 17)}`,
        idempotencyKey: randomUUID(),
        customerReference: customerOfDay(dayInSydney(new Date())),
        customerIpAddress: "203.0.113.9",
        isAuthenticated: false,
        ...rest,
      };
    },

    async listBooked(orderReference: string) {
      return (await simulator.listLedger()).filter((row) => row.orderReference === orderReference);
    },

    /** A server with scripted answers, for those that the simulator never gives. */
    async serve(listener: RequestListener): Promise<string> {
      const server = createServer(listener);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },

    async stop() {
      for (const server of servers) server.close().closeAllConnections();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
