import { createHash, randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { countFiles, type FileCounts, type Files, type StoredFile } from "#shared/database/stored-file.ts";
import { AppError } from "#shared/errors.ts";
import { type Bucket, type BucketSettings, createBucket } from "./bucket.ts";
import { BucketError, explainBucketError } from "./bucket-error.ts";
import { claimBucket, OtherOwner } from "./owner.ts";
import "../tables.ts";

/** Objects are below this prefix, each under its key. */
export const FILES = "files/";
export const objectName = (key: string) => `${FILES}${key}`;
/** Longer than a form may take from its first object to the commit. */
const COMMIT_MS = 600_000;
/** Objects that are deleted in one run. */
const MAX_DELETED = 100;
const RETRY_SECONDS = 30;
const PAUSE_MS = 60_000;

/** Which keys rows refer to. */
export const isReferredTo = sql<boolean>`(
  object_key in (select object_key from image_variants where object_key is not null)
  or object_key in (select object_key from image_originals where object_key is not null)
  or object_key in (select object_key from private_files where object_key is not null))`;

type FileServices = {
  readonly database: Database;
  /** Null without a bucket. `isForNew`: new files go there. */
  readonly settings: (BucketSettings & { readonly isForNew: boolean }) | null;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly now: () => Date;
};

export type SiteFiles = ReturnType<typeof createFiles>;

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
const inRow = (bytes: Buffer): StoredFile => ({ bytes, object_key: null, object_sha256: null, object_bytes: null });
const away = (cause: unknown) => new AppError("files_away", { cause, retryAfterSeconds: RETRY_SECONDS });

/** The files of a site without a bucket. */
export const filesInDatabase: Files = {
  async read({ bytes }) {
    if (bytes === null) throw away(new Error("A file is in a bucket, and S3_ENDPOINT is not set."));
    return bytes;
  },
  write: async (all) => all.map(inRow),
  isAway: (error) => error instanceof AppError && error.problem === "files_away",
};

/** The site's files: in the database, or with these settings in a bucket. */
export function createFiles({ database, settings, log, now }: FileServices) {
  const bucket = settings === null ? null : createBucket(settings);
  let claimed: Promise<void> | undefined;
  /** Takes the bucket for this site. @throws Error if there is none, or it is another site's. @throws BucketError */
  const claim = (): Promise<void> => {
    if (bucket === null) throw new Error("There is no bucket: set the five S3_ settings.");
    claimed ??= claimBucket(database, bucket).catch((error: unknown) => {
      claimed = undefined;
      throw error;
    });
    return claimed;
  };
  const files = bucket === null ? filesInDatabase : createBucketFiles({ database, bucket, claim, now });
  const isForNew = settings?.isForNew ?? false;
  let pausedUntil = 0;
  return {
    ...files,
    ...(isForNew ? {} : { write: filesInDatabase.write }),
    bucket,
    isForNew,
    claim,

    /** @throws Error with a sentence if the bucket belongs to another site. Any other fault is only logged. */
    async open(): Promise<void> {
      if (bucket === null) return warnOfMissingBucket(database, log);
      await claim().catch((error: unknown) => {
        if (error instanceof OtherOwner) throw error;
        log.warn({ err: error }, `the bucket for files cannot be used: ${explainBucketError(error)}`);
      });
    },

    /**
     * Deletes the objects that are due to be checked, and that no row refers to. Returns how many. Once this fails, it
     * does nothing for a minute, so that a bucket that is away does not fill the log.
     */
    async deleteUnneeded(): Promise<number> {
      if (bucket === null || now().getTime() < pausedUntil) return 0;
      return deleteUnneeded({ database, bucket, claim, now }).catch((error: unknown) => {
        pausedUntil = now().getTime() + PAUSE_MS;
        throw error;
      });
    },
  };
}

async function warnOfMissingBucket(database: Database, log: FileServices["log"]): Promise<void> {
  const { rows } = await sql<FileCounts>`${sql.raw(countFiles)}`.execute(database);
  const { inBucket } = rows[0]!;
  if (inBucket > 0) log.warn({ inBucket }, "files in a bucket cannot be read: set the five S3_ settings");
}

type BucketServices = {
  readonly database: Database;
  readonly bucket: Bucket;
  readonly claim: () => Promise<void>;
  readonly now: () => Date;
};

function createBucketFiles({ database, bucket, claim, now }: BucketServices): Files {
  const readObject = async (row: StoredFile): Promise<Buffer> => {
    const bytes = await bucket.get(objectName(row.object_key!), row.object_bytes!);
    if (!sha256(bytes).equals(row.object_sha256!)) throw new BucketError("damaged", "SHA-256");
    return bytes;
  };
  return {
    isAway: filesInDatabase.isAway,
    async read(row) {
      if (row.bytes !== null) return row.bytes;
      return readObject(row).catch((cause: unknown) => {
        throw away(cause);
      });
    },
    async write(all) {
      const rows = all.map((bytes) => ({
        bytes: null,
        object_key: randomUUID() as string,
        object_sha256: sha256(bytes),
        object_bytes: bytes.length,
      }));
      // First, so that nothing stays in the bucket if this process is killed.
      const check_at = new Date(now().getTime() + COMMIT_MS);
      const keys = rows.map(({ object_key }) => ({ object_key, check_at }));
      if (keys.length > 0) await database.insertInto("objects_to_check").values(keys).execute();
      try {
        await claim();
        const [putFirst, ...others] = rows.map(
          ({ object_key }, index) =>
            () =>
              bucket.put(objectName(object_key), all[index]!),
        );
        // After a pause of the bucket the others would be refused until one is through.
        await putFirst?.();
        await Promise.all(others.map((put) => put()));
      } catch (cause) {
        throw away(cause);
      }
      return rows;
    },
  };
}

async function deleteUnneeded({ database, bucket, claim, now }: BucketServices): Promise<number> {
  const at = now();
  await sql`delete from objects_to_check where check_at <= ${at} and ${isReferredTo}`.execute(database);
  const { rows } = await sql<{ object_key: string }>`
    select object_key from objects_to_check where check_at <= ${at} and not ${isReferredTo}
     order by check_at limit ${MAX_DELETED}`.execute(database);
  if (rows.length === 0) return 0;
  await claim();
  await Promise.all(rows.map(({ object_key }) => bucket.remove(objectName(object_key))));
  const keys = rows.map(({ object_key }) => object_key);
  await database.deleteFrom("objects_to_check").where("object_key", "in", keys).execute();
  return rows.length;
}
