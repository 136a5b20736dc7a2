import { fork } from "node:child_process";
import { once } from "node:events";
import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { type Files, storedFile } from "#shared/database/stored-file.ts";
import type { AvifAnswer } from "./avif-process.ts";
import type { AvifCopy, AvifOrder } from "./encode-avif.ts";
import "./tables.ts";

type Services = {
  readonly database: Database;
  readonly files: Files;
  readonly now: () => Date;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  /** A process of its own, unless told otherwise; its low priority keeps tests waiting on a busy machine. */
  readonly encode?: (order: AvifOrder) => Promise<readonly AvifCopy[]>;
};

/** New pictures wait until staff have added those that come with them. */
const WAIT_MS = 600_000;
const MAX_TRIES = 3;
/** A run ends after so many pictures, so that pages show them. */
const MAX_AT_ONCE = 50;
const ENCODE_MS = 120_000;
/** Copies are kept if each is at most this share of the WebP of its width. */
const WORTHWHILE = 0.9;

/**
 * Adds AVIF copies of the library's pictures, one after the other, in any number of processes. Pages are built again once,
 * after the last. Pictures without their original have none: a copy of a copy would lose more.
 */
export async function addAvif({ database, files, now, log, encode = encodeApart }: Services): Promise<void> {
  let added = 0;
  for (let count = 0; count < MAX_AT_ONCE; count += 1) {
    const hash = await claimPicture(database, now());
    if (hash === null) break;
    try {
      if (await addCopies({ database, files, encode }, hash)) added += 1;
    } catch (error) {
      await database.updateTable("image_avif_tries").set({ is_busy: false }).where("hash", "=", hash).execute();
      log.warn({ err: error, picture: hash }, "a picture could not be encoded as AVIF");
    }
  }
  if (added > 0) await sql`select pg_notify('content_changed', '')`.execute(database);
}

/** The newest picture without AVIF, unless a process is at one or has tried this one lately. */
async function claimPicture(database: Database, now: Date): Promise<string | null> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const before = ago(WAIT_MS);
  const { rows } = await sql<{ hash: string }>`
    insert into image_avif_tries as known (hash, tries, tried_at)
    select images.hash, 1, ${now} from images
    join image_originals on image_originals.hash = images.hash
    left join image_avif_tries as earlier on earlier.hash = images.hash
    where images.created_at <= ${before} and (earlier.hash is null
      or (not earlier.is_done and earlier.tries < ${MAX_TRIES} and earlier.tried_at <= ${before}))
      and not exists (select from image_avif_tries where is_busy and tried_at > ${ago(ENCODE_MS)})
    order by images.created_at desc, images.hash limit 1
    on conflict (hash) do update set tries = known.tries + 1, tried_at = excluded.tried_at, is_busy = true
      where known.tried_at <= ${before}
    returning hash`.execute(database);
  return rows[0]?.hash ?? null;
}

/** Whether pages have more to offer now. */
async function addCopies(
  { database, files, encode }: Pick<Services, "database" | "files"> & { encode: NonNullable<Services["encode"]> },
  hash: string,
): Promise<boolean> {
  const original = await database
    .selectFrom("image_originals")
    .select(storedFile)
    .where("hash", "=", hash)
    .executeTakeFirstOrThrow();
  const bytes = await files.read(original);
  const { rows: webps } = await sql<{ width: number; size: number }>`
    select width, coalesce(object_bytes, length(bytes)) as size from image_variants where hash = ${hash} and format = 'webp' order by width
  `.execute(database);
  const copies = await encode({ bytes, widths: webps.map(({ width }) => width) });
  const isWorthwhile = copies.every((copy, index) => copy.bytes.length <= WORTHWHILE * webps[index]!.size);
  const stored = isWorthwhile ? await files.write(copies.map((copy) => Buffer.from(copy.bytes))) : [];
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("image_avif_tries")
      .set({ is_done: true, is_busy: false })
      .where("hash", "=", hash)
      .executeTakeFirst();
    // Without the row, staff have deleted the picture.
    if (!isWorthwhile || numUpdatedRows === 0n) return;
    const rows = copies.map(({ width }, index) => ({ hash, format: "avif" as const, width, ...stored[index]! }));
    await transaction
      .insertInto("image_variants")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return isWorthwhile;
}

/** In a process of its own. @throws Error if that ends without an answer, or takes too long. */
export async function encodeApart(order: AvifOrder): Promise<readonly AvifCopy[]> {
  const child = fork(new URL("./avif-process.ts", import.meta.url), {
    serialization: "advanced",
    execArgv: [],
    timeout: ENCODE_MS,
    killSignal: "SIGKILL",
    // It needs no secrets.
    env: {},
  });
  child.send(order);
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`The encoder ended with ${signal ?? code}.`);
  });
  const [answer] = (await Promise.race([once(child, "message"), ended])) as [AvifAnswer];
  if ("fault" in answer) throw new Error(answer.fault);
  return answer;
}
