import type pg from "pg";

/** Every `table.column` in the database that contains one of the texts, ignoring case. */
export async function findText(pool: pg.Pool, texts: readonly string[]): Promise<string[]> {
  const { rows: columns } = await pool.query<{ schema: string; table: string; column: string; type: string }>(`
    select table_schema as schema, table_name as table, column_name as column, data_type as type
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'
       and data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'inet', 'ARRAY')
     order by 1, 2, 3`);
  const found: string[] = [];
  for (const { schema, table, column, type } of columns) {
    // Raw bytes are searched too, so that a text in a file or email is found.
    const text = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const { rows } = await pool.query(
      `select exists (select from "${schema}"."${table}" where lower(${text}) like any($1)) as is_there`,
      [texts.map((part) => `%${part.toLowerCase()}%`)],
    );
    if (rows[0].is_there) found.push(`${schema === "public" ? "" : `${schema}.`}${table}.${column}`);
  }
  return found;
}
