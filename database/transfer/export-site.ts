import { rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import type pg from "pg";
import { type Part, partOf, writeArchive } from "../backup/archive.ts";
import { countBucketFiles } from "../backup/bucket-files.ts";
import { listApplied, readMajor } from "../backup/manifest.ts";
import { refuseUnsuitableFile, syncFolder } from "../backup/take-backup.ts";
import { listMigrations } from "../migrate.ts";
import { copyOut } from "./copy.ts";
import type { ExportManifest } from "./export-format.ts";
import { countTables, listSequences, listTables, sumLedger, type Table, withClient } from "./tables.ts";

const partBytes = 8 * 1024 * 1024;

/**
 * Writes all rows of a site's database and its secret key into one file, from one moment, while the site runs or not.
 * The file appears under its name when it is whole and on the disk.
 * @param recipient a public key of age, or null; a name that ends in .age needs one
 * @throws Error with a sentence for the operator; nothing is left behind
 */
export async function exportSite(options: {
  url: string;
  secretKey: string;
  file: string;
  recipient: string | null;
}): Promise<{ file: string; bytes: number; rows: number; bucketFiles: number }> {
  const { url, secretKey, recipient } = options;
  const file = resolve(options.file);
  await refuseUnsuitableFile(file, recipient);
  const draft = `${file}.part`;
  try {
    const written = await withClient(url, (client) => writeTables(client, draft, secretKey, recipient));
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { file, bytes: (await stat(file)).size, ...written };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeTables(
  client: pg.Client,
  draft: string,
  secretKey: string,
  recipient: string | null,
): Promise<{ rows: number; bucketFiles: number }> {
  await client.query("begin isolation level repeatable read read only");
  const migrations = await listApplied(client).catch(() => []);
  if (migrations.join() !== listMigrations().join()) {
    throw new Error("The database and this code have different versions. Start the site with this version first.");
  }
  const tables = await listTables(client);
  const counts = await countTables(client, tables);
  const facts: Omit<ExportManifest, "files"> = {
    product: "almoner",
    kind: "export",
    format: 1,
    createdAt: new Date().toISOString(),
    postgresMajor: await readMajor(client),
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns], rows: counts[name]! })),
    sequences: await listSequences(client),
    ledger: await sumLedger(client),
  };
  await writeArchive(
    draft,
    listParts(client, tables, secretKey),
    (files) => ({ ...facts, files: [...files] }),
    recipient,
  );
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { rows, bucketFiles: await countBucketFiles(client) };
}

async function* listParts(client: pg.Client, tables: readonly Table[], secretKey: string): AsyncGenerator<Part> {
  yield partOf("secret-key", Buffer.from(secretKey));
  for (const { name, columns } of tables) {
    let number = 0;
    for await (const bytes of inPieces(copyOut(client, `copy (select ${columns} from ${name}) to stdout`))) {
      number += 1;
      yield partOf(`tables/${name}/${String(number).padStart(5, "0")}`, bytes);
    }
  }
}

/** The same bytes in fewer pieces. */
async function* inPieces(bytes: Readable): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size < partBytes) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pieces);
}
