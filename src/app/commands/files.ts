import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { countFiles, type FileCounts } from "#shared/database/stored-file.ts";
import { AppError } from "#shared/errors.ts";
import type { Bucket } from "#shared/images/files/bucket.ts";
import { BucketError, explainBucketError } from "#shared/images/files/bucket-error.ts";
import { objectName } from "#shared/images/files/create-files.ts";
import { moveToBucket, moveToDatabase } from "#shared/images/files/move-files.ts";
import { sweepBucket } from "#shared/images/files/sweep-bucket.ts";
import { formatNumber, plural } from "#shared/language.ts";
import type { Services } from "../services.ts";
import { type Command, print, runCommand } from "./command.ts";

const FAILED = 2;
const SAY_EVERY = 100;

const usage = `npm run files                    says how many files are in the database, and how many in the bucket
npm run files -- --try           writes, reads and deletes an object, and says what fails
npm run files -- --to-bucket     moves the files of the database into the bucket, while the site runs
npm run files -- --to-database   moves them back: set S3_NEW_FILES=off and restart the site first
npm run files -- --sweep         deletes objects older than a day that no row refers to, as after a restored backup

What was moved stays so if a move is interrupted: start it again.`;

/** `npm run files`. @throws Error for words that it does not know, and for what fails. */
export const filesCommand: Command = (words) => {
  const [act] = readWords(words);
  return async (services) => {
    try {
      await acts[act ?? "count"](services);
    } catch (error) {
      throw explain(error);
    }
    return 0;
  };
};

type Act = "try" | "to-bucket" | "to-database" | "sweep";

function readWords(words: readonly string[]): Act[] {
  const option = { type: "boolean" } as const;
  const options = { try: option, "to-bucket": option, "to-database": option, sweep: option };
  let values: Partial<Record<Act, boolean>>;
  try {
    ({ values } = parseArgs({ args: [...words], options }));
  } catch {
    throw new Error(usage);
  }
  const asked = Object.keys(values) as Act[];
  if (asked.length > 1) throw new Error(usage);
  return asked;
}

const acts: Readonly<Record<Act | "count", (services: Services) => Promise<void>>> = {
  count: printCounts,
  async try({ files }) {
    if (files.bucket === null) throw new Error("Set the five S3_ settings first: .env.example explains them.");
    await tryBucket(files.bucket);
    await files.claim();
    print(`The bucket ${files.bucket.address} takes, gives back and deletes files, and is this site's own.`);
  },
  async "to-bucket"(services) {
    const moved = await moveToBucket({ ...services, onMoved: say });
    print(`${describeCount(moved)} moved into the bucket, and read back.`);
    await printCounts(services);
  },
  async "to-database"(services) {
    const moved = await moveToDatabase({ ...services, onMoved: say });
    print(`${describeCount(moved)} moved into the database.`);
    await printCounts(services);
  },
  async sweep(services) {
    const deleted = await sweepBucket(services);
    const were = plural(deleted, { one: "1 object was", other: `${formatNumber(deleted)} objects were` });
    print(`${were} deleted: older than a day, and no file of this site.`);
  },
};

const describeCount = (count: number) =>
  plural(count, { one: "1 file was", other: `${formatNumber(count)} files were` });

function say(count: number): void {
  if (count % SAY_EVERY === 0) print(`${formatNumber(count)} …`);
}

async function printCounts({ database }: Services): Promise<void> {
  const { rows } = await sql.raw<FileCounts>(countFiles).execute(database);
  const { inDatabase, databaseBytes, inBucket, bucketBytes } = rows[0]!;
  const megabytes = (bytes: number) => `${formatNumber(Math.ceil(bytes / 1e6))} MB`;
  print(`In the database: ${formatNumber(inDatabase)} files, ${megabytes(databaseBytes)}.`);
  print(`In the bucket: ${formatNumber(inBucket)} files, ${megabytes(bucketBytes)}.`);
}

/** @throws BucketError if any step fails */
async function tryBucket(bucket: Bucket): Promise<void> {
  const name = objectName(randomUUID());
  const bytes = Buffer.from(randomUUID());
  await bucket.put(name, bytes);
  const read = await bucket.get(name, bytes.length);
  await bucket.remove(name);
  if (!read.equals(bytes)) throw new BucketError("damaged", "SHA-256");
  await bucket.list(objectName(""));
}

/** What an operator can do about it, if it came from the bucket. */
function explain(error: unknown): Error {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof BucketError ? new Error(explainBucketError(cause)) : (cause as Error);
}

if (import.meta.main) await runCommand(filesCommand, FAILED);
