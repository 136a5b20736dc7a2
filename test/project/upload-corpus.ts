import { crc32, deflateSync } from "node:zlib";
import type { Sharp } from "sharp";
import { MAX_FILE_BYTES } from "#shared/http/uploads.ts";
import { sharp } from "#shared/images/sharp.ts";

/** A mark in everything but pixels, to find it wherever it goes. */
export const MARK = "pl4nted";

/** `kept`: accepted and re-encoded clean. A pattern: refused with a matching sentence. `either`: one of the two. */
type Fate = "kept" | "either" | RegExp;

export type UploadSample = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly fate: Fate;
  readonly filename?: string;
  readonly type?: string;
  /** Width and height of the stored picture. */
  readonly size?: readonly [number, number];
};

export const notAPicture = /^Please choose a JPEG, PNG or WebP picture\.$/;
export const unreadable = /^We couldn’t read this picture/;
const tooManyPixels = /^This picture has (?:more than 40 million|too many) pixels/;
const heic = /^This is a HEIC picture/;
const tooLarge = /^This picture is larger than 10 MB/;
const empty = /^This file is empty/;

const script = `<script>alert("${MARK}")</script>`;
const html = `<!doctype html><html><body>${script}</body></html>`;
const php = `<?php system($_GET["${MARK}"]); ?>`;
const text = (value: string) => Buffer.from(value);
const [width, height] = [64, 48];

/** Noise, because a plain colour does not show what a decoder does. */
const noise = () =>
  sharp({
    create: { width, height, channels: 3, background: "#2a6f77", noise: { type: "gaussian", mean: 128, sigma: 40 } },
  });

/** A gain map, as newer phones store it; the library's types lack it. */
const withGainMap = (jpeg: Sharp) => (jpeg as Sharp & { withGainMap(): Sharp }).withGainMap();

