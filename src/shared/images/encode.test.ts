import { crc32 } from "node:zlib";
import pLimit from "p-limit";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { encodeImage } from "./encode.ts";
import { sharp } from "./sharp.ts";

type Color = { readonly r: number; readonly g: number; readonly b: number; readonly alpha?: number };
const red = { r: 200, g: 30, b: 30 };
const blue = { r: 20, g: 40, b: 160 };

function plain(width: number, height: number, background: Color = red) {
  return sharp({ create: { width, height, channels: 4, background: { alpha: 1, ...background } } });
}

/** A JPEG stored sideways, red above blue when upright, with a camera's name and a location. */
async function phonePicture(): Promise<Buffer> {
  const lower = await plain(200, 300, blue).png().toBuffer();
  return plain(400, 300)
    .composite([{ input: lower, left: 200, top: 0 }])
    .withExif({
      IFD0: { Make: "Telltale" },
      IFD3: { GPSLatitudeRef: "S", GPSLatitude: "33/1 52/1 10/1" },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

function colorAt(pixels: Buffer, width: number, [x, y]: readonly [number, number]) {
  return [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
}

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const error = await encodeImage(bytes).then(
    () => expect.fail("was taken"),
    (cause: unknown) => cause,
  );
  expect(error).toMatchObject({ problem: "invalid_input", fields: { image: [expect.stringMatching(/\.$/)] } });
  return (error as { fields: { image: string[] } }).fields.image[0]!;
}

describe("PAGE-6: a picture as a phone takes it", () => {
  let source: Buffer;
  let encoded: Awaited<ReturnType<typeof encodeImage>>;
  beforeAll(async () => {
    source = await phonePicture();
    encoded = await encodeImage(source);
  });

  test("is stored upright, named by its hash, with an average colour", async () => {
    expect((await sharp(source).metadata()).orientation).toBe(6);
    expect(encoded).toMatchObject({ width: 300, height: 400, hash: expect.stringMatching(/^[0-9a-f]{32}$/) });
    for (const { bytes } of encoded.variants) {
      const pixels = await sharp(bytes).toColourspace("srgb").raw().toBuffer();
      const [top, bottom] = [colorAt(pixels, 300, [150, 40]), colorAt(pixels, 300, [150, 360])];
      expect(top[0]! > 150 && top[2]! < 80 && bottom[0]! < 80 && bottom[2]! > 120).toBe(true);
    }
    expect(encoded.color).toMatch(/^#[67].{5}$/);
  });

  test("reveals neither location nor camera", async () => {
    expect(source.includes("Telltale")).toBe(true);
    expect((await sharp(source).metadata()).exif).toBeDefined();
    for (const { bytes } of encoded.variants) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
      expect([exif, xmp, iptc, icc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
      expect(bytes.includes("Telltale")).toBe(false);
    }
  });
});

test("PAGE-6: a picture is stored in widths up to its own, each as WebP and as progressive JPEG", async () => {
  const widthsOf = async (width: number) =>
    (await encodeImage(await plain(width, 300).jpeg().toBuffer())).variants.map(
      (variant) => `${variant.width} ${variant.format}`,
    );
  expect(await widthsOf(700)).toEqual([320, 480, 640, 700].flatMap((width) => [`${width} webp`, `${width} jpeg`]));
  expect((await widthsOf(3000)).at(-1)).toBe("1920 jpeg");
  expect(await widthsOf(1920)).toHaveLength(12);
  expect(await widthsOf(90)).toEqual(["90 webp", "90 jpeg"]);
  const { variants } = await encodeImage(await plain(500, 400).png().toBuffer());
  const made = await Promise.all(variants.map(({ bytes }) => sharp(bytes).metadata()));
  expect(made.map(({ format, width, height, isProgressive }) => [format, width, height, isProgressive])).toEqual(
    [320, 480, 500].flatMap((width) => [
      ["webp", width, width * 0.8, false],
      ["jpeg", width, width * 0.8, true],
    ]),
  );
});

test("PERF-14: encoding a picture copies no pixels on the thread that answers", async () => {
  const clone = vi.spyOn(globalThis, "structuredClone");
  const { variants } = await encodeImage(await plain(1000, 500).jpeg().toBuffer());
  expect(variants).toHaveLength(10);
  expect(clone).not.toHaveBeenCalled();
});

test("PAGE-6: grey, CMYK, 16-bit, transparent and animated pictures are accepted, flattened and as the first frame", async () => {
  const frames = Buffer.concat([Buffer.alloc(64 * 64 * 3, 10), Buffer.alloc(64 * 64 * 3, 250)]);
  const sources = {
    grey: await plain(64, 64).toColourspace("b-w").png().toBuffer(),
    cmyk: await plain(64, 64).toColourspace("cmyk").jpeg().toBuffer(),
    deep: await plain(64, 64).toColourspace("rgb16").png().toBuffer(),
    clear: await plain(64, 64, { ...red, alpha: 0 })
      .png()
      .toBuffer(),
    moving: await sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
      .webp({ loop: 0, delay: [80, 80] })
      .toBuffer(),
  };
  expect((await sharp(sources.moving, { pages: -1 }).metadata()).pages).toBe(2);
  const colors: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(sources)) {
    const { width, height, color } = await encodeImage(bytes);
    expect([width, height], name).toEqual([64, 64]);
    colors[name] = color;
  }
  expect(colors.clear).toBe("#f6f7f2");
  expect(colors.moving).toMatch(/^#0/);
  expect(colors.deep).toBe("#c81e1e");
});

/** A PNG whose header claims this many pixels but that has none. */
function pngHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(17);
  head.write("IHDR");
  head.writeUInt32BE(width, 4);
  head.writeUInt32BE(height, 8);
  head.set([8, 6, 0, 0, 0], 12);
  const chunk = (body: Buffer) => {
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(body.length - 4);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
  };
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk(head), chunk(Buffer.from("IDAT")), chunk(Buffer.from("IEND"))]);
}

test("PAGE-6: anything but JPEG, PNG and WebP is refused with a sentence, whatever its name", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  for (const bytes of [svg, "<!doctype html><script>alert(1)</script>", "plain words", "%PDF-1.7", "II*\0", gif]) {
    expect(await refusalOf(Buffer.from(bytes))).toBe("Please choose a JPEG, PNG or WebP picture.");
  }
  expect(await refusalOf(Buffer.alloc(0))).toBe("This file is empty. Please choose another picture.");
  await expect(sharp(Buffer.from(svg)).png().toBuffer()).rejects.toThrow();
  await expect(sharp(gif).png().toBuffer()).rejects.toThrow();
});

test("PAGE-6: damaged pictures are refused, never stored in part", async () => {
  const whole = await phonePicture();
  const png = await plain(80, 80).png().toBuffer();
  const webp = await plain(80, 80).webp().toBuffer();
  const disguised = Buffer.concat([
    Buffer.from("ffd8ff", "hex"),
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
  ]);
  const cut = [whole, png, webp].flatMap((bytes) => [bytes.subarray(0, bytes.length / 2), bytes.subarray(0, 14)]);
  for (const bytes of [...cut, disguised]) expect(await refusalOf(bytes)).toMatch(/couldn’t read this picture/);
});

test("PAGE-6: pictures that are too large are refused before they are decoded", async () => {
  const before = process.memoryUsage().rss;
  const started = process.cpuUsage();
  expect(await refusalOf(pngHead(50_000, 50_000))).toMatch(/40 million pixels/);
  expect(await refusalOf(pngHead(20_000, 10))).toMatch(/16,000/);
  expect(await refusalOf(Buffer.alloc(15 * 1024 * 1024 + 1, 0xff))).toMatch(/15 MB/);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000, "milliseconds of processor time").toBeLessThan(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
});

test("a queue runs this many at once, in order, and continues after a failure", async () => {
  const run = pLimit(2);
  const begun: number[] = [];
  let open = 0;
  let most = 0;
  const results = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((each) =>
      run(async () => {
        begun.push(each);
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open -= 1;
        if (each === 2) throw new Error("two");
        return each;
      }),
    ),
  );
  expect([begun, most]).toEqual([[1, 2, 3, 4, 5], 2]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
});
