import type pg from "pg";
import { countFiles, type FileCounts } from "#shared/database/stored-file.ts";
import { formatNumber, plural } from "#shared/language.ts";

/** How many files are in a bucket, and so in no backup or export. 0 in a database that is older than buckets. */
export async function countBucketFiles(client: pg.ClientBase): Promise<number> {
  const known = await client.query<{ is: boolean }>("select to_regclass('objects_to_check') is not null as is");
  if (!known.rows[0]!.is) return 0;
  return (await client.query<FileCounts>(countFiles)).rows[0]!.inBucket;
}

/** What the operator must know about them; null without any. */
export function describeBucketFiles(count: number): string | null {
  if (count === 0) return null;
  return plural(count, {
    one: "1 file is in the bucket (S3_BUCKET), and not in this one: back the bucket up too.",
    other: `${formatNumber(count)} files are in the bucket (S3_BUCKET), and not in this one: back the bucket up too.`,
  });
}
