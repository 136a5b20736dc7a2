import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { controlSimulator } from "#simulators/control.ts";
import { compareBooks, faultsOf } from "#test/books.ts";
import { isOverAfter, keepDonating } from "./keep-donating.ts";
import { quantile, type RunningProcess } from "./processes.ts";
import { paywayUrlOf } from "./site.ts";
import type { BenchRow } from "./table.ts";

const CLIENTS = 200;
const LASTS_MS = 60_000;
const SETTLES_MS = 60_000;

/** A minute of many donors, each of whom prepares and sends the next donation as soon as the last is answered. */
export async function measureCrowd(site: RunningProcess, pool: pg.Pool): Promise<BenchRow[]> {
  const refusals = { byLimit: 0, otherwise: 0 };
  // The demo's year has a difference on purpose.
  const before = (await findDifferences(site, pool)).count;
  const note = (status: number) => {
    if (status === 429) refusals.byLimit += 1;
    else if (status >= 300) refusals.otherwise += 1;
  };
  const isOver = isOverAfter(LASTS_MS);
  const given = await keepDonating(site, { clients: CLIENTS, name: "crowd", isOver, onAnswer: note });
  refusals.otherwise += given.filter(({ answer }) => answer.status === 0).length;
  const took = given.map(({ milliseconds }) => milliseconds);
  const charged = given.flatMap(({ answer }) =>
    answer.ok && answer.data.state === "succeeded" ? [answer.data.id] : [],
  );
  const what = `${CLIENTS} clients for a minute`;
  return [
    { what: `${what}, donations a second`, ours: (took.length * 1000) / LASTS_MS, unit: "/s" },
    { what: `${what}, 95th percentile of a donation`, ours: quantile(took, 0.95), unit: "ms" },
    { what: `${what}, refused by a limit that says so`, ours: refusals.byLimit, unit: "answers" },
    { what: `${what}, refused otherwise or not answered`, ours: refusals.otherwise, unit: "answers" },
    {
      what: `${what}, lost or differing in the books`,
      ours: (await countLost(site, pool, charged)) - before,
      unit: "donations",
    },
  ];
}

/** Donations that were acknowledged and are not paid, and differences between the provider's books and ours. */
async function countLost(site: RunningProcess, pool: pg.Pool, charged: readonly string[]): Promise<number> {
  const deadline = performance.now() + SETTLES_MS;
  for (;;) {
    const { open, count } = await findDifferences(site, pool);
    if (open > 0 && performance.now() < deadline) {
      await sleep(500);
      continue;
    }
    const paid = await pool.query("select 1 from payment_attempts where id = any($1) and state = 'succeeded'", [
      charged,
    ]);
    return charged.length - paid.rowCount! + count;
  }
}

/** How many differences there are between the provider's books and ours, and how many payments are open. */
async function findDifferences(site: RunningProcess, pool: pg.Pool): Promise<{ open: number; count: number }> {
  const simulator = controlSimulator(new URL(paywayUrlOf(site)).origin);
  const { isBalanced, hasOneReceiptEach, open, ...lists } = faultsOf(
    await compareBooks(pool, await simulator.listLedger()),
  );
  return { open, count: Object.values(lists).flat().length + Number(!isBalanced) + Number(!hasOneReceiptEach) + open };
}
