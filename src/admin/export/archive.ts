import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";

export type ArchivePart = { readonly name: string; readonly bytes: AsyncIterable<Buffer> | Iterable<Buffer> };

type Written = {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
};

const MAX_BYTES = 0xffff_ffff;
/** Sizes and checksum come after the bytes; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** The date of every file: 1 January 1980. */
const DAY = 0x0021;

/** Writes a zip archive as it is read, keeping only unread bytes in memory. @throws Error if it exceeds 4 GiB. */
export async function* writeArchive(parts: AsyncIterable<ArchivePart>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const part of parts) {
    const name = Buffer.from(part.name);
    const at = offset;
    const head = localHeader(name);
    offset += head.length;
    yield head;
    const sums = { crc: 0, packed: 0, size: 0 };
    for await (const packed of deflate(part.bytes, sums)) {
      offset += packed.length;
      yield packed;
    }
    if (sums.size > MAX_BYTES || offset > MAX_BYTES) throw new Error("The archive is larger than 4 GiB.");
    const foot = record(0x0807_4b50, [4, sums.crc], [4, sums.packed], [4, sums.size]);
    offset += foot.length;
    yield foot;
    written.push({ name, ...sums, at });
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  yield record(
    0x0605_4b50,
    [2, 0],
    [2, 0],
    [2, written.length],
    [2, written.length],
    [4, directory.length],
    [4, offset],
    [2, 0],
  );
}

/** Deflates and counts the bytes on both sides. Uses the fastest level, which is good enough for tables of text. */
async function* deflate(bytes: ArchivePart["bytes"], sums: { crc: number; packed: number; size: number }) {
  const packer = createDeflateRaw({ level: 1, chunkSize: 64 * 1024 });
  const feeding = (async () => {
    for await (const chunk of bytes) {
      sums.crc = crc32(chunk, sums.crc);
      sums.size += chunk.length;
      if (!packer.write(chunk)) await hasRoom(packer);
      if (packer.destroyed) return;
    }
    packer.end();
  })().catch((error: Error) => void packer.destroy(error));
  try {
    for await (const packed of packer) {
      sums.packed += packed.length;
      yield packed as Buffer;
    }
    await feeding;
  } finally {
    packer.destroy();
  }
}

/** Resolves once the packer can take more, or its reader has gone. */
function hasRoom(packer: DeflateRaw): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      packer.off("drain", go).off("close", go);
      resolve();
    };
    packer.on("drain", go).on("close", go);
  });
}

function localHeader(name: Buffer): Buffer {
  const fixed = record(
    0x0403_4b50,
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, DAY],
    [4, 0],
    [4, 0],
    [4, 0],
    [2, name.length],
    [2, 0],
  );
  return Buffer.concat([fixed, name]);
}

function directoryEntry({ name, crc, packed, size, at }: Written): Buffer {
  const fixed = record(
    0x0201_4b50,
    [2, VERSION],
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, DAY],
    [4, crc],
    [4, packed],
    [4, size],
    [2, name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, at],
  );
  return Buffer.concat([fixed, name]);
}

/** A record: its signature, then numbers with their sizes in bytes. */
function record(signature: number, ...numbers: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const all = [[4, signature] as const, ...numbers];
  const buffer = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0));
  let place = 0;
  for (const [bytes, value] of all) place = buffer.writeUIntLE(value, place, bytes);
  return buffer;
}
