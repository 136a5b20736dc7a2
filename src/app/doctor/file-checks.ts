import { isLoopbackHost } from "#shared/config/config.ts";
import { countFiles, type FileCounts } from "#shared/database/stored-file.ts";
import { type Bucket, createBucket } from "#shared/images/files/bucket.ts";
import { BucketError, explainBucketError } from "#shared/images/files/bucket-error.ts";
import { objectName } from "#shared/images/files/create-files.ts";
import { OWNER, OWNER_SETTING, readOwner } from "#shared/images/files/owner.ts";
import { formatNumber } from "#shared/language.ts";
import {
  type Check,
  configOf,
  type DoctorContext,
  type DoctorFinding,
  fail,
  judge,
  note,
  ok,
  readRow,
  readSiteSetting,
  warn,
} from "./check.ts";

const notUsed = ok("Files are in the database: S3_ENDPOINT is not set.");
/** Of an answer within the time that a check has. */
const times = { readMs: 3000, writeMs: 3000, pauseMs: 1 };

/** Runs a check of the bucket, if there is one; what the bucket refuses is its finding. */
async function withBucket(
  context: DoctorContext,
  work: (bucket: Bucket, endpoint: string) => Promise<DoctorFinding>,
): Promise<DoctorFinding> {
  const { files } = configOf(context);
  if (files === null) return notUsed;
  try {
    return await work(createBucket(files, times), files.endpoint);
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    return fail("The bucket for files does not do what it should.", explainBucketError(error));
  }
}

type Found = { readonly object_key: string | null; readonly object_bytes: number };

/** An object that a row refers to, a private one if there is one. */
const findObject = (context: DoctorContext) =>
  readRow<Found>(
    context,
    `select object_key, object_bytes
       from (select 1) as one left join lateral (
         (select object_key, object_bytes from private_files where object_key is not null limit 1) union all
         (select object_key, object_bytes from image_variants where object_key is not null limit 1)) as object on true
      limit 1`,
  );

export const fileChecks: readonly Check[] = [
  {
    id: "files.bucket",
    about: "The bucket for files answers, takes the key, is this site's own, and has a file that a row refers to",
    isOnline: true,
    async run(context) {
      const { object_key, object_bytes } = await findObject(context);
      if (configOf(context).files === null && object_key !== null) {
        return fail("Files are in a bucket, and S3_ENDPOINT is not set.", "Set the five S3_ settings again.");
      }
      return withBucket(context, async (bucket) => {
        const owner = await readOwner(bucket);
        if (owner !== null && owner !== (await readSiteSetting(context, OWNER_SETTING))) {
          return fail("The bucket belongs to another site.", "Set S3_BUCKET to a bucket of this site's own.");
        }
        if (object_key === null) return ok("The bucket for files answers. It has no file yet.");
        const size = await bucket.head(objectName(object_key));
        if (size === object_bytes) return ok("The bucket for files answers, and has what was looked for.");
        return fail("A file in the bucket has another size than it had.", "Restore the bucket from its backup.");
      });
    },
  },
  {
    id: "files.private",
    about: "Nobody can read the bucket without the key, and files travel encrypted",
    isOnline: true,
    run: (context) =>
      withBucket(context, async (bucket, endpoint) => {
        const { object_key } = await findObject(context);
        const status = await bucket.readOpenStatus(object_key === null ? OWNER : objectName(object_key));
        if (status < 400) {
          const does = "Take away its public access: photos of volunteers are in it.";
          return fail("Anybody can read the bucket for files.", does);
        }
        if (endpoint.startsWith("https:") || isLoopbackHost(new URL(endpoint).hostname))
          return ok("Nobody can read the bucket without the key.");
        return warn("Files travel to the bucket unencrypted.", "Set S3_ENDPOINT to an address with https.");
      }),
  },
  {
    id: "files.versions",
    about: "The bucket keeps nothing of what is deleted",
    isOnline: true,
    run: (context) =>
      withBucket(context, async (bucket) => {
        const versioning = await bucket.readVersioning();
        if (versioning === null) return ok("The bucket keeps nothing of what is deleted.");
        const does = "Turn versioning off, or add a lifecycle rule that deletes old versions after some days.";
        if (versioning === "Suspended")
          return note("The bucket may still have old versions of what was deleted.", does);
        return warn(
          "The bucket keeps old versions, so photos of volunteers are not deleted when they should be.",
          does,
        );
      }),
  },
  {
    id: "files.deleted",
    about: "What is deleted goes from the bucket (an hour, a day)",
    async run(context) {
      if (configOf(context).files === null) return notUsed;
      const { hours, ...counts } = await readRow<FileCounts & { hours: number }>(
        context,
        `select (coalesce(extract(epoch from $1 - min(check_at)), 0) / 3600)::float8 as hours, counts.*
           from objects_to_check right join (${countFiles}) as counts on true
          group by "inDatabase", "databaseBytes", "inBucket", "bucketBytes"`,
        [context.now()],
      );
      const facts = { hours, ...counts };
      const state = judge(hours, { warn: 1, fail: 24 });
      if (state === null) return ok("What was deleted is gone from the bucket.", facts);
      const says = `A deleted file has waited for ${formatNumber(Math.round(hours))} hours to go from the bucket.`;
      return { state, says, does: "Is the site running? Its log says what the bucket refuses.", facts };
    },
  },
];