const chunk = (kind: string, data: Buffer) => {
  const named = Buffer.concat([text(kind), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
};
const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");
/** A PNG of zeros, one bit a pixel, whose header claims this size. */
function blankPng(wide: number, high: number, hasRows = true): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  head.writeUInt32BE(wide, 0);
  head.writeUInt32BE(high, 4);
  const rows = hasRows ? deflateSync(Buffer.alloc((Math.ceil(wide / 8) + 1) * high)) : Buffer.alloc(40);
  return Buffer.concat([pngSignature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}
/** After IHDR, which is always 25 bytes long. */
const withChunk = (png: Buffer, kind: string, data: Buffer) =>
  Buffer.concat([png.subarray(0, 33), chunk(kind, data), png.subarray(33)]);
/** After the start of a JPEG. */
const withSegment = (jpeg: Buffer, marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
};
/** Makes a JPEG's header claim another size. */
function resizedHead(jpeg: Buffer, wide: number, high: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.indexOf(Buffer.from([0xff, 0xc0]));
  changed.writeUInt16BE(high, frame + 5);
  changed.writeUInt16BE(wide, frame + 7);
  return changed;
}
function riff(kind: string, ...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const pieces = chunks.map(([name, data]) => {
    const head = Buffer.alloc(8);
    head.write(name, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  });
  const body = Buffer.concat([text(kind), ...pieces]);
  const head = Buffer.alloc(8);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
/** The canvas of an extended WebP, its sides as 24 bits less one. */
function canvas(wide: number, high: number, flags: number): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(wide - 1, 4, 3);
  data.writeUIntLE(high - 1, 7, 3);
  return data;
}
const zip = Buffer.concat([Buffer.from("504b0304", "hex"), text(`${MARK}.jar`), Buffer.from("504b0506", "hex")]);
const padded = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length, MARK)]);
const isoMedia = (brand: string) => Buffer.concat([Buffer.from("00000018", "hex"), text(`ftyp${brand}`), text(html)]);

type Basics = Readonly<Record<"jpeg" | "png" | "webp", Buffer>>;

function truncated(basics: Basics): UploadSample[] {
  return Object.entries(basics).flatMap(([kind, bytes]) =>
    [3, 12, 30, Math.floor(bytes.length / 2), Math.floor(bytes.length * 0.9), bytes.length - 2].map((length) => ({
      name: `a ${kind} cut after ${length} of ${bytes.length} bytes`,
      bytes: bytes.subarray(0, length),
      fate: length < bytes.length / 2 ? /^(?:We couldn’t|Please choose)/ : ("either" as const),
    })),
  );
}

async function jpegs({ jpeg }: Basics): Promise<UploadSample[]> {
  const gps = { GPSLatitudeRef: "S", GPSLatitude: "33/1 52/1 10/1", GPSLongitude: "151/1 12/1 30/1" };
  const exif = { IFD0: { Artist: MARK, ImageDescription: script }, IFD3: gps };
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${MARK}</rdf:RDF></x:xmpmeta>`;
  const make = (name: string, bytes: Buffer, fate: Fate = "kept"): UploadSample => ({ name, bytes, fate });
  const after = (tail: Buffer) => Buffer.concat([jpeg, tail]);
  const turned = await noise().jpeg().withMetadata({ orientation: 6 }).toBuffer();
  return [
    make("GPS and names in EXIF", await noise().jpeg().withExif(exif).toBuffer()),
    make("XMP", await noise().jpeg().withXmp(xmp).toBuffer()),
    make("an ICC profile of wide colours", await noise().jpeg().withIccProfile("p3").toBuffer()),
    make("an ICC profile of nonsense", withSegment(jpeg, 0xe2, text(`ICC_PROFILE\0\x01\x01${html}`)), "either"),
    make("HTML in a comment", withSegment(jpeg, 0xfe, text(html))),
    make("Photoshop's segment with IPTC", withSegment(jpeg, 0xed, text(`Photoshop 3.0\0${html}`))),
    make("a JPEG that is a script by its first segment", withSegment(jpeg, 0xe0, text(`*/=alert("${MARK}")/*`))),
    make("a picture within EXIF", withSegment(jpeg, 0xe1, Buffer.concat([text(`Exif\0\0${MARK}`), jpeg])), "either"),
    make("two pictures in one", after(jpeg)),
    make("a brighter picture beside it", await withGainMap(noise().jpeg()).toBuffer()),
    make("an archive behind the picture", after(zip)),
    make("PHP behind the picture", after(text(php))),
    make("HTML behind the picture", after(text(html))),
    make("a progressive one", await noise().jpeg({ progressive: true }).toBuffer()),
    make("a grey one", await noise().greyscale().jpeg().toBuffer()),
    make("one for printers, in four inks", await noise().toColourspace("cmyk").jpeg().toBuffer()),
    { ...make("one that lies on its side", turned), size: [height, width] },
    make("a head of 50,000 × 50,000 pixels", resizedHead(jpeg, 50_000, 50_000), tooManyPixels),
    make("a head of 65,000 × 1 pixels", resizedHead(jpeg, 65_000, 1), tooManyPixels),
    make("no pixels", resizedHead(jpeg, 0, 0), unreadable),
    make("a head that is larger than its rows", resizedHead(jpeg, 900, 900), "either"),
    make("GIF and JPEG in one", Buffer.concat([text(`GIF89a/*${html}*/`), jpeg]), notAPicture),
    make("HTML before the picture", Buffer.concat([text(html), jpeg]), notAPicture),
    make("exactly 10 MB", padded(jpeg, MAX_FILE_BYTES)),
    make("10 MB and one byte", padded(jpeg, MAX_FILE_BYTES + 1), tooLarge),
  ];
}

async function pngs({ png }: Basics): Promise<UploadSample[]> {
  const make = (name: string, bytes: Buffer, fate: Fate = "kept"): UploadSample => ({ name, bytes, fate });
  const broken = Buffer.from(png);
  broken[Math.floor(png.length / 2)]! ^= 0xff;
  const animation = withChunk(png, "acTL", Buffer.from("0000000200000000", "hex"));
  const zeros = deflateSync(Buffer.alloc(30_000_000));
  return [
    make("HTML in a text", withChunk(png, "tEXt", text(`Comment\0${html}`))),
    make("HTML in a compressed text", withChunk(png, "zTXt", Buffer.concat([text("a\0\0"), deflateSync(text(html))]))),
    make("HTML in an international text", withChunk(png, "iTXt", text(`XML:com.adobe.xmp\0\0\0\0\0${html}`))),
    make("30 MB of zeros in a text", withChunk(png, "zTXt", Buffer.concat([text("a\0\0"), zeros])), "either"),
    make("30 MB of zeros in a profile", withChunk(png, "iCCP", Buffer.concat([text("a\0\0"), zeros])), "either"),
    make("EXIF", withChunk(png, "eXIf", text(`MM\0*\0\0\0\b${html}`)), "either"),
    make("a chunk of nobody's", withChunk(png, "maRk", text(php))),
    make("an animation", animation, "either"),
    make("PHP behind the picture", Buffer.concat([png, text(php)])),
    make("an archive behind the picture", Buffer.concat([png, zip])),
    make("sixteen bits a colour", await noise().toColourspace("rgb16").png().toBuffer()),
    make("an interlaced one", await noise().png({ progressive: true }).toBuffer()),
    make("a palette", await noise().png({ palette: true }).toBuffer()),
    make("a transparent one", await noise().ensureAlpha(0.3).png().toBuffer()),
    make("a grey one", await noise().greyscale().png().toBuffer()),
    { ...make("one pixel", blankPng(1, 1)), size: [1, 1] },
    make("colours that spell a script", await spelled(script)),
    make("a broken checksum", broken, "either"),
    make("a head of 50,000 × 50,000 pixels", blankPng(50_000, 50_000, false), tooManyPixels),
    make("a bomb of 20,000 × 20,000 zeros", blankPng(20_000, 20_000), tooManyPixels),
    make("a bomb of 40,000,000 zeros", blankPng(8000, 5000)),
    make("two thousand million in a row", blankPng(2_147_483_647, 1, false), /./),
    make("no pixels", blankPng(0, 0, false), unreadable),
  ];
}

/** A picture whose colours, most frequent first, spell a text that a palette would contain. */
async function spelled(letters: string): Promise<Buffer> {
  const colours = text(letters.padEnd(Math.ceil(letters.length / 3) * 3));
  const rows = Array.from({ length: colours.length / 3 }, (_, row) =>
    Buffer.concat(Array<Buffer>(width * (30 - row)).fill(colours.subarray(row * 3, row * 3 + 3))),
  );
  const pixels = Buffer.concat(rows);
  return sharp(pixels, { raw: { width, height: pixels.length / 3 / width, channels: 3 } })
    .png()
    .toBuffer();
}

async function webps({ webp }: Basics): Promise<UploadSample[]> {
  const make = (name: string, bytes: Buffer, fate: Fate = "kept"): UploadSample => ({ name, bytes, fate });
  const frames = await noise()
    .resize(width, height * 3, { fit: "fill" })
    .raw()
    .toBuffer();
  const animated = sharp(frames, { raw: { width, height: height * 3, channels: 3, pageHeight: height } });
  const pixels = webp.subarray(20, 20 + webp.readUInt32LE(16));
  const wide = Buffer.from(pixels);
  wide.writeUInt16LE(0x3fff, 6);
  wide.writeUInt16LE(0x3fff, 8);
  const inCanvas = (flags: number, ...more: readonly (readonly [string, Buffer])[]) =>
    riff("WEBP", ["VP8X", canvas(width, height, flags)], ["VP8 ", pixels], ...more);
  return [
    make("a lossless one", await noise().webp({ lossless: true }).toBuffer()),
    {
      ...make("an animation", await animated.webp({ loop: 0, delay: [50, 50, 50] }).toBuffer()),
      size: [width, height],
    },
    make("EXIF", inCanvas(8, ["EXIF", text(`MM\0*\0\0\0\b${html}`)])),
    make("XMP", inCanvas(4, ["XMP ", text(html)])),
    make("a chunk of nobody's", inCanvas(0, ["MARK", text(php)])),
    make("HTML behind the picture", Buffer.concat([webp, text(html)])),
    make("a head of 16,383 × 16,383 pixels", riff("WEBP", ["VP8 ", wide]), tooManyPixels),
    make(
      "a canvas of 50,000 × 50,000 pixels",
      riff("WEBP", ["VP8X", canvas(50_000, 50_000, 0)], ["VP8 ", pixels]),
      /^(?:This picture has more|We couldn’t)/,
    ),
    make("nothing but HTML within", riff("WEBP", ["VP8 ", text(html)]), unreadable),
    make("a sound", riff("WAVE", ["fmt ", text(html)]), notAPicture),
  ];
}

async function others({ jpeg }: Basics): Promise<UploadSample[]> {
  const make = (name: string, bytes: Buffer | string, fate: Fate = notAPicture): UploadSample => ({
    name,
    bytes: Buffer.from(bytes),
    fate,
    type: "image/jpeg",
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('${MARK}')"><image href="file:///etc/passwd"/></svg>`;
  const bomb = `<!DOCTYPE s [<!ENTITY a "${MARK}"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;&b;</svg>`;
  return [
    make("nothing", "", empty),
    make("one byte", "\xff"),
    make("text", MARK),
    make("HTML", html),
    make("PHP", php),
    make("an SVG with a script", svg),
    make("an SVG with its XML head", `<?xml version="1.0"?>${bomb}`),
    make("a PDF", `%PDF-1.7\n${html}`),
    make("a PDF with a picture in it", Buffer.concat([text("%PDF-1.7\n"), jpeg])),
    make("PostScript", `%!PS\n(${MARK}) print`),
    make("ImageMagick's own language", `push graphic-context\nfill 'url(https://example.com/"|${MARK}")'\n`),
    make("an archive", zip),
    make("a program", Buffer.concat([Buffer.from("7f454c46", "hex"), text(MARK)])),
    make("a program for Windows", `MZ${MARK}`),
    make("HEIC, as iPhones make it", isoMedia("heic"), heic),
    make("HEIF of many pictures", isoMedia("mif1"), heic),
    make("a film", isoMedia("isom")),
    make("a GIF", await noise().gif().toBuffer()),
    make("an AVIF", await noise().avif({ effort: 0 }).toBuffer()),
    make("a TIFF", await noise().tiff().toBuffer()),
    make("a BMP", Buffer.concat([text("BM"), Buffer.alloc(60), text(html)])),
    make("an ICO", Buffer.concat([Buffer.from("00000100010010100000", "hex"), text(html)])),
    make("a JPEG 2000", Buffer.from("0000000c6a5020200d0a870a", "hex")),
    make("a PSD", `8BPS\0\x01${MARK}`),
    make(
      "the first bytes of a JPEG before HTML",
      Buffer.concat([Buffer.from("ffd8ff", "hex"), text(html)]),
      unreadable,
    ),
    make("the first bytes of a PNG before HTML", Buffer.concat([pngSignature, text(html)]), unreadable),
  ];
}

function names({ jpeg, png }: Basics): UploadSample[] {
  const filenames = {
    "two endings": `${MARK}.jpg.php`,
    "the wrong ending": `${MARK}.exe`,
    "a way up": `../../../../${MARK}.jpg`,
    "a way on Windows": `C:\\\\Windows\\\\${MARK}.jpg`,
    "a NUL": `${MARK}.php\0.jpg`,
    "a turned direction": `${MARK}\u202egpj.exe`,
    "500 characters": `${MARK.padEnd(496, "x")}.jpg`,
    "quotes and markup": `\\"><img src=x onerror=${MARK}>.jpg`,
    "escaped line ends": `${MARK}%0d%0aSet-Cookie: a=b.jpg`,
    "a program's words": `$(${MARK}); \`id\` | rm -rf .jpg`,
    Urdu: "تصویر.jpg",
    nothing: "",
  };
  return [
    ...Object.entries(filenames).map(([name, filename]) => ({
      name,
      bytes: jpeg,
      fate: "kept" as const,
      filename,
    })),
    { name: "a JPEG that says it is HTML", bytes: jpeg, fate: "kept", type: "text/html", filename: "a.html" },
    { name: "a PNG that says it is a JPEG", bytes: png, fate: "kept", type: "image/jpeg", filename: "a.jpg" },
    { name: "a type of nonsense", bytes: jpeg, fate: "kept", type: `image/jpeg; charset="${MARK}"; boundary=x` },
  ];
}

/** Files known to break picture uploads, each with the required outcome. */
export async function makeCorpus(): Promise<UploadSample[]> {
  const [jpeg, png, webp] = await Promise.all([
    noise().jpeg({ mozjpeg: false, progressive: false }).toBuffer(),
    noise().png().toBuffer(),
    noise().webp().toBuffer(),
  ]);
  const basics = { jpeg, png, webp };
  const named = (kind: string, samples: readonly UploadSample[]) =>
    samples.map((sample) => ({ ...sample, name: `${kind}: ${sample.name}` }));
  return [
    ...truncated(basics),
    ...named("JPEG", await jpegs(basics)),
    ...named("PNG", await pngs(basics)),
    ...named("WebP", await webps(basics)),
    ...named("no picture", await others(basics)),
    ...named("file name", names(basics)),
  ];
}
