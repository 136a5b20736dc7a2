import { inflateRawSync } from "node:zlib";

/** The files of a zip archive by their names, read by its directory. */
export function readArchive(bytes: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  const end = bytes.length - 22;
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const start = bytes.readUInt32LE(at + 42) + 30 + nameLength;
    files[name] = inflateRawSync(bytes.subarray(start, start + packed)).toString();
    at += 46 + nameLength;
  }
  return files;
}
