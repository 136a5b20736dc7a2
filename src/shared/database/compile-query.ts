import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from "kysely";
import type { ExportPlan } from "./read-in-batches.ts";

/** Only compiles queries to SQL, and has no connection. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export function compileQuery(query: RawBuilder<unknown>): ExportPlan {
  const { sql: text, parameters } = query.compile(compiler);
  return { text, parameters };
}
