import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Rate } from "./donations.ts";
import { median } from "./processes.ts";

const referenceSeconds = 4;
const database = "bench_reference";

/** The same rows in the same transactions on a copy of the database; with `pg` if pgbench is missing. */
export type Reference = { readonly tool: "pgbench" | "pg"; measure(clients: number): Promise<Rate> };

/** Copies the site's database for the reference, while nobody uses it. No event of the copy is ever sold out. */
export async function copyDatabase(url: string): Promise<void> {
  await runOnce(inDatabase(url, "postgres"), `create database ${database} template almoner`);
  await runOnce(inDatabase(url, database), "update ticket_types set capacity = 1000000000");
}

export function referenceOf(url: string, script: "donation.sql" | "order.sql"): Reference {
  const copy = inDatabase(url, database);
  const file = join(import.meta.dirname, script);
  const program = findPgbench();
  if (program === undefined) return { tool: "pg", measure: (clients) => measureWithPg(file, copy.href, clients) };
  return { tool: "pgbench", measure: (clients) => measureWithPgbench(program, file, copy, clients) };
}

function inDatabase(url: string, name: string): URL {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed;
}

async function runOnce(url: URL, statement: string) {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function findPgbench(): string | undefined {
  const places = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`);
  return [...places, "/usr/bin/pgbench", "/usr/local/bin/pgbench", "/opt/homebrew/bin/pgbench"].find(existsSync);
}

async function measureWithPgbench(program: string, file: string, url: URL, clients: number): Promise<Rate> {
  const host = url.searchParams.get("host") ?? "";
  const count = String(clients);
  const options = ["-n", "-M", "prepared", "-c", count, "-j", count, "-T", String(referenceSeconds), "-f", file];
  const { stdout } = await promisify(execFile)(program, [...options, "-h", host, "-U", "app", database]);
  const [, milliseconds = "0"] = /latency average = ([\d.]+) ms/.exec(stdout) ?? [];
  const [, perSecond = "0"] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  return { perSecond: Number(perSecond), milliseconds: Number(milliseconds) };
}

async function measureWithPg(file: string, url: string, clients: number): Promise<Rate> {
  const [first = "", ...statements] = readFileSync(file, "utf8").trim().split("\n");
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
