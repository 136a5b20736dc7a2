import type pg from "pg";
import type { Table } from "./tables.ts";

/**
 * Empties the tables and runs `fill`, in the transaction of the caller, while no trigger of ours runs and foreign keys
 * wait: rows come in any order, and as they were. Then checks all foreign keys, and makes everything as it was. The owner
 * of the tables may do all this without being a superuser.
 */
export async function fillUnchecked(
  client: pg.Client,
  tables: readonly Table[],
  fill: () => Promise<void>,
): Promise<void> {
  const keys = await listForeignKeys(client);
  const change = async (terms: string) => {
    for (const { owner, name } of keys) await client.query(`alter table ${owner} alter constraint ${name} ${terms}`);
  };
  await change("deferrable initially deferred");
  await client.query("set constraints all deferred");
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
  // The owner itself may not delete from some tables. Migrations fill none of these.
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount !== 0) await client.query(`delete from ${name}`);
  }
  await fill();
  await client.query("set constraints all immediate");
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
  await change("not deferrable");
}

/** Those that are checked with each row. */
async function listForeignKeys(client: pg.Client): Promise<{ owner: string; name: string }[]> {
  const { rows } = await client.query<{ owner: string; name: string }>(
    `select format('%I.%I', nspname, relname) as owner, quote_ident(conname) as name
       from pg_constraint join pg_class class on class.oid = conrelid
       join pg_namespace namespace on namespace.oid = class.relnamespace
      where contype = 'f' and conparentid = 0 and not condeferrable and nspname = current_schema()
      order by 1, 2`,
  );
  return rows;
}
