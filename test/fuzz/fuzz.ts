import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../states/random.ts";
import { createRawClient, type Exchange } from "./raw-client.ts";
import { type FuzzRequest, type Ground, makeRequest } from "./requests.ts";

type FuzzOptions = {
  readonly port: number;
  readonly seed: number;
  /** The number of the first request, to send a single one again. */
  readonly from?: number;
  readonly count: number;
  readonly connections: number;
  /** A slower answer is a fault. */
  readonly silentMs: number;
  readonly isAlive: () => boolean;
  /** Called and awaited before every hundredth request. */
  readonly prepare: () => Promise<void>;
};

type FuzzReport = {
  /** Requests, including those in a pipeline. */
  sent: number;
  /** How many answers had each status. */
  readonly statuses: Record<string, number>;
  /** Faults, each with the number of its request. */
  readonly faults: string[];
};

/** What no answer may contain. */
const innards =
  /\bat .{1,200}\.(?:ts|js|mjs):\d+|node_modules|\/src\/(?:app|shared|features)\/|SQLSTATE|ECONN|syntax error at/;

/** Sends random requests, and checks each answer. The same seed makes the same requests. */
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
  // A dying process takes a moment to end.
  await sleep(100);
  if (!isAlive()) report.faults.push(`the server died at about request ${next}`);
  return report;
}

/** What is wrong with the site's answers to a request, in words; undefined if nothing is. */
export function findFault({ methods, isLast }: FuzzRequest, { replies, end }: Exchange): string | undefined {
  const failed = replies.find(({ status }) => status >= 500 || status < 200);
  if (failed !== undefined) return `answered ${failed.status}: ${failed.body.slice(0, 200)}`;
  const talkative = replies.find(({ status, body }) => status >= 400 && innards.test(body));
  if (talkative !== undefined) return `shows its innards: ${innards.exec(talkative.body)?.[0]}`;
  if (end === "silent") return "no answer";
  // A pipeline may get extra answers or be cut off for its size; a single whole request is always answered.
  if (!isLast && methods.length === 1 && replies.length === 0) return "closed without an answer";
  return undefined;
}
