import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { FILES, isReferredTo, type SiteFiles } from "./create-files.ts";

const DAY_MS = 86_400_000;
const ours = new RegExp(`^${FILES}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);

/**
 * Deletes the objects that no row refers to and that are older than a day by the clock of the storage, such as those of
 * rows that a restored backup does not have. Returns how many.
 * @throws Error without a bucket, or if it belongs to another site. @throws BucketError
 */
export async function sweepBucket({ database, files }: { database: Database; files: SiteFiles }): Promise<number> {
  const { bucket } = files;
  if (bucket === null) throw new Error("Set the five S3_ settings: there is no bucket to sweep.");
  await files.claim();
  let deleted = 0;
  let next: string | null = null;
  do {
    const page = await bucket.list(FILES, next);
    const old = page.objects.filter(({ changedAt }) => page.at.getTime() - changedAt.getTime() > DAY_MS);
    const keys = old.flatMap(({ name }) => ours.exec(name)?.[1] ?? []);
    const { rows } = await sql<{ object_key: string }>`
      select object_key from unnest(${keys}::uuid[]) as listed (object_key) where not ${isReferredTo}`.execute(
      database,
    );
    for (const { object_key } of rows) await bucket.remove(`${FILES}${object_key}`);
    deleted += rows.length;
    next = page.next;
  } while (next !== null);
  return deleted;
}
