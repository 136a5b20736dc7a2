import { Refusal } from "#admin/actions.ts";
import type { FilteredList, SavedFilter } from "#admin/saved-filters.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";

/** More than this are no help. */
export const MAX_FILTERS = 12;

/** In the order in which they were saved. */
export function listSavedFilters(connection: Connection, staffId: number, path: FilteredList): Promise<SavedFilter[]> {
  return connection
    .selectFrom("saved_filters")
    .select(["id", "name", "query"])
    .where("staff_id", "=", staffId)
    .where("path", "=", path)
    .orderBy("id")
    .execute();
}

type New = { readonly path: FilteredList; readonly name: string; readonly query: string };

/** Saves a filter under a name, or changes the one with that name. @throws Refusal if there are too many. */
export function saveFilter(database: Database, staffId: number, filter: New, now: Date): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    // Two forms at the same time are counted one after the other.
    await transaction.selectFrom("staff").select("id").where("id", "=", staffId).forNoKeyUpdate().execute();
    const saved = await listSavedFilters(transaction, staffId, filter.path);
    if (saved.length >= MAX_FILTERS && !saved.some(({ name }) => name === filter.name)) {
      throw new Refusal(`You have ${MAX_FILTERS} filters of this list, which is the most. Delete one first.`);
    }
    await transaction
      .insertInto("saved_filters")
      .values({ staff_id: staffId, ...filter, created_at: now })
      .onConflict((conflict) => conflict.columns(["staff_id", "path", "name"]).doUpdateSet({ query: filter.query }))
      .execute();
  });
}

/** Returns the list that it was of. @throws AppError `not_found` if this person has no such filter. */
export async function deleteFilter(connection: Connection, staffId: number, id: number): Promise<string> {
  const deleted = await connection
    .deleteFrom("saved_filters")
    .where("id", "=", id)
    .where("staff_id", "=", staffId)
    .returning("path")
    .executeTakeFirst();
  if (deleted === undefined) throw new AppError("not_found");
  return deleted.path;
}
