import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { createScriptedDonor } from "#test/faults/donor.ts";
import { cpuSeconds, mainThreadSeconds, median, quantile, type RunningProcess } from "./processes.ts";
import { paywayUrlOf } from "./site.ts";

export type Rate = { readonly perSecond: number; readonly milliseconds: number };
export type DonationRate = Rate & {
  readonly p95Milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly threadMilliseconds: number;
  /** The address of one of the receipts. */
  readonly receiptPath: string;
};

const script = join(import.meta.dirname, "donation.sql");
const referenceSeconds = 4;
const database = "bench_reference";

/** Donations over HTTP, from request to charged card; forms and captchas are prepared first. */
export async function measureDonations(site: RunningProcess, clients: number, each: number): Promise<DonationRate> {
  const queues = await Promise.all(Array.from({ length: clients }, (_, client) => prepare(site, client, each)));
  const took: number[] = [];
  let receiptPath = "";
  const [cpuBefore, threadBefore] = [cpuSeconds(site.pid), mainThreadSeconds(site.pid)];
  const began = performance.now();
  await Promise.all(
    queues.map(async ({ donor, donations }) => {
      for (const { donation, body } of donations) {
        const sent = performance.now();
        const answer = await donor.post(donation, body);
        if (!answer.ok) throw new Error(`A donation was answered ${answer.status}: ${answer.message}`);
        took.push(performance.now() - sent);
        receiptPath = answer.data?.receiptUrl ?? receiptPath;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return {
    perSecond: took.length / seconds,
    milliseconds: median(took),
    p95Milliseconds: quantile(took, 0.95),
    cpuMilliseconds: ((cpuSeconds(site.pid) - cpuBefore) * 1000) / took.length,
    threadMilliseconds: ((mainThreadSeconds(site.pid) - threadBefore) * 1000) / took.length,
    receiptPath,
  };
}

async function prepare(site: RunningProcess, client: number, count: number) {
  const donor = createScriptedDonor({
    url: site.url,
    paywayUrl: paywayUrlOf(site),
    address: `198.51.100.${client + 1}`,
    random: () => 0.4,
  });
  const donations: Awaited<ReturnType<typeof donor.prepare>>[] = [];
  for (let index = 0; index < count; index += 1) donations.push(await donor.prepare(`bench-${client}-${index}`));
  return { donor, donations };
}

export type DonationRates = { readonly tool: "pgbench" | "pg"; measure(clients: number): Promise<Rate> };

/** Copies the site's database for the reference, while nobody uses it. */
export async function copyDatabase(url: string): Promise<void> {
  await onServer(url, `create database ${database} template almoner`);
}

/** The same rows in the same two transactions on the copy; with `pg` if pgbench is missing. */
export function referenceOf(url: string): DonationRates {
  const copy = new URL(url);
  copy.pathname = `/${database}`;
  const program = findPgbench();
  if (program === undefined) return { tool: "pg", measure: (clients) => measureWithPg(copy.href, clients) };
  return { tool: "pgbench", measure: (clients) => measureWithPgbench(program, copy, clients) };
}

async function onServer(url: string, statement: string) {
  const server = new URL(url);
  server.pathname = "/postgres";
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function findPgbench(): string | undefined {
  const places = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`);
  return [...places, "/usr/bin/pgbench", "/usr/local/bin/pgbench", "/opt/homebrew/bin/pgbench"].find(existsSync);
}

async function measureWithPgbench(program: string, url: URL, clients: number): Promise<Rate> {
  const host = url.searchParams.get("host") ?? "";
  const count = String(clients);
  const options = ["-n", "-M", "prepared", "-c", count, "-j", count, "-T", String(referenceSeconds), "-f", script];
  const { stdout } = await promisify(execFile)(program, [...options, "-h", host, "-U", "app", database]);
  const [, milliseconds = "0"] = /latency average = ([\d.]+) ms/.exec(stdout) ?? [];
  const [, perSecond = "0"] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  return { perSecond: Number(perSecond), milliseconds: Number(milliseconds) };
}

async function measureWithPg(url: string, clients: number): Promise<Rate> {
  const [first = "", ...statements] = readFileSync(script, "utf8").trim().split("\n");
  const took: number[] = [];
  const deadline = performance.now() + referenceSeconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      while (performance.now() < deadline) {
        const began = performance.now();
        const values = (await client.query(first.replace("\\gset", ""))).rows[0] as Record<string, string>;
        for (const statement of statements) {
          await client.query(statement.replace(/(?<!:):(\w+)/g, (_, name: string) => `'${values[name]}'`));
        }
        took.push(performance.now() - began);
      }
      await client.end();
    }),
  );
  return { perSecond: took.length / referenceSeconds, milliseconds: median(took) };
}
