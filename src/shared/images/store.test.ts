import Fastify from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { longTest } from "#test/long-test.ts";
import { createByteCache } from "./byte-cache.ts";
import { filesInDatabase } from "./files/create-files.ts";
import { imageRoutes } from "./routes.ts";
import { sharp } from "./sharp.ts";
import { describePicture, describePictures, storeImage } from "./store.ts";

let db: TestDatabase;
const app = Fastify();
beforeAll(async () => {
  db = await createTestDatabase();
  imageRoutes(app, { database: db.database, files: filesInDatabase });
});
afterAll(async () => {
  await app.close();
  await db.stop();
});

function picture(red: number, width = 700): Promise<Buffer> {
  return sharp({ create: { width, height: 350, channels: 3, background: { r: red, g: 90, b: 90 } } })
    .png()
    .toBuffer();
}

async function countRows(): Promise<string> {
  const { rows } = await db.pool.query(
    "select (select count(*) from images) || ' ' || (select count(*) from image_variants) as counts",
  );
  return rows[0].counts;
}

longTest("PAGE-6: a picture is stored once, however often and concurrently it is added", async () => {
  const bytes = await picture(10);
  const addresses = await Promise.all([1, 2, 3].map(() => storeImage(db.database, bytes)));
  expect(new Set([...addresses, await storeImage(db.database, bytes)]).size).toBe(1);
  expect(addresses[0]).toMatch(/^\/images\/[0-9a-f]{32}$/);
  expect(await countRows()).toBe("1 8");
});

test("PAGE-6: a picture is stored only if its transaction commits, and a refused one leaves nothing", async () => {
  const before = await countRows();
  const undone = db.database.transaction().execute(async (transaction) => {
    await storeImage(transaction, await picture(20));
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await expect(storeImage(db.database, Buffer.from("<svg/>"))).rejects.toMatchObject({ problem: "invalid_input" });
  expect(await countRows()).toBe(before);
});

test("HOME-10, PAGE-6: pictures need one query, drawings and unknown addresses none", async () => {
  const address = await storeImage(db.database, await picture(30, 500));
  const query = vi.spyOn(db.database, "selectFrom");
  const drawing = "/identity/illustrations/hero-girl-reading.svg";
  const stranger = `/images/${"0".repeat(32)}`;
  const drawings = await describePictures(db.database, [drawing, "/identity/brand/logo-mark.svg", "/x.png", ""]);
  expect(query).not.toHaveBeenCalled();
  expect([...drawings.values()].map(({ width, height, widths }) => [width, height, widths.length])).toEqual([
    [900, 980, 0],
    [64, 64, 0],
    [800, 600, 0],
    [800, 600, 0],
  ]);
  const mixed = await describePictures(db.database, [address, drawing, stranger, address]);
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
  expect(mixed.size).toBe(3);
  expect(mixed.get(address)).toEqual({ address, width: 500, height: 350, color: "#1e5a5a", widths: [320, 480, 500] });
  expect(mixed.get(stranger)).toEqual({ address: stranger, width: 800, height: 600, color: null, widths: [] });
  expect(await describePicture(db.database, address)).toEqual(mixed.get(address));
});

test("HOME-10, PAGE-6: a picture is served in each width and format, cacheable forever", async () => {
  const address = await storeImage(db.database, await picture(40));
  for (const [file, type, width, format] of [
    ["/480.webp", "image/webp", 480, "webp"],
    ["/700.jpg", "image/jpeg", 700, "jpeg"],
    ["", "image/jpeg", 700, "jpeg"],
  ] as const) {
    const answer = await app.inject(address + file);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
      "content-disposition": "inline",
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width, format });
    const again = await app.inject({ url: address + file, headers: { "if-none-match": `W/${answer.headers.etag}` } });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", answer.headers.etag]);
    expect((await app.inject({ method: "HEAD", url: address + file })).headers["content-type"]).toBe(type);
  }
});

test("PAGE-6: an address without a picture is not found, and needs no query if it cannot be one", async () => {
  const address = await storeImage(db.database, await picture(50));
  for (const url of [`/images/${"0".repeat(32)}`, `${address}/481.webp`, `${address}/1920.jpg`]) {
    expect((await app.inject(url)).statusCode, url).toBe(404);
  }
  const query = vi.spyOn(db.database, "selectFrom");
  for (const url of [
    "/images/",
    "/images/x",
    `${address.toUpperCase().replace("/IMAGES", "/images")}/480.webp`,
    `${address}/480.png`,
    `${address}/0480.jpg`,
    `${address}/999999999999.jpg`,
    `${address}/..%2f..%2fpackage.json`,
    "/images/..%2f..%2fpackage.json",
    "/images/../package.json",
    `${address}'--/480.jpg`,
    `${address}/480.jpg/more`,
  ]) {
    expect((await app.inject(url)).statusCode, url).toBe(404);
  }
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
});

test("a popular picture costs one query, however many request it at once", async () => {
  const address = await storeImage(db.database, await picture(60));
  const query = vi.spyOn(db.database, "selectFrom");
  await Promise.all(Array.from({ length: 20 }, () => app.inject(`${address}/320.webp`)));
  await app.inject(`${address}/320.webp`);
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
});

test("the cache of bytes stays within its limit, drops the least recently used and forgets failures", async () => {
  const cache = createByteCache<{ bytes: Buffer }>(100);
  const reads: string[] = [];
  const find = (key: string, size = 40) =>
    cache.find(key, async () => {
      reads.push(key);
      return { bytes: Buffer.alloc(size) };
    });
  for (const key of ["a", "b", "a", "c", "a", "b"]) await find(key);
  expect(reads).toEqual(["a", "b", "c", "b"]);
  await find("huge", 101);
  await find("huge", 101);
  expect(reads.slice(4)).toEqual(["huge", "huge"]);
  await expect(cache.find("f", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await cache.find("f", async () => undefined)).toBeUndefined();
  expect(await cache.find("f", async () => ({ bytes: Buffer.alloc(1) }))).toBeDefined();
});
