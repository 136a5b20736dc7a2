import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { openS3Server, type S3Server } from "#test/s3-server.ts";
import { findPrivateFile, putPrivateFile, writePrivateFiles } from "../private-files.ts";
import { createFiles } from "./create-files.ts";
import { sweepBucket } from "./sweep-bucket.ts";

const MINUTE_MS = 60_000;
const log = pino({ level: "silent" });
let db: TestDatabase;
let s3: S3Server;
let later: number;
beforeAll(async () => {
  db = await createTestDatabase();
  s3 = await openS3Server({ pageSize: 2 });
});
beforeEach(async () => {
  later = 0;
  Object.assign(s3, { fault: null, onRequest: undefined });
  await db.pool.query("delete from private_files");
  await db.pool.query("delete from objects_to_check");
  s3.objects.clear();
});
afterAll(async () => {
  await s3.close();
  await db.stop();
});

const now = () => new Date(Date.now() + later);
const open = (isForNew = true) =>
  createFiles({ database: db.database, settings: { ...s3.settings, isForNew }, log, now });
const photo = { media_type: "image/jpeg", width: 3, height: 2, bytes: Buffer.from("a photo") } as const;
const keysToCheck = async () =>
  (await db.pool.query("select object_key from objects_to_check")).rows.map(({ object_key }) => `files/${object_key}`);

async function store(files: ReturnType<typeof open>): Promise<string> {
  const [written] = await writePrivateFiles(files, [photo]);
  return putPrivateFile(db.database, written!, now());
}

test("STO-3: a private file has a random key of its own and no bytes in its row, and is read to the byte", async () => {
  const files = open();
  const [one, other] = [await store(files), await store(files)];
  const { rows } = await db.pool.query("select bytes, object_key, object_bytes from private_files order by object_key");
  expect(rows).toEqual(Array(2).fill({ bytes: null, object_key: expect.any(String), object_bytes: 7 }));
  expect(s3.listFiles().sort()).toEqual(rows.map(({ object_key }) => `files/${object_key}`));
  for (const id of [one, other]) expect(await findPrivateFile({ database: db.database, files }, id)).toEqual(photo);
});

test("STO-3: other bytes than were stored are never given out, whether of the same length, longer or gone", async () => {
  const files = open();
  const id = await store(files);
  const read = () => findPrivateFile({ database: db.database, files }, id);
  for (const fault of ["damage", "long"] as const) {
    s3.fault = fault;
    await expect(read()).rejects.toMatchObject({ problem: "files_away", cause: { fault: "damaged" } });
  }
  s3.fault = null;
  expect(await read()).toEqual(photo);
  s3.objects.clear();
  await expect(read()).rejects.toMatchObject({ problem: "files_away", cause: { fault: "missing" } });
});

test("STO-3: a row has either its bytes or the whole of its object", async () => {
  const insert = (columns: string, values: string) =>
    db.pool.query(
      `insert into private_files (id, media_type, width, height, created_at, ${columns}) values ($1, 'image/png', 1, 1, now(), ${values})`,
      [randomUUID()],
    );
  await expect(insert("bytes", "null")).rejects.toThrow("private_files_file");
  await expect(insert("object_key", `'${randomUUID()}'`)).rejects.toThrow("private_files_file");
  await expect(
    insert("bytes, object_key, object_sha256, object_bytes", `'a', '${randomUUID()}', 'b', 1`),
  ).rejects.toThrow("private_files_file");
});

test("STO-4: the object of a deleted row is deleted a minute later, and that of another row stays", async () => {
  const files = open();
  const [gone, kept] = [await store(files), await store(files)];
  await db.pool.query("delete from private_files where id = $1", [gone]);
  expect(await files.deleteUnneeded()).toBe(0);
  expect(s3.listFiles()).toHaveLength(2);
  later = 2 * MINUTE_MS;
  expect(await files.deleteUnneeded()).toBe(1);
  expect(s3.listFiles()).toHaveLength(1);
  expect(await findPrivateFile({ database: db.database, files }, kept)).toEqual(photo);
  later = 60 * MINUTE_MS;
  expect(await files.deleteUnneeded()).toBe(0);
  expect(await keysToCheck()).toEqual([]);
  expect(await findPrivateFile({ database: db.database, files }, kept)).toEqual(photo);
});

test("STO-4: an object whose row never came is deleted after ten minutes, and none before its row may have come", async () => {
  const files = open();
  const [written] = await writePrivateFiles(files, [photo]);
  expect(await keysToCheck()).toEqual(s3.listFiles());
  later = 9 * MINUTE_MS;
  expect(await files.deleteUnneeded()).toBe(0);
  await putPrivateFile(db.database, written!, now());
  await writePrivateFiles(files, [photo]);
  later = 30 * MINUTE_MS;
  expect(await files.deleteUnneeded()).toBe(1);
  expect(s3.listFiles()).toEqual([`files/${written!.object_key}`]);
});

