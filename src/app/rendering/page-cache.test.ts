import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { finishBytes, type PageBytes } from "./page-bytes.ts";
import { createPageCache } from "./page-cache.ts";

type Options = { maximum: number; onStale: () => void; now?: () => number; edition?: () => string | undefined };
const createCache = (options: Options) => {
  const cache = createPageCache<PageBytes>({ maxAgeMs: 60_000, ...options });
  const get = (key: string, build: () => Promise<string>) => cache.get(key, async () => finishBytes(await build()));
  return { ...cache, get: async (key: string, build: () => Promise<string>) => (await get(key, build))! };
};
const quiet = { maximum: 10, onStale: () => undefined };
const textOf = async (bytes: Promise<PageBytes>) => (await (await bytes).inEncoding("identity")).toString();

test("HOME-12: a page is built once for all who wait, with the same content in three encodings", async () => {
  const cache = createCache(quiet);
  const build = vi.fn(async () => "<p>چشمہ</p>".repeat(50));
  const all = await Promise.all(Array.from({ length: 20 }, () => cache.get("/", build)));
  expect(build).toHaveBeenCalledTimes(1);
  const identity = await all[0]!.inEncoding("identity");
  expect(gunzipSync(await all[0]!.inEncoding("gzip")).equals(identity)).toBe(true);
  expect(brotliDecompressSync(await all[0]!.inEncoding("br")).equals(identity)).toBe(true);
});

test("BAN-4: everything is rebuilt once when the edition changes, and what was made before counts as old", async () => {
  let edition: string | undefined;
  const cache = createCache({ ...quiet, edition: () => edition });
  const build = vi.fn(async () => `with ${edition}`);
  const first = await cache.get("/", build);
  expect([cache.isFresh("/", first), build.mock.calls.length]).toEqual([true, 1]);
  edition = "a banner";
  expect(cache.isFresh("/", first)).toBe(false);
  expect(await textOf(cache.get("/", build))).toBe("with a banner");
  await cache.get("/", build);
  expect(build).toHaveBeenCalledTimes(2);
});

test("REL-3: changed content is rebuilt, and no request joins a build that began before the change", async () => {
  const cache = createCache(quiet);
  let content = "old";
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const early = cache.get("/", async () => {
    const read = content;
    await gate;
    return read;
  });
  content = "new";
  cache.drop();
  expect(await textOf(cache.get("/", async () => content))).toBe("new");
  release();
  expect(await textOf(early)).toBe("old");
  expect(await textOf(cache.get("/", async () => "built again"))).toBe("new");
});

test("NAV-8: if a page cannot be rebuilt the last one is served; without one the error is thrown", async () => {
  const onStale = vi.fn();
  const cache = createCache({ maximum: 10, onStale });
  const fails = async () => {
    throw new Error("database away");
  };
  await expect(cache.get("/", fails)).rejects.toThrow("database away");
  await cache.get("/", async () => "good");
  cache.drop();
  expect(await textOf(cache.get("/", fails))).toBe("good");
  expect(onStale).toHaveBeenCalledTimes(1);
  cache.drop();
  expect(await textOf(cache.get("/", async () => "better"))).toBe("better");
});

test("REL-3: the cache is bounded, and the least recently used page leaves first", async () => {
  const cache = createCache({ ...quiet, maximum: 2 });
  const build = vi.fn(async () => "x");
  for (const key of ["a", "b", "a", "c", "a"]) await cache.get(key, build);
  expect(build).toHaveBeenCalledTimes(3);
  await cache.get("b", build);
  expect(build).toHaveBeenCalledTimes(4);
});

test("PAGE-5: a page one minute old is rebuilt, because it may depend on the day", async () => {
  let at = 0;
  const cache = createCache({ ...quiet, now: () => at });
  expect(await textOf(cache.get("/events", async () => "upcoming"))).toBe("upcoming");
  at = 59_000;
  expect(await textOf(cache.get("/events", async () => "past"))).toBe("upcoming");
  at = 61_000;
  expect(await textOf(cache.get("/events", async () => "past"))).toBe("past");
});

test("NAV-8: a deleted page is no longer served, and unknown addresses push nothing out", async () => {
  const cache = createPageCache<{ text: string }>({ maximum: 2, maxAgeMs: 60_000, onStale: () => undefined });
  const build = vi.fn(async () => ({ text: "kept" }));
  await cache.get("kept", build);
  for (const key of ["a", "b", "c", "d"]) expect(await cache.get(key, async () => null)).toBeNull();
  await cache.get("kept", build);
  expect(build).toHaveBeenCalledTimes(1);
  cache.drop();
  expect(await cache.get("kept", async () => null)).toBeNull();
  expect(await cache.get("kept", build)).toEqual({ text: "kept" });
});
