import { sharp } from "#shared/images/sharp.ts";
import { MARK } from "./upload-corpus.ts";

/** Everything in a re-encoded JPEG, PNG or WebP that is not needed to show its pixels, as sentences. */
export async function listExtras(bytes: Buffer): Promise<string[]> {
  const head = await sharp(bytes).metadata();
  const held = (["exif", "icc", "xmp", "iptc", "comments", "orientation", "gainMap"] as const).filter(
    (one) => head[one] !== undefined,
  );
  return [
    ...held.map((one) => `it holds ${one}`),
    ...listParts(bytes),
    ...[MARK, "<script", "<?php", "<html"].filter((text) => bytes.includes(text)),
  ];
}

function listParts(bytes: Buffer): string[] {
  if (bytes[0] === 0xff) return listJpegParts(bytes);
  const isWebp = bytes.toString("latin1", 0, 4) === "RIFF";
  const known = isWebp ? /^VP8[ L]$/ : /^(?:IHDR|IDAT|IEND|pHYs)$/;
  const parts: string[] = [];
  let at = isWebp ? 12 : 8;
  while (at < bytes.length) {
    const kind = isWebp ? bytes.toString("latin1", at, at + 4) : bytes.toString("latin1", at + 4, at + 8);
    const length = isWebp ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at);
    if (!known.test(kind)) parts.push(`chunk ${kind}`);
    at += isWebp ? 8 + length + (length % 2) : 12 + length;
  }
  return at === bytes.length ? parts : [...parts, "a tail"];
}

function listJpegParts(bytes: Buffer): string[] {
  const parts: string[] = [];
  let at = 2;
  for (; bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!.toString(16);
    const isJfif = marker === "e0" && bytes.toString("latin1", at + 4, at + 8) === "JFIF";
    if (!isJfif && !/^(?:db|c0|c2|c4|dd)$/.test(marker)) parts.push(`segment ${marker}`);
  }
  return parts.concat(bytes.indexOf(Buffer.from([0xff, 0xd9]), at) === bytes.length - 2 ? [] : ["a tail"]);
}
