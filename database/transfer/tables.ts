import pg from "pg";

export type Table = {
  /** With its schema, quoted where SQL needs it. */
  readonly name: string;
  /** Quoted where SQL needs it, in the order of their names. Generated columns are left out. */
  readonly columns: readonly string[];
};
type Sequence = { readonly name: string; readonly last: string; readonly isCalled: boolean };

/** What names a table of rows: not one of an extension, nor a part of a partitioned table, nor that of the migrations. */
const ofTheSite = `class.relkind in ('r', 'p') and not class.relispartition and relname <> 'migrations'
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e')`;

/**
 * The tables of the site's schema, by the catalogue, and the jobs of pg-boss. Its other tables are its own: starting the
 * site fills them.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', namespace.nspname, class.relname) as name,
            (select coalesce(array_agg(quote_ident(attname) order by attname), '{}') from pg_attribute
              where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
       from pg_class class join pg_namespace namespace on namespace.oid = class.relnamespace
      where ${ofTheSite} and (nspname = current_schema() or (nspname = 'pgboss' and relname = 'job'))
      order by (nspname = current_schema()) desc, relname`,
  );
  return rows;
}

/** Sequences do not follow snapshots: read after one, they are at or beyond its rows. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
      where schemaname = current_schema() order by sequencename`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${name}`,
    );
    sequences.push({ name, ...found.rows[0]! });
  }
  return sequences;
}

export async function countTables(client: pg.Client, tables: readonly Table[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${name}`);
    counts[name] = Number(rows[0]!.count);
  }
  return counts;
}

/** The cents of each account of the ledger, as text, because they may be more than a number of JavaScript holds. */
export async function sumLedger(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ account: string; cents: string }>(
    "select account, sum(amount_cents)::text as cents from ledger_entries group by account order by account",
  );
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}

/**
 * Connects for as long as `work` takes, without limits on how long a statement may run, and so that values are written
 * the same way by every server.
 */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: "almoner transfer" });
  client.on("error", () => {}); // The query under way fails, too.
  await client.connect();
  try {
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '10s';
       set client_encoding = 'UTF8'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set timezone = 'UTC';
       set bytea_output = 'hex'; set extra_float_digits = 1`,
    );
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
