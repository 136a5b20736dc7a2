/**
 * SQL that adds a column to every table, as a newer version may do beside an older one. Each in a transaction of its
 * own: one that locks all tables could deadlock with a job, and nothing here would try again, as a migration does.
 */
export const addColumns = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
    execute format('alter table %I add column added_later text', name);
    commit;
  end loop; end $$`;
