import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { load } from "../../bench/load.ts";
import { type RunningProcess, residentMegabytes } from "../../bench/processes.ts";
import { startBenchSite } from "../../bench/site.ts";
import { p99, startVisit } from "./honest-visitor.ts";

const SOCKETS = 500;
const CLIENTS = 16;
const QUIET_MS = 10_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** `crowd`: 500 slow or greedy connections, then 500 clients at once for a minute. Returns whether the targets hold. */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "crowd-"));
  let site: RunningProcess | undefined;
  try {
    site = await startBenchSite(folder);
    await measureVisit(site);
    const faults = [...(await meetSlowSockets(site)), ...(await meetOverload(site))];
    for (const fault of faults) print(`FAULT: ${fault}`);
    if (faults.length === 0) print("0 faults");
    return faults.length === 0;
  } finally {
    await site?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function measureVisit({ url }: RunningProcess, milliseconds = QUIET_MS): Promise<number> {
  const visit = startVisit(url);
  await sleep(milliseconds);
  return p99(await visit.end());
}

/** What each kind of socket sends first, and what it then drips, a byte a second. */
const kinds = [
  { first: "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ", drip: "x" },
  {
    first: "POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n",
    drip: " ",
  },
  // Never reads the answer.
  { first: "GET /gallery HTTP/1.1\r\nHost: a\r\n\r\n".repeat(4), drip: "" },
];

async function meetSlowSockets(site: RunningProcess): Promise<string[]> {
  const quiet = await measureVisit(site);
  const before = residentMegabytes(site.pid);
  const began = performance.now();
  let lastClosed = 0;
  const sockets = Array.from({ length: SOCKETS }, (_, number): Socket => {
    const { first, drip } = kinds[number % kinds.length]!;
    const socket = connect(Number(new URL(site.url).port), "127.0.0.1", () => {
      socket.write(first);
      if (drip === "") socket.pause();
    });
    const dripping = setInterval(() => drip !== "" && socket.writable && socket.write(drip), 1000);
    socket
      .on("error", () => undefined)
      .once("close", () => {
        clearInterval(dripping);
        lastClosed = performance.now() - began;
      });
    // Reading sockets notice at once when they are closed.
    if (drip !== "") socket.resume();
    return socket;
  });
  const visit = startVisit(site.url);
  await sleep(QUIET_MS);
  const during = p99(await visit.end());
  const most = residentMegabytes(site.pid) - before;
  await sleep(Math.max(0, 30_000 - (performance.now() - began)));
  const readers = sockets.filter(
    (socket, number) => kinds[number % kinds.length]!.drip !== "" && !socket.destroyed,
  ).length;
  for (const socket of sockets) socket.destroy();
  print(
    `${SOCKETS} slow sockets: others' p99 ${during.toFixed(1)} ms, ${(during / quiet).toFixed(1)} × quiet; ${most.toFixed(0)} MB more; the last was closed after ${(lastClosed / 1000).toFixed(0)} s, ${readers} of those that send stayed open`,
  );
  return [
    ...(during > 2 * quiet ? ["others waited more than twice as long beside slow sockets"] : []),
    ...(most > 50 ? [`slow sockets took ${most.toFixed(0)} MB`] : []),
    ...(readers > 0 ? [`${readers} slow senders stayed open for 30 s`] : []),
  ];
}

async function meetOverload(site: RunningProcess): Promise<string[]> {
  const quiet = await measureVisit(site);
  const url = `${site.url}/api/categories`;
  const { perSecond: capacity } = await load(url, { connections: CLIENTS, seconds: 15 });
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, residentMegabytes(site.pid));
  }, 500);
  const { perSecond, refused, unanswered } = await load(url, { connections: SOCKETS, seconds: 60 });
  clearInterval(look);
  const atOnce = await measureVisit(site, 5000);
  const after = await measureVisit(site, 5000);
  await sleep(25_000);
  const left = residentMegabytes(site.pid);
  const goodput = perSecond / capacity;
  print(
    `${SOCKETS} clients for a minute: ${perSecond.toFixed(0)} answers a second, ${goodput.toFixed(2)} × what ${CLIENTS} get; ${refused} refused, ${unanswered} without an answer; at most ${most.toFixed(0)} MB, ${left.toFixed(0)} MB half a minute later; a visitor's p99 ${(atOnce / quiet).toFixed(1)} × quiet in the first 5 s after it, ${(after / quiet).toFixed(1)} × in the next 5`,
  );
  return [
    ...(goodput < 0.8 ? ["overload cut the answers a second"] : []),
    ...(unanswered > 0 ? [`${unanswered} requests had no answer`] : []),
    ...(most > 400 ? [`overload took ${most.toFixed(0)} MB`] : []),
    ...(after > 3 * quiet ? ["it is not back to normal within 5 s"] : []),
  ];
}