test("STO-4: what a bucket does not delete is tried again until it is gone", async () => {
  const files = open();
  const id = await store(files);
  await db.pool.query("delete from private_files where id = $1", [id]);
  later = 2 * MINUTE_MS;
  s3.fault = "deny";
  await expect(files.deleteUnneeded()).rejects.toMatchObject({ code: "AccessDenied" });
  expect(await keysToCheck()).toEqual(s3.listFiles());
  s3.fault = null;
  expect(await files.deleteUnneeded()).toBe(0);
  later += 2 * MINUTE_MS;
  expect(await files.deleteUnneeded()).toBe(1);
  expect([s3.listFiles(), await keysToCheck()]).toEqual([[], []]);
});

test("STO-4: if only some objects of a form are taken, it is refused, and none of them stays", async () => {
  const files = open();
  let count = 0;
  s3.onRequest = (request) => {
    if (!request.startsWith("PUT files/")) return;
    count += 1;
    s3.fault = count === 2 ? "error" : null;
  };
  await expect(writePrivateFiles(files, [photo, photo, photo])).rejects.toMatchObject({ status: 503 });
  await expect.poll(() => count).toBe(3);
  s3.onRequest = undefined;
  s3.fault = null;
  expect(s3.listFiles()).toHaveLength(2);
  later = 11 * MINUTE_MS;
  await files.deleteUnneeded();
  expect(s3.listFiles()).toEqual([]);
});

test("STO-5: one object of a form goes alone first, since a bucket that may be back gets one request at a time", async () => {
  const before: number[] = [];
  s3.onRequest = (request) => {
    if (request.startsWith("PUT files/")) before.push(s3.listFiles().length);
  };
  await writePrivateFiles(open(), [photo, photo, photo]);
  expect([before.length, before[0]]).toEqual([3, 0]);
  expect(Math.min(...before.slice(1))).toBe(1);
});

test("STO-6: a sweep deletes what no row refers to once it is a day old, over all pages, and nothing else", async () => {
  const files = open();
  const kept = [await store(files), await store(files), await store(files)];
  const old = new Date(Date.now() - 25 * 60 * MINUTE_MS);
  for (let count = 0; count < 5; count += 1) {
    s3.objects.set(`files/${randomUUID()}`, { body: photo.bytes, changedAt: old });
  }
  for (const object of s3.objects.values()) object.changedAt = old;
  s3.objects.set("files/notes.txt", { body: photo.bytes, changedAt: old });
  s3.objects.set(`files/${randomUUID()}`, { body: photo.bytes, changedAt: new Date() });
  expect(await sweepBucket({ database: db.database, files })).toBe(5);
  expect(s3.listFiles()).toHaveLength(5);
  expect(s3.objects.has("owner")).toBe(true);
  for (const id of kept) expect(await findPrivateFile({ database: db.database, files }, id)).toEqual(photo);
});

test("STO-7: a bucket belongs to the first site that uses it; another writes, deletes and sweeps nothing there", async () => {
  await store(open());
  s3.objects.set("owner", { body: Buffer.from(randomUUID()), changedAt: new Date() });
  const [before, files] = [s3.listFiles(), open()];
  await expect(files.open()).rejects.toThrow(/belongs to another site.*Set S3_BUCKET/);
  await expect(writePrivateFiles(files, [photo])).rejects.toMatchObject({ problem: "files_away" });
  await expect(sweepBucket({ database: db.database, files })).rejects.toThrow("belongs to another site");
  await db.pool.query("delete from private_files");
  later = 60 * MINUTE_MS;
  await expect(files.deleteUnneeded()).rejects.toThrow("belongs to another site");
  expect(s3.listFiles()).toEqual(before);
});

test("STO-7: of two sites that take an empty bucket at the same moment, one gets it", async () => {
  const other = await createTestDatabase();
  const both = [db, other].map(({ database }) =>
    createFiles({ database, settings: { ...s3.settings, isForNew: true }, log, now }),
  );
  const outcomes = await Promise.allSettled(both.map((files) => files.open()));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await other.stop();
});

test("STO-5: a start goes on without a bucket that does not answer, and the log says what to do", async () => {
  const lines: string[] = [];
  const warn = ((_: object, text: string) => void lines.push(text)) as never;
  s3.fault = "deny";
  const settings = { ...s3.settings, isForNew: true };
  await createFiles({ database: db.database, settings, log: { warn }, now }).open();
  expect(lines).toEqual([expect.stringMatching(/cannot be used: The key may not do this/)]);
});

test("STO-2: a start without the settings says how many files cannot be read", async () => {
  await store(open());
  const lines: object[] = [];
  const warn = ((...line: object[]) => void lines.push(line)) as never;
  const files = createFiles({ database: db.database, settings: null, log: { warn }, now });
  await files.open();
  expect(lines).toEqual([[{ inBucket: 1 }, "files in a bucket cannot be read: set the five S3_ settings"]]);
  await db.pool.query("delete from private_files");
  await files.open();
  expect(lines).toHaveLength(1);
});

test("STO-6: with S3_NEW_FILES=off the bucket is still read, and new files are in the database", async () => {
  const id = await store(open());
  const files = open(false);
  const count = s3.listFiles().length;
  const own = await store(files);
  expect(s3.listFiles()).toHaveLength(count);
  for (const each of [id, own]) expect(await findPrivateFile({ database: db.database, files }, each)).toEqual(photo);
});
