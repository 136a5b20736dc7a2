import { createHook } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodeOnce, finishBytes } from "./page-bytes.ts";

test("PERF-4: a page is compressed in the encoding that is asked for, once for all who ask", async () => {
  let compressors = 0;
  const hook = createHook({
    init(_, type) {
      if (type === "ZLIB") compressors += 1;
    },
  }).enable();
  const page = finishBytes("<p>page</p>".repeat(100));
  await page.inEncoding("identity");
  expect(compressors).toBe(0);
  const [one, other] = await Promise.all([page.inEncoding("br"), page.inEncoding("br")]);
  expect(one).toBe(other);
  expect(compressors).toBe(1);
  await page.inEncoding("gzip");
  expect(compressors).toBe(2);
  hook.disable();
});

test("PERF-8: a page that is sent once says the same in each encoding, and is compressed with less effort", async () => {
  const words = readFileSync("docs/architecture.md", "utf8");
  const once = await encodeOnce(words, "br");
  expect(brotliDecompressSync(once).toString()).toBe(words);
  expect(gunzipSync(await encodeOnce(words, "gzip")).toString()).toBe(words);
  expect((await encodeOnce(words, "identity")).toString()).toBe(words);
  expect(once.length).toBeGreaterThan((await finishBytes(words).inEncoding("br")).length);
});
