import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { zstdCompressSync } from "node:zlib";
import { type Header, pack } from "tar-stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Part, unpackArchive, writeArchive } from "./archive.ts";
import { listSegments } from "./base-backup.ts";
import { backupFormat, machineName } from "./manifest.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "almoner-archive-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const label = "postgres/data/backup_label";

async function* parts(contents: Record<string, string>): AsyncGenerator<Part> {
  yield { kind: "folder", name: "postgres/data" };
  for (const [name, text] of Object.entries(contents)) {
    const bytes = Buffer.from(text);
    yield {
      kind: "file",
      name,
      size: bytes.length,
      async *read() {
        yield bytes;
      },
    };
  }
}

async function write(contents: Record<string, string>, recipient: string | null = null): Promise<string> {
  const file = join(folder, "a.tar.zst");
  const describe = (files: readonly { name: string; size: number; sha256: string }[]) => ({
    product: "almoner" as const,
    format: 1 as const,
    createdAt: "2026-11-24T02:00:00.000Z",
    machine: machineName,
    postgresMajor: 18,
    migrations: [],
    before: {},
    after: {},
    files: [...files],
  });
  await writeArchive(file, parts(contents), describe, recipient);
  return file;
}

const unpack = (
  file: string,
  { identity = null, spaceBytes = 1e9 }: { identity?: string | null; spaceBytes?: number } = {},
) => unpackArchive(file, mkdtempSync(join(folder, "unpacked-")), { identity, spaceBytes, format: backupFormat });

/** An archive as somebody else might write it. */
async function forge(entries: readonly (Partial<Header> & { name: string; text?: string })[]): Promise<string> {
  const tar = pack();
  for (const { text, ...header } of entries) tar.entry(header, text ?? "");
  tar.finalize();
  const file = join(folder, "forged.tar.zst");
  writeFileSync(file, zstdCompressSync(await buffer(tar)));
  return file;
}

test("BAK-1: what is written is unpacked byte for byte, with a manifest of every part", async () => {
  const file = await write({ [label]: "START WAL", "postgres/data/base/1/2": "rows\0", "secret-key": "key" });
  const target = join(folder, "target");
  const manifest = await unpackArchive(file, target, { identity: null, spaceBytes: 1e9, format: backupFormat });
  expect(manifest.files.map(({ name }) => name)).toEqual([label, "postgres/data/base/1/2", "secret-key"]);
  expect(readFileSync(join(target, "postgres/data/base/1/2"), "utf8")).toBe("rows\0");
});

test("BAK-6: an archive for a public key of age opens with its secret key, and with no other", async () => {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()];
  const file = await write({ [label]: "START WAL" }, await identityToRecipient(identity));
  expect(readFileSync(file).includes("START WAL")).toBe(false);
  await expect(unpack(file, { identity })).resolves.toMatchObject({ product: "almoner" });
  await expect(unpack(file, { identity: other })).rejects.toThrow();
});

test("BAK-3: an archive that is cut off, or whose content is changed in one byte, is refused", async () => {
  const file = await write({ [label]: "START WAL", "postgres/data/base/1/2": "x".repeat(3000) });
  const bytes = readFileSync(file);
  for (const end of [0, 1, Math.floor(bytes.length / 2), bytes.length - 20]) {
    writeFileSync(file, bytes.subarray(0, end));
    await expect(unpack(file)).rejects.toThrow();
  }
  for (const at of [10, Math.floor(bytes.length / 2), bytes.length - 30]) {
    const changed = Buffer.from(bytes);
    changed[at] = changed[at]! ^ 1;
    writeFileSync(file, changed);
    await expect(unpack(file)).rejects.toThrow();
  }
});

test("BAK-3: an archive without the label, from which PostgreSQL would start without a word, is refused", async () => {
  const file = await write({ "postgres/data/base/1/2": "rows" });
  await expect(unpack(file)).rejects.toThrow("backup_label is missing");
});

test.each([
  ["a name that leads out of the folder", { name: "postgres/data/../../../outside" }],
  ["an absolute name", { name: "/etc/passwd" }],
  ["a name that no backup has", { name: "postgres.conf" }],
  ["a link", { name: "postgres/data/link", type: "symlink", linkname: "/etc/passwd" }],
  ["a hard link", { name: "postgres/data/link", type: "link", linkname: "postgres/data/other" }],
  ["a device", { name: "postgres/data/device", type: "character-device", devmajor: 1, devminor: 3 }],
] as [string, Partial<Header> & { name: string }][])(
  "BAK-3: an archive with %s is refused, and nothing is written outside",
  async (_, header) => {
    const file = await forge([{ name: "postgres/data", type: "directory" }, header]);
    await expect(unpack(file)).rejects.toThrow(/it has a part named|is neither a file nor a folder/);
    expect(readdirSync(folder).filter((name) => !/^(forged|unpacked-)/.test(name))).toEqual([]);
  },
);

test("BAK-3: an archive that would unpack to more than the disk has is refused before that", async () => {
  const file = await forge([{ name: "postgres/data/zeros", text: "\0".repeat(5_000_000) }]);
  expect(readFileSync(file).length).toBeLessThan(10_000);
  await expect(unpack(file, { spaceBytes: 1_000_000 })).rejects.toThrow("larger than the space on this disk");
});

test("BAK-3: the manifest of another product is refused, and so is a part that it does not name", async () => {
  const other = { name: "manifest.json", text: JSON.stringify({ product: "other", format: 1 }) };
  await expect(unpack(await forge([other]))).rejects.toThrow("not that of a backup of this product");
  const whole = await write({ [label]: "START WAL" });
  const { files, ...rest } = await unpack(whole);
  const manifest = { name: "manifest.json", text: JSON.stringify({ ...rest, files }) };
  const more = [{ name: label, text: "START WAL" }, { name: "postgres/data/more", text: "?" }, manifest];
  await expect(unpack(await forge(more))).rejects.toThrow("postgres/data/more is not as it was written");
  await expect(unpack(await forge([manifest]))).rejects.toThrow("backup_label is missing");
});

test("BAK-1: the segments of WAL run on across the end of a file of 256", () => {
  expect(listSegments("0000000100000002000000FE", "000000010000000300000001")).toEqual([
    "0000000100000002000000FE",
    "0000000100000002000000FF",
    "000000010000000300000000",
    "000000010000000300000001",
  ]);
  expect(() => listSegments("000000010000000200000001", "000000020000000200000002")).toThrow();
});
