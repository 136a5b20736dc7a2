import { createHook } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodeOnce, finishBytes } from "./page-bytes.ts";

const words = readFileSync("docs/architecture.md", "utf8");

test("PERF-4, PERF-19: a page is compressed quickly for the first who asks, and then once to fewer bytes for all others", async () => {
  let compressors = 0;
  const hook = createHook({
    init(_, type) {
      if (type === "ZLIB") compressors += 1;
    },
  }).enable();
  const page = finishBytes(words);
  expect([page.isFinal("identity"), page.isFinal("br")]).toEqual([true, false]);
  await page.inEncoding("identity");
  expect(compressors).toBe(0);
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => page.inEncoding("br")));
  expect([compressors, page.isFinal("br"), page.isFinal("gzip")]).toEqual([2, true, false]);
  expect(second).toBe(third);
  expect(second!.length).toBeLessThan(first!.length * 0.95);
  await page.inEncoding("gzip");
  expect(compressors).toBe(3);
  hook.disable();
  expect([first!, second!].map((bytes) => brotliDecompressSync(bytes).toString())).toEqual([words, words]);
});

test("PERF-19: a page that is built again and stays the same keeps what is compressed", async () => {
  const page = finishBytes(words);
  await page.inEncoding("br");
  const thorough = await page.inEncoding("br");
  expect(await finishBytes(words, page).inEncoding("br")).toBe(thorough);
  const changed = finishBytes(`${words}!`, page);
  expect(brotliDecompressSync(await changed.inEncoding("br")).toString()).toBe(`${words}!`);
});

test("PERF-8: pages keep their own bytes, whatever their length and script", async () => {
  const texts = ["", "چشمہ 🙂".repeat(9000), "short", "\ud800 alone"];
  const pages = texts.map((text) => finishBytes(text));
  const sent = await Promise.all(pages.map((page) => page.inEncoding("identity")));
  expect(sent.map(String)).toEqual(texts.map((text) => text.toWellFormed()));
});

test("PERF-8: a page that is sent once says the same in each encoding, and is compressed with less effort", async () => {
  const once = await encodeOnce(words, "br");
  expect(brotliDecompressSync(once).toString()).toBe(words);
  expect(gunzipSync(await encodeOnce(words, "gzip")).toString()).toBe(words);
  expect((await encodeOnce(words, "identity")).toString()).toBe(words);
  const many = finishBytes(words);
  await many.inEncoding("br");
  expect(once.length).toBeGreaterThan((await many.inEncoding("br")).length);
});

test("PERF-21: a small page is compressed at once, and a large one in zlib's threads, while others are answered", async () => {
  const paragraph = "<p>Noor Foundation</p>";
  for (const [text, expected] of [
    [paragraph.repeat(2900), true],
    [paragraph.repeat(3000), false],
  ] as const) {
    let isCompressed = false;
    const compressed = encodeOnce(text, "br").finally(() => {
      isCompressed = true;
    });
    // What other threads did is only noticed after this.
    for (let turn = 0; turn < 10; turn += 1) await undefined;
    expect([text.length <= 64 * 1024, isCompressed]).toEqual([expected, expected]);
    expect(brotliDecompressSync(await compressed).toString()).toBe(text);
  }
});
