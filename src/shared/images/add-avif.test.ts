import { readFile } from "node:fs/promises";
import Fastify from "fastify";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { longTest } from "#test/long-test.ts";
import { addAvif, encodeApart } from "./add-avif.ts";
import { encodeAvif } from "./encode-avif.ts";
import { filesInDatabase } from "./files/create-files.ts";
import { imageRoutes } from "./routes.ts";
import { sharp } from "./sharp.ts";
import { describePicture, forgetPictures, storeImage } from "./store.ts";

const MINUTE_MS = 60_000;

let db: TestDatabase;
let heard: pg.Client;
let notifications: number;
let warnings: string[];
let time: number;
const app = Fastify();
beforeAll(async () => {
  db = await createTestDatabase();
  imageRoutes(app, { database: db.database, files: filesInDatabase });
  heard = new pg.Client({ connectionString: db.url });
  await heard.connect();
  await heard.query("listen content_changed");
  heard.on("notification", () => {
    notifications += 1;
  });
});
beforeEach(async () => {
  await db.pool.query("delete from images");
  await heard.query("select 1");
  [notifications, warnings, time] = [0, [], Date.now()];
});
afterAll(async () => {
  await app.close();
  await heard.end();
  await db.stop();
});

const run = async (encode: Parameters<typeof addAvif>[0]["encode"] = encodeAvif) => {
  const log = { warn: ((...[, text]: [object, string]) => void warnings.push(text)) as never };
  await addAvif({ database: db.database, files: filesInDatabase, now: () => new Date(time), log, encode });
  // Notifications arrive before the answer to a later statement.
  await heard.query("select 1");
};
const photograph = await readFile("database/demo/hand-pump.jpg");
/** Different bytes for each width. */
const add = async (width: number) =>
  storeImage(db.database, await sharp(photograph).resize({ width }).jpeg().toBuffer(), { created_at: new Date(time) });
const sizesOf = async (address: string) => {
  const { rows } = await db.pool.query(
    "select width || '.' || format as name, length(bytes) as size from image_variants where hash = $1",
    [address.split("/").at(-1)],
  );
  return new Map<string, number>(rows.map(({ name, size }) => [name, size]));
};
const describe = (address: string) => {
  forgetPictures(db.database);
  return describePicture(db.database, address);
};

test("PIC-8: ten minutes after it was added a picture has AVIF in each width, and pages offer it", async () => {
  const address = await add(350);
  await run();
  expect(await describe(address)).not.toHaveProperty("hasAvif");
  time += 10 * MINUTE_MS;
  await run(encodeApart);
  const sizes = await sizesOf(address);
  for (const width of [320, 350]) {
    expect(sizes.get(`${width}.avif`)! / sizes.get(`${width}.webp`)!).toBeLessThanOrEqual(0.9);
  }
  expect(await describe(address)).toMatchObject({ widths: [320, 350], hasAvif: true });
  const answer = await app.inject(`${address}/320.avif`);
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "image/avif"]);
  expect(answer.rawPayload.subarray(4, 12).toString()).toBe("ftypavif");
});

longTest("PIC-8: pages are built again once for several pictures, and not for none", async () => {
  const addresses = [await add(330), await add(340)];
  await run();
  notifications = 0;
  time += 10 * MINUTE_MS;
  // Two processes at the same time.
  await Promise.all([run(), run()]);
  await run();
  for (const address of addresses) expect(await describe(address)).toHaveProperty("hasAvif", true);
  expect(notifications).toBe(1);
  time += 20 * MINUTE_MS;
  await run();
  expect(notifications).toBe(1);
});

test("PIC-8: copies that are not a tenth smaller than WebP are not kept, and not made again", async () => {
  const plain = sharp({ create: { width: 400, height: 300, channels: 3, background: "#a08060" } });
  const address = await storeImage(db.database, await plain.png().toBuffer(), { created_at: new Date(time) });
  notifications = 0;
  time += 10 * MINUTE_MS;
  await run();
  expect([...(await sizesOf(address)).keys()].filter((name) => name.endsWith("avif"))).toEqual([]);
  expect([await describe(address), notifications, warnings]).toEqual([
    expect.not.objectContaining({ hasAvif: true }),
    0,
    [],
  ]);
  const { rows } = await db.pool.query("select tries, is_done from image_avif_tries");
  expect(rows).toEqual([{ tries: 1, is_done: true }]);
});

longTest("PIC-8: a picture that cannot be encoded is tried three times, and holds no other up", async () => {
  const good = await add(350);
  time += 1;
  const bad = await add(360);
  await db.pool.query("update image_originals set bytes = 'no picture' where hash = $1", [bad.split("/").at(-1)]);
  for (let count = 0; count < 5; count += 1) {
    time += 10 * MINUTE_MS;
    await run(count === 0 ? encodeApart : encodeAvif);
  }
  expect(await describe(good)).toHaveProperty("hasAvif", true);
  expect(warnings).toEqual(Array(3).fill("a picture could not be encoded as AVIF"));
});
