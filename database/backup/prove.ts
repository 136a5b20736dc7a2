import pg from "pg";
import { listMigrations } from "../migrate.ts";
import { asAdministrator, countRows, listApplied, type Manifest } from "./manifest.ts";

/** How many rows each table has at least and at most; `after` is null if it may have any number more. */
type Counts = { readonly before: Manifest["before"]; readonly after: Manifest["after"] | null };

/**
 * Reads a whole database that was restored, and returns what is wrong with it as sentences: none if it is as good as the
 * original. It must run on an embedded server of its own: the extension that checks pages and indexes is added to it.
 */
export async function proveDatabase(url: string, counts: Counts): Promise<string[]> {
  return asAdministrator(url, async (client) => {
    const faults: string[] = [];
    faults.push(...(await checkMigrations(client)));
    if (faults.length > 0) return faults;
    faults.push(...(await checkPages(client)), ...(await proveBooks(client)));
    faults.push(...compareCounts(await countRows(client), counts));
    return faults;
  });
}

/**
 * Reads the database at `url`, which the operator restored. Its pages and indexes are read if the user of the URL is a
 * superuser and the server has the extension for it, which is removed again.
 * @returns what is wrong, as sentences, and whether the pages were read
 * @throws Error with a sentence if the server does not answer, or has no site's database
 */
export async function proveServer(url: string): Promise<{ faults: string[]; hasReadPages: boolean }> {
  const client = new pg.Client({ connectionString: url, application_name: "almoner proof" });
  client.on("error", () => {}); // The query under way fails, too.
  await client.connect();
  try {
    const { rows } = await client.query<{ has_site: boolean; is_readable: boolean; has_extension: boolean }>(
      `select to_regclass('migrations') is not null as has_site,
              (select rolsuper from pg_roles where rolname = current_user)
                and exists (select from pg_available_extensions where name = 'amcheck') as is_readable,
              exists (select from pg_extension where extname = 'amcheck') as has_extension`,
    );
    const { has_site, is_readable, has_extension } = rows[0]!;
    if (!has_site) throw new Error("That database has no site in it.");
    const faults = await checkMigrations(client);
    if (faults.length > 0) return { faults, hasReadPages: false };
    if (is_readable) {
      faults.push(...(await checkPages(client)));
      if (!has_extension) await client.query("drop extension amcheck");
    }
    faults.push(...(await proveBooks(client)));
    return { faults, hasReadPages: is_readable };
  } finally {
    await client.end().catch(() => {});
  }
}

/** What needs no rights of an administrator: the ledger, the numbers of receipts and every foreign key. */
export async function proveBooks(client: pg.Client): Promise<string[]> {
  const faults: string[] = [];
  for (const check of [checkLedger, checkReceipts, checkForeignKeys]) faults.push(...(await check(client)));
  return faults;
}

async function checkMigrations(client: pg.Client): Promise<string[]> {
  const known = new Set(listMigrations());
  const foreign = (await listApplied(client)).filter((name) => !known.has(name));
  return foreign.length === 0 ? [] : [`It is newer than this code: it has ${foreign.join(", ")}.`];
}

/** Every page of every table, and every B-tree with its table: a damaged page may not be noticed otherwise for years. */
async function checkPages(client: pg.Client): Promise<string[]> {
  await client.query("create extension if not exists amcheck");
  const { rows } = await client.query<{ oid: number; name: string; kind: "r" | "t" | "m" | "i"; is_btree: boolean }>(
    `select class.oid, class.oid::regclass::text as name, class.relkind::text as kind, am.amname = 'btree' as is_btree
       from pg_class class left join pg_am am on am.oid = class.relam
      where class.relkind in ('r', 't', 'm', 'i') and class.relpersistence = 'p'
      order by class.oid`,
  );
  const faults: string[] = [];
  for (const { oid, name, kind, is_btree } of rows) {
    if (kind === "i" && !is_btree) continue;
    const check =
      kind === "i"
        ? "select bt_index_check($1::oid::regclass, heapallindexed => true)::text as msg"
        : "select msg from verify_heapam($1::oid::regclass)";
    const message = await client
      .query<{ msg: string }>(check, [oid])
      .then((found) => (kind === "i" ? undefined : found.rows[0]?.msg))
      .catch((error: Error) => error.message);
    if (message !== undefined) faults.push(`${name} is damaged: ${message}.`);
  }
  return faults;
}

async function checkLedger(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count
       from (select from ledger_entries group by transaction_id having sum(amount_cents) <> 0) as wrong`,
  );
  return rows[0]!.count === 0 ? [] : [`${rows[0]!.count} transactions of the ledger do not sum to zero.`];
}

/** Every number once and without gaps, but for those that a restore has skipped. */
async function checkReceipts(client: pg.Client): Promise<string[]> {
  const hasGaps = await client.query<{ exists: boolean }>("select to_regclass('receipt_gaps') is not null as exists");
  const skipped = hasGaps.rows[0]!.exists
    ? "(select coalesce(sum(last_number - first_number + 1), 0) from receipt_gaps)"
    : "0";
  const { rows } = await client.query<{ is_whole: boolean }>(
    `select count(*) + ${skipped} = (select last_number from receipt_counter) as is_whole from receipts`,
  );
  return rows[0]!.is_whole ? [] : ["The numbers of receipts have a gap, or more than the counter says."];
}

/** A foreign key is an index and a trigger: neither notices a row that a damaged page has lost. */
async function checkForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows: keys } = await client.query<{
    name: string;
    child: string;
    parent: string;
    columns: string[];
    referenced: string[];
  }>(
    `select conname as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
            (select array_agg(quote_ident(attname) order by place) from unnest(conkey) with ordinality as key (number, place)
               join pg_attribute on attrelid = conrelid and attnum = number) as columns,
            (select array_agg(quote_ident(attname) order by place) from unnest(confkey) with ordinality as key (number, place)
               join pg_attribute on attrelid = confrelid and attnum = number) as referenced
       from pg_constraint where contype = 'f' and conparentid = 0`,
  );
  const faults: string[] = [];
  for (const { name, child, parent, columns, referenced } of keys) {
    const matches = columns.map((column, index) => `parent.${referenced[index]} = child.${column}`).join(" and ");
    const isSet = columns.map((column) => `child.${column} is not null`).join(" and ");
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${child} child
        where ${isSet} and not exists (select from ${parent} parent where ${matches})`,
    );
    if (rows[0]!.count > 0) faults.push(`${rows[0]!.count} rows of ${child} break the foreign key ${name}.`);
  }
  return faults;
}

function compareCounts(found: Record<string, number>, { before, after }: Counts): string[] {
  return Object.entries(before).flatMap(([table, min]) => {
    const count = found[table] ?? 0;
    const max = after === null ? null : (after[table] ?? min);
    if (count >= min && (max === null || count <= max)) return [];
    const range = max === null ? `at least ${min}` : `${min} to ${max}`;
    return [`${table} has ${count} rows; the backup says ${range}.`];
  });
}
