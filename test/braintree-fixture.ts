import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BraintreeOptions, createBraintree } from "#payments/braintree/braintree.ts";
import type { Charge, RefundInstruction } from "#payments/provider.ts";
import { customerOfDay } from "#payments/reference.ts";
import { dayInSydney } from "#shared/language.ts";
import type { NonceKind } from "#simulators/braintree/books.ts";
import { controlSimulator, createNonce } from "#simulators/control.ts";
import { openSimulators } from "./simulators.ts";

export type BraintreeFixture = Awaited<ReturnType<typeof startBraintreeFixture>>;

/** The Braintree adapter with its own simulator, over real HTTP. `stop` ends and removes both. */
export async function startBraintreeFixture(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "almoner-braintree-"));
  const running = await openSimulators(folder, environment);
  const simulator = controlSimulator(running.url);
  const servers: Server[] = [];

  /** A gateway with scripted answers, for those that the simulator never gives. */
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  return {
    simulator,

    connect(changes: Partial<BraintreeOptions> = {}) {
      return createBraintree({
        isOffered: true,
        url: running.url,
        merchantId: "simulator",
        publicKey: "simulator_public",
        privateKey: "simulator_private",
        merchantAccountId: "simulator_aud",
        scriptsUrl: `${running.url}/braintree/js`,
        hasRequestKeys: false,
        searchIsAuthoritative: true,
        timeoutMs: 4000,
        ...changes,
      });
    },

    /** A charge of $52.50 for a new order, on a fresh nonce of `kind` unless `instrument` is given. */
    async prepareCharge(changes: Partial<Charge> & { kind?: NonceKind } = {}): Promise<Charge> {
      const { kind = "paypal", ...rest } = changes;
      return {
        instrument: rest.instrument ?? (await createNonce(running.url, { kind })),
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

    serve,

    /** A gateway that knows every nonce and gives scripted answers to sales; with the requests it received. */
    async sellAt(answer: (response: ServerResponse) => void) {
      const asked: { path: string; body: string }[] = [];
      const url = await serve((request, response) => {
        let body = "";
        request.on("data", (chunk) => {
          body += chunk;
        });
        request.on("end", () => {
          asked.push({ path: request.url!, body });
          if (request.url!.includes("/payment_method_nonces/")) respond(response, 200, written.nonce);
          else answer(response);
        });
      });
      return { url, asked };
    },

    async stop() {
      for (const server of servers) server.close().closeAllConnections();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A request to refund `amountCents` of this charge, all of it unless `isWhole` is false. */
export function refundRequest(transactionId: string, changes: Partial<RefundInstruction> = {}): RefundInstruction {
  return {
    transactionId,
    amountCents: 5250,
    currency: "AUD",
    isWhole: true,
    orderReference: `R${randomUUID().replaceAll("-", "").slice(0, 17)}`,
    idempotencyKey: randomUUID(),
    ...changes,
  };
}

export function respond(response: ServerResponse, status: number, body: string, type = "application/xml") {
  response.writeHead(status, { "content-type": type }).end(body);
}

/** Bodies as the gateway writes them, for scripted servers. */
export const written = {
  nonce:
    '<payment-method-nonce><nonce>n</nonce><type>PayPalAccount</type><consumed type="boolean">false</consumed></payment-method-nonce>',

  /** An approved sale of this charge; a field whose value is markup is written as it is. */
  sale: (charge: Charge, changes: Readonly<Record<string, string | undefined>> = {}) =>
    written.transaction({
      id: "abc123",
      type: "sale",
      status: "settling",
      amount: "52.50",
      "currency-iso-code": "AUD",
      "order-id": charge.orderReference,
      "merchant-account-id": "simulator_aud",
      "payment-instrument-type": "paypal_account",
      "processor-response-code": "1000",
      ...changes,
    }),

  transaction: (fields: Readonly<Record<string, string | undefined>>) =>
    `<transaction>${Object.entries(fields)
      .map(([name, value = ""]) => (value.startsWith("<") ? value : `<${name}>${value}</${name}>`))
      .join("")}</transaction>`,

  problems: (...codes: string[]) =>
    `<api-error-response><errors><errors type="array"/><transaction><errors type="array">${codes
      .map(
        (code) => `<error><code>${code}</code><attribute type="symbol">base</attribute><message>no</message></error>`,
      )
      .join("")}</errors></transaction></errors><message>no</message></api-error-response>`,
};
