import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { extract, pack } from "tar-stream";
import type { z } from "zod";

/** A part of an archive that is written. Exactly `size` bytes belong to a file. */
export type Part =
  | { readonly kind: "folder"; readonly name: string }
  | { readonly kind: "file"; readonly name: string; readonly size: number; read(): AsyncIterable<Buffer> };

export const partOf = (name: string, bytes: Buffer): Part => ({
  kind: "file",
  name,
  size: bytes.length,
  async *read() {
    yield bytes;
  },
});

type WrittenFile = { readonly name: string; readonly size: number; readonly sha256: string };

/** What an archive of one kind may contain: parts with names of this form, and a manifest of this shape. */
export type Format<Manifest extends WithFiles> = {
  /** As in 'a backup'. */
  readonly title: string;
  readonly partNames: RegExp;
  readonly manifest: z.ZodType<Manifest>;
  readonly requiredPart: string;
};
type WithFiles = { readonly files: readonly WrittenFile[] };

const manifestName = "manifest.json";
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/**
 * Writes parts as a tar compressed with zstd, and last the manifest that `describe` makes from their sums.
 * @param recipient a public key of age (`age1…`), or null to leave the archive unencrypted
 */
export async function writeArchive(
  file: string,
  parts: AsyncIterable<Part>,
  describe: (files: readonly WrittenFile[]) => WithFiles,
  recipient: string | null,
): Promise<void> {
  const tar = pack();
  const filling = fillTar(tar, parts, describe).catch((error: Error) => tar.destroy(error));
  const compressed = Readable.from(tar).compose(
    createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
  );
  const bytes = recipient === null ? compressed : await encrypt(compressed, recipient);
  await pipeline(bytes, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
  await filling;
}

async function fillTar(
  tar: ReturnType<typeof pack>,
  parts: AsyncIterable<Part>,
  describe: (files: readonly WrittenFile[]) => WithFiles,
): Promise<void> {
  const files: WrittenFile[] = [];
  for await (const part of parts) {
    if (part.kind === "folder") tar.entry({ name: part.name, type: "directory", mode: 0o700 });
    else files.push(await addFile(tar, part));
  }
  const text = JSON.stringify(describe(files));
  tar.entry({ name: manifestName, mode: 0o600 }, text);
  tar.finalize();
}

async function addFile(
  tar: ReturnType<typeof pack>,
  { name, size, read }: Extract<Part, { kind: "file" }>,
): Promise<WrittenFile> {
  const hash = createHash("sha256");
  const entry = tar.entry({ name, size, mode: 0o600 });
  const hashed = async function* () {
    for await (const piece of read()) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(hashed, entry as unknown as NodeJS.WritableStream);
  return { name, size, sha256: hash.digest("hex") };
}

async function encrypt(bytes: Readable, recipient: string): Promise<Readable> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const encrypted = await encrypter.encrypt(Readable.toWeb(bytes) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(encrypted as Parameters<typeof Readable.fromWeb>[0]);
}

async function decrypt(bytes: Readable, identity: string): Promise<Readable> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const decrypted = await decrypter.decrypt(Readable.toWeb(bytes) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(decrypted as Parameters<typeof Readable.fromWeb>[0]);
}

/**
 * Unpacks an archive into a new folder and compares every part with the manifest. Only plain files and folders with the
 * names of its format are accepted.
 * @param spaceBytes how much the parts may take in all
 * @throws Error if the archive is damaged, incomplete, too large, or not of this product and format
 */
export async function unpackArchive<Manifest extends WithFiles>(
  file: string,
  folder: string,
  { identity, spaceBytes, format }: { identity: string | null; spaceBytes: number; format: Format<Manifest> },
): Promise<Manifest> {
  const source = createReadStream(file);
  const bytes = identity === null ? source : await decrypt(source, identity);
  const tar = extract();
  const unpacked: WrittenFile[] = [];
  let manifest = "";
  let left = spaceBytes;
  const reading = pipeline(bytes, createZstdDecompress(), tar as unknown as NodeJS.WritableStream);
  reading.catch(() => {}); // The loop below fails with it.
  for await (const entry of tar) {
    const { name, type, size = 0 } = entry.header;
    const path = name.replace(/\/$/, "");
    const isAllowed = path === manifestName || format.partNames.test(path);
    if (!isAllowed || path.split("/").includes("..")) throw new Error(`it has a part named ${name}`);
    left -= size;
    if (left < 0) throw new Error("it is larger than the space on this disk");
    if (type === "directory") {
      await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
      entry.resume();
    } else if (type === "file" && path === manifestName) {
      if (size > MAX_MANIFEST_BYTES) throw new Error("its list of parts is too long");
      manifest = await readText(entry as AsyncIterable<Buffer>);
    } else if (type === "file") {
      unpacked.push(await writePart(join(folder, path), path, size, entry as AsyncIterable<Buffer>));
    } else {
      throw new Error(`${name} is neither a file nor a folder`);
    }
  }
  await reading;
  return compare(manifest, unpacked, format);
}

async function readText(bytes: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

async function writePart(path: string, name: string, size: number, bytes: AsyncIterable<Buffer>): Promise<WrittenFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  const file = await open(path, "wx", 0o600);
  try {
    for await (const piece of bytes) {
      hash.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { name, size, sha256: hash.digest("hex") };
}

function compare<Manifest extends WithFiles>(
  text: string,
  unpacked: readonly WrittenFile[],
  { title, manifest: shape, requiredPart }: Format<Manifest>,
): Manifest {
  if (text === "") throw new Error("its last part, the manifest, is missing");
  const manifest = shape.safeParse(parseJson(text));
  if (!manifest.success) throw new Error(`its manifest is not that of ${title} of this product`);
  const expected = new Map(manifest.data.files.map((file) => [file.name, file]));
  for (const { name, size, sha256 } of unpacked) {
    const announced = expected.get(name);
    if (announced?.size !== size || announced.sha256 !== sha256) throw new Error(`${name} is not as it was written`);
    expected.delete(name);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw new Error(`${missing} is missing`);
  if (!unpacked.some(({ name }) => name === requiredPart)) throw new Error(`${requiredPart} is missing`);
  return manifest.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
