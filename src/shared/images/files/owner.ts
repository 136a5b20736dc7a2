import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import type { Bucket } from "./bucket.ts";
import { BucketError } from "./bucket-error.ts";

/** The object that says which site a bucket belongs to. */
export const OWNER = "owner";
/** The row of `site_settings` with the id of this site, which that object has too. */
export const OWNER_SETTING = "files-owner";
const MAX_BYTES = 100;

export class OtherOwner extends Error {
  constructor(address: string) {
    super(
      `The bucket ${address} belongs to another site, whose files this site might delete. Set S3_BUCKET to a bucket of its own.`,
    );
  }
}

/**
 * Takes the bucket for this site, unless it has an owner.
 * @throws OtherOwner if another site has it. @throws BucketError if it does not answer.
 */
export async function claimBucket(connection: Connection, bucket: Bucket): Promise<void> {
  const own = await readSiteId(connection);
  const found = (await readOwner(bucket)) ?? (await writeOwner(bucket, own));
  if (found !== own) throw new OtherOwner(bucket.address);
}

/** The id that a bucket has of its site; null if it has none. @throws BucketError */
export async function readOwner(bucket: Bucket): Promise<string | null> {
  try {
    return (await bucket.get(OWNER, MAX_BYTES)).toString();
  } catch (error) {
    if (error instanceof BucketError && error.isMissingObject) return null;
    throw error;
  }
}

/** Whoever wrote it: of two sites at the same moment, one. */
async function writeOwner(bucket: Bucket, own: string): Promise<string | null> {
  await bucket.put(OWNER, Buffer.from(own), { isNew: true }).catch((error: unknown) => {
    if (!(error instanceof BucketError && error.code === "PreconditionFailed")) throw error;
  });
  return readOwner(bucket);
}

/** A random id of this site, made once. */
async function readSiteId(connection: Connection): Promise<string> {
  const known = await findSiteId(connection);
  if (known !== null) return known;
  const made = JSON.stringify(randomUUID());
  await sql`insert into site_settings (key, value) values (${OWNER_SETTING}, ${made}::jsonb) on conflict do nothing`.execute(
    connection,
  );
  return (await findSiteId(connection))!;
}

/** Null until the site has used a bucket. */
async function findSiteId(connection: Connection): Promise<string | null> {
  const query = connection.selectFrom("site_settings").select("value").where("key", "=", OWNER_SETTING);
  const row = await query.executeTakeFirst();
  return (row?.value as string | undefined) ?? null;
}
