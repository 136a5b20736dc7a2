import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AdminHouse, administer } from "./admin.ts";
import { createBraintreePart } from "./braintree/part.ts";
import { createClock } from "./clock.ts";
import { deliver, send } from "./delivery.ts";
import { type Call, json } from "./exchange.ts";
import { createFaults } from "./faults.ts";
import { type LedgerEntry, openLedger, setLedgerAside } from "./ledger.ts";
import { createPaywayPart } from "./payway/part.ts";
import type { ProviderPart } from "./provider-part.ts";
import { createRequestLog } from "./requests.ts";
import type { Settings } from "./settings.ts";

const LARGEST_BODY = 64 * 1024;

type House = AdminHouse & { readonly parts: readonly ProviderPart[]; close(): void };

/** The simulators' HTTP server, not yet listening. Its books are read from, and written to, `settings.dataDir`. */
export function createSimulatorServer(settings: Settings): Server {
  let house = openHouse(settings);
  const reset = () => {
    house.close();
    setLedgerAside(settings.dataDir);
    house = openHouse(settings);
  };
  return createServer((request, response) => {
    // A call that outlives a reset keeps its old, closed books: it fails there instead of landing in the new ones.
    const current = house;
    handle(request, response, current, settings, reset).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      response.destroy();
    });
  });
}

/** Everything that a reset throws away, built from what the ledger file holds. */
function openHouse(settings: Settings): House {
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
  house: House,
  settings: Settings,
  reset: () => void,
): Promise<void> {
  const call = await readCall(request);
  if (call === null) {
    send(response, json(413, { message: "The body is larger than 64 kB." }));
    return;
  }
  if (call.path.startsWith("/__sim")) {
    send(response, await administer(call, house, settings, reset));
    return;
  }
  const part = house.parts.find((candidate) => candidate.owns(call.path));
  if (part === undefined) {
    send(response, call.path === "/" ? guide() : json(404, { message: "Nothing is served here." }));
    return;
  }
  const subject = part.describe(call);
  const fault = house.faults.take(subject) ?? part.faultOfCard(call);
  const logged = house.requests.add(call, subject, fault?.do ?? null, house.clock.now());
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
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  if (size > LARGEST_BODY) return null;
  const url = new URL(request.url ?? "/", "http://simulator");
  return {
    method: request.method ?? "GET",
    path: url.pathname === "/" ? "/" : url.pathname.replace(/\/$/, ""),
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

/** The test cards and the fault API, for whoever opens the simulator's address in a browser. */
function guide() {
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: readFileSync(new URL("README.md", import.meta.url), "utf8"),
  };
}
