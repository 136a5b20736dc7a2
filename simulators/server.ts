import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { administer, type SimulationControls } from "./admin.ts";
import { createBraintreePart } from "./braintree/part.ts";
import { createClock } from "./clock.ts";
import { deliver, writeResponse } from "./delivery.ts";
import { type Call, json } from "./exchange.ts";
import { createFaults } from "./faults.ts";
import { archiveLedger, type LedgerEntry, openLedger } from "./ledger.ts";
import { createPaywayPart } from "./payway/part.ts";
import type { ProviderPart } from "./provider-part.ts";
import { createRequestLog } from "./requests.ts";
import type { Settings } from "./settings.ts";

const MAX_BODY_BYTES = 64 * 1024;

type Simulation = SimulationControls & { readonly parts: readonly ProviderPart[]; close(): void };

/** The simulators' HTTP server, not yet listening. Its books are read from, and written to, `settings.dataDir`. */
export function createSimulatorServer(settings: Settings): Server {
  let simulation = openSimulation(settings);
  const reset = () => {
    simulation.close();
    archiveLedger(settings.dataDir);
    simulation = openSimulation(settings);
  };
  const server = createServer((request, response) => {
    // A call that outlives a reset keeps its old, closed books, and fails there instead of changing the new ones.
    const current = simulation;
    handle(request, response, current, settings, reset).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      response.destroy();
    });
  });
  return server.once("close", () => simulation.close());
}

/** Everything that a reset discards, built from the ledger file. */
function openSimulation(settings: Settings): Simulation {
  const ledger = openLedger(settings.dataDir);
  const clock = createClock(lastOffset(ledger.entries), (offsetMs) => ledger.append({ kind: "clock", offsetMs }));
  const braintree = createBraintreePart(settings.braintree, ledger, clock);
  const parts = [createPaywayPart(settings.payway, ledger, clock), braintree];
  const close = () => {
    braintree.notifications.close();
    ledger.close();
  };
  return { parts, braintree, clock, faults: createFaults(), requests: createRequestLog(), close };
}

function lastOffset(entries: readonly LedgerEntry[]): number {
  return entries.findLast((entry) => entry.kind === "clock")?.offsetMs ?? 0;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  simulation: Simulation,
  settings: Settings,
  reset: () => void,
): Promise<void> {
  const call = await readCall(request);
  if (call === null) {
    writeResponse(response, json(413, { message: "The body is larger than 64 kB." }));
    return;
  }
  if (call.path.startsWith("/__sim")) {
    writeResponse(response, await administer(call, simulation, settings, reset));
    return;
  }
  const part = simulation.parts.find((candidate) => candidate.owns(call.path));
  if (part === undefined) {
    writeResponse(response, call.path === "/" ? guide() : json(404, { message: "Nothing is served here." }));
    return;
  }
  const subject = part.describe(call);
  const fault = simulation.faults.take(subject) ?? part.faultOfCard(call);
  const logged = simulation.requests.add(call, subject, fault?.do ?? null, simulation.clock.now());
  logged.status = await deliver(response, {
    fault,
    failure: part.failure,
    work: () => part.answer(call, fault),
  });
}

async function readCall(request: IncomingMessage): Promise<Call | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) return null;
  const url = new URL(request.url ?? "/", "http://simulator");
  return {
    method: request.method ?? "GET",
    path: url.pathname === "/" ? "/" : url.pathname.replace(/\/$/, ""),
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

/** The test cards and the fault API, as a page at the simulator's address. */
function guide() {
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: readFileSync(new URL("README.md", import.meta.url), "utf8"),
  };
}
