import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../states/random.ts";
import { createRawClient, type Exchange } from "./raw-client.ts";
import { type FuzzRequest, type Ground, makeRequest } from "./requests.ts";

export type FuzzOptions = {
  readonly port: number;
  readonly seed: number;
  /** The number of the first request; a single one can be sent again by its number. */
  readonly from?: number;
  readonly count: number;
  readonly connections: number;
  /** An answer that takes longer is a fault. */
  readonly silentMs: number;
  readonly isAlive: () => boolean;
  /** Called before each hundredth request, and waited for. */
  readonly prepare: () => Promise<void>;
};

export type FuzzReport = {
  /** Requests, those within a pipeline included. */
  sent: number;
  /** How often each status was answered. */
  readonly statuses: Record<string, number>;
  /** What must not be, each with the number of its request. */
  readonly faults: string[];
};

/** What no answer may hold. */
const innards =
  /\bat .{1,200}\.(?:ts|js|mjs):\d+|node_modules|\/src\/(?:app|shared|features)\/|SQLSTATE|ECONN|syntax error at/;

/** Sends requests made from chance, and looks at each answer. The same seed makes the same requests. */
export async function fuzz(ground: Ground, options: FuzzOptions): Promise<FuzzReport> {
  const { port, seed, from = 0, count, connections, silentMs, isAlive, prepare } = options;
  const report: FuzzReport = { sent: 0, statuses: {}, faults: [] };
  let next = from;
  async function work() {
    const client = createRawClient(port, silentMs);
    while (next < from + count && isAlive() && report.faults.length < 1000) {
      const number = next++;
      if (number % 100 === 0) await prepare();
      const request = makeRequest(createRandom(seed + number * 7919), ground);
      const exchange = await client.send(request).catch((): Exchange => ({ replies: [], end: "silent" }));
      report.sent += Math.max(1, request.methods.length);
      for (const { status } of exchange.replies) report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      const fault = findFault(request, exchange);
      if (fault !== undefined) report.faults.push(`${number}: ${fault} [${request.label}]`);
    }
    client.close();
  }
  await Promise.all(Array.from({ length: connections }, work));
  // A process that dies needs a moment to be gone.
  await sleep(100);
  if (!isAlive()) report.faults.push(`the server died at about request ${next}`);
  return report;
}

export function findFault({ methods, isLast }: FuzzRequest, { replies, end }: Exchange): string | undefined {
  const failed = replies.find(({ status }) => status >= 500 || status < 200);
  if (failed !== undefined) return `answered ${failed.status}: ${failed.body.slice(0, 200)}`;
  const talkative = replies.find(({ status, body }) => status >= 400 && innards.test(body));
  if (talkative !== undefined) return `shows its innards: ${innards.exec(talkative.body)?.[0]}`;
  if (end === "silent") return "no answer";
  // More may be answered in a row than was asked for, or cut off for asking too much at once; one whole request never.
  if (!isLast && methods.length === 1 && replies.length === 0) return "closed without an answer";
  return undefined;
}
