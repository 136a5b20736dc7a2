import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveredBrand } from "#shared/brand/site-brand.ts";
import type { Picture } from "#shared/images/picture.ts";
import { sharp } from "#shared/images/sharp.ts";
import { longTest } from "#test/long-test.ts";
import { createSharingPictures } from "./sharing.ts";
import { canvas, column, opening, signature } from "./sharing-art.ts";
import { deliveredSharing, type SharingBrand } from "./sharing-brand.ts";
import { drawText } from "./sharing-text.ts";

const indigo = "#16214f";
const organisationName = "Marigold Trust";
const folder = mkdtempSync(join(tmpdir(), "almoner-sharing-"));
const asked: unknown[] = [];
let photograph: Buffer | undefined;
const pictures = createSharingPictures({
  folder,
  readVariant: async (wanted) => {
    asked.push(wanted);
    return photograph === undefined ? undefined : { bytes: photograph };
  },
});

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A build in plain colours: the window is red for the home page's drawing and green for another. */
beforeAll(async () => {
  for (const [name, { width, height }, color] of [
    ["ground", canvas, indigo],
    ["opening", opening, "#ffffff"],
    ["mark", { width: 60, height: 60 }, "#ffffff"],
    ["hero-girl-reading", opening, "#ff0000"],
    ["hospital", opening, "#00ff00"],
  ] as const) {
    writeFileSync(join(folder, `${name}.png`), await plain(width, height, color).png().toBuffer());
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const drawing = (name: string): Picture => ({
  address: `/identity/illustrations/${name}.svg`,
  width: 800,
  height: 600,
  color: null,
  widths: [],
});
const stored: Picture = {
  address: `/images/${"a".repeat(32)}`,
  width: 1600,
  height: 1200,
  color: "#0000ff",
  widths: [320, 640, 960, 1280],
};

/** The colour in the middle of the window. */
async function windowColor(picture: Picture | null, brand: SharingBrand = deliveredSharing): Promise<number[]> {
  const drawn = await pictures.draw({ title: "Patient Care", organisationName, picture, brand });
  const { width, height, format } = await sharp(drawn).metadata();
  expect([width, height, format]).toEqual([1200, 630, "png"]);
  return colorAt(drawn, { left: opening.left + 200, top: opening.top + 260 });
}

async function colorAt(drawn: Buffer, place: { left: number; top: number }): Promise<number[]> {
  const middle = await sharp(drawn)
    .extract({ ...place, width: 1, height: 1 })
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  return [...middle].map((value) => Math.round(value / 32) * 32);
}

test("NAV-9: the sharing picture shows a page's drawing, an event's photograph, or else the home page's drawing", async () => {
  photograph = await plain(960, 720, "#0000ff").jpeg().toBuffer();
  expect(await windowColor(drawing("hospital"))).toEqual([0, 256, 0]);
  expect(await windowColor(stored)).toEqual([0, 0, 256]);
  expect(asked).toEqual([{ hash: "a".repeat(32), width: 960, format: "jpeg" }]);
  expect(await windowColor(null)).toEqual([256, 0, 0]);
});

test("NAV-9: a picture that is missing, damaged or from another site becomes the home page's drawing", async () => {
  photograph = undefined;
  expect(await windowColor(stored)).toEqual([256, 0, 0]);
  photograph = Buffer.from("no picture");
  expect(await windowColor(stored)).toEqual([256, 0, 0]);
  for (const name of ["unknown", "../../../etc/passwd"]) expect(await windowColor(drawing(name))).toEqual([256, 0, 0]);
});

/** The ground of words, in the rounding of `colorAt`. */
const indigoSeen = [32, 32, 64];

test("BRA-7: in the craft theme a shared link has the page’s picture, the brand’s, the drawing, or no window", async () => {
  photograph = await plain(960, 720, "#0000ff").jpeg().toBuffer();
  const withPictures = { ...deliveredSharing, pictures: [drawing("unknown"), stored] };
  expect(await windowColor(drawing("hospital"), withPictures)).toEqual([0, 256, 0]);
  expect(await windowColor(null, withPictures)).toEqual([0, 0, 256]);
  expect(await windowColor(null)).toEqual([256, 0, 0]);
  const bare = { ...deliveredSharing, hasDrawing: false };
  expect(await windowColor(null, bare)).toEqual(indigoSeen);
  expect(await windowColor(null, { ...bare, look: { ...deliveredBrand, main: "#800000" } })).toEqual([128, 0, 0]);
});

test("BRA-7: in the quiet theme a shared link has the brand’s picture or a plain ground, and the brand’s mark", async () => {
  photograph = await plain(960, 720, "#0000ff").jpeg().toBuffer();
  const look = { ...deliveredBrand, theme: "quiet" } as const;
  const quiet = { ...deliveredSharing, look, hasDrawing: false, pictures: [stored] };
  expect(await windowColor(null, quiet)).toEqual([0, 0, 256]);
  photograph = undefined;
  expect(await windowColor(null, quiet)).toEqual(indigoSeen);
  const mark = await plain(90, 90, "#00ff00").png().toBuffer();
  const place = { left: column.left + 30, top: signature.top + signature.height / 2 };
  const draw = (brand: SharingBrand) =>
    pictures.draw({ title: "Patient Care", organisationName, picture: null, brand });
  expect(await colorAt(await draw(quiet), place)).toEqual([256, 256, 256]);
  expect(await colorAt(await draw({ ...quiet, mark }), place)).toEqual([0, 256, 0]);
});

longTest("NAV-9: any title can be drawn, and none overflows its column", async () => {
  const titles = [
    "",
    "   ",
    "<b>&amp; \"quoted\" 'so' </span> & <",
    "😀🇦🇺👩‍👩‍👧",
    "x".repeat(500),
    "word ".repeat(100),
    "پانی کا چشمہ: تھر کے ایک گاؤں میں صاف پانی کا نیا نل 2026",
    "\u202e\u0000\ud800 \ufffe lone",
    "1234567890".repeat(50),
    "Żółć Жизнь 中文 עברית",
  ];
  for (const title of titles) {
    const words = await drawText(title, "title", { width: column.width, height: 410 });
    if (words !== undefined) {
      expect(words.width, title).toBeLessThanOrEqual(column.width);
      expect(words.height, title).toBeLessThanOrEqual(410);
    }
    const drawn = await pictures.draw({ title, organisationName: title, picture: null });
    expect((await sharp(drawn).metadata()).width).toBe(canvas.width);
  }
  for (const nothing of ["😀", "\u{e0020}", " \u200c\u2060"]) {
    expect(await drawText(nothing, "title", { width: 520, height: 410 })).toBeUndefined();
  }
  const odd = fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (title) => {
    await drawText(title, "title", { width: column.width, height: 410 });
  });
  await fc.assert(odd, { numRuns: 60 });
});

test("NAV-9: an Arabic title is aligned to the right", async () => {
  const box = { width: 520, height: 410 };
  expect(await drawText("پانی", "title", box)).toMatchObject({ isRightToLeft: true });
  expect(await drawText("Water پانی", "title", box)).toMatchObject({ isRightToLeft: false });
});

longTest("NAV-9: many pictures at the same time are drawn in turn, and quickly enough", async () => {
  const started = process.cpuUsage();
  const all = Array.from({ length: 12 }, (_, index) =>
    pictures.draw({ title: `A page of number ${index}`, organisationName, picture: drawing("hospital") }),
  );
  const sizes = (await Promise.all(all)).map(({ length }) => length);
  expect(Math.max(...sizes)).toBeLessThan(120_000);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000, "milliseconds of processor time").toBeLessThan(10_000);
});
