import { deleteFiles } from "./pipeline.ts";
import type { VolunteerServices } from "./store.ts";

const DAY_MS = 86_400_000;
const BATCH = 100;

/**
 * Deletes photo and signature of applications that were declined or withdrawn so many days ago. Safe in any number of
 * processes; returns how many applications lost theirs, at most a hundred at once.
 */
export async function deleteOldFiles({ database, now }: VolunteerServices, days: number): Promise<number> {
  const at = now();
  return database.transaction().execute(async (transaction) => {
    const old = await transaction
      .selectFrom("volunteer_applications")
      .select(["id", "photo_file_id", "signature_file_id"])
      .where("stage", "in", ["declined", "withdrawn"])
      .where("files_deleted_at", "is", null)
      .where("decided_at", "<", new Date(at.getTime() - days * DAY_MS))
      .orderBy("decided_at")
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const row of old) await deleteFiles(transaction, row, { actor: "system", now: at });
    return old.length;
  });
}
