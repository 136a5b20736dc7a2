import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { DonationFilter } from "#features/donations/server/search/donation-filter.ts";
import { noFilter } from "#features/donations/server/search/donation-filter.ts";
import { findDonations, type Wanted } from "#features/donations/server/search/find-donations.ts";
import type { Tables } from "#shared/database/tables.ts";

type Plan = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Plan[];
};

type Explained = {
  /** All rows that were read from tables, in all statements of the search, whether or not they matched. */
  readonly examined: number;
  /** Tables that were read whole. */
  readonly scanned: readonly string[];
  readonly indexes: ReadonlySet<string>;
  readonly found: number;
};

/** Searches, and returns what each statement did. */
export async function explainSearch(
  pool: pg.Pool,
  filter: Partial<DonationFilter>,
  {
    depth,
    next = null,
    order = "newest",
    limit = 25,
  }: Partial<Pick<Wanted, "depth" | "next" | "order" | "limit">> = {},
): Promise<Explained> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  });
  const wanted = { filter: { ...noFilter, ...filter }, limit, next, order, ...(depth && { depth }) };
  const { places } = await findDonations(database, wanted);
  const settings = statements.flatMap(({ sql }) => sql.match(/set_config\('enable_seqscan', 'off', true\)/g) ?? []);
  const leaves = (
    await Promise.all(statements.filter(isSearch).map((statement) => explain(pool, statement, settings)))
  ).flat();
  return {
    found: places.length,
    examined: leaves.reduce((sum, leaf) => sum + rowsOf(leaf), 0),
    scanned: leaves.flatMap((leaf) => (leaf["Node Type"] === "Seq Scan" ? [leaf["Relation Name"]!] : [])),
    indexes: new Set(leaves.flatMap((leaf) => leaf["Index Name"] ?? [])),
  };
}

const isSearch = ({ sql }: { sql: string }) => /^\s*(?:select|with|\()/.test(sql) && /\bfrom\b/.test(sql);

/** What one statement did. */
export async function explainStatement(pool: pg.Pool, sql: string): Promise<Pick<Explained, "examined">> {
  const leaves = await explain(pool, { sql, parameters: [] }, []);
  return { examined: leaves.reduce((sum, leaf) => sum + rowsOf(leaf), 0) };
}

async function explain(
  pool: pg.Pool,
  { sql, parameters }: { sql: string; parameters: readonly unknown[] },
  settings: readonly string[],
) {
  const client = await pool.connect();
  try {
    await client.query("begin; set local plan_cache_mode = force_custom_plan; set local jit = off");
    for (const setting of settings) await client.query(`select ${setting}`);
    const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters]);
    return leavesOf(rows[0]["QUERY PLAN"][0].Plan);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** The nodes that read a table or an index. */
function leavesOf(plan: Plan): Plan[] {
  const below = (plan.Plans ?? []).flatMap(leavesOf);
  return /Seq Scan|Index Scan|Index Only Scan|Bitmap Heap Scan/.test(plan["Node Type"]) ? [plan, ...below] : below;
}

function rowsOf(plan: Plan): number {
  // A bitmap index scan's rows are those of the heap scan above it.
  if (plan["Node Type"] === "Bitmap Index Scan") return 0;
  const removed = (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0);
  return (plan["Actual Rows"] + removed) * plan["Actual Loops"];
}
