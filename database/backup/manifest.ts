import { basename } from "node:path";
import pg from "pg";
import { z } from "zod";
import type { Format } from "./archive.ts";

/** What a backup says of itself. It is the last part of the archive, because it has the sums of all others. */
export const Manifest = z.object({
  product: z.literal("almoner"),
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** When the copy was complete: the database can be restored to a later moment from the archive of its WAL. */
  endedAt: z.iso.datetime().optional(),
  /** The folder below ARCHIVE_DIR with that archive; null if there is none. */
  archive: z
    .string()
    .regex(/^[0-9a-z-]+$/)
    .nullable()
    .optional(),
  /** The platform and processor, as in 'linux-x64': PostgreSQL's files fit no other. */
  machine: z.string(),
  postgresMajor: z.number().int(),
  migrations: z.array(z.string()),
  /** Before the copy and after it: what is restored lies between the two. */
  before: z.record(z.string(), z.number()),
  after: z.record(z.string(), z.number()),
  files: z.array(z.object({ name: z.string(), size: z.number().int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

export const backupFormat: Format<Manifest> = {
  title: "a backup",
  // Folders below the data folder, the data folder itself, the key of the site: nothing else.
  partNames: /^(postgres\/data(\/[A-Za-z0-9_.-]+)*|secret-key)$/,
  manifest: Manifest,
  requiredPart: "postgres/data/backup_label",
};

/** Tables from which nothing is ever deleted. */
const countedTables = [
  "donations",
  "payment_events",
  "ledger_entries",
  "refund_events",
  "receipts",
  "audit_trail",
  "volunteer_events",
];

/** How many rows each table has from which nothing is ever deleted. */
export async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const parts = countedTables.map((table) => `(select count(*) from ${table})::bigint as ${table}`);
  const { rows } = await client.query<Record<string, string | number>>(`select ${parts.join(", ")}`);
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, count]) => [name, Number(count)]));
}

export async function listApplied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from migrations order by name");
  return rows.map(({ name }) => name);
}

export async function readMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
  return Math.floor(Number(rows[0]!.version) / 10_000);
}

/** The folder below ARCHIVE_DIR to which this server copies its WAL; null if it does not. */
export async function readArchiveName(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ folder: string | null }>(
    "select current_setting('basic_archive.archive_directory', true) as folder where current_setting('archive_mode') = 'on'",
  );
  return rows[0]?.folder ? basename(rows[0].folder) : null;
}

export const machineName = `${process.platform}-${process.arch}`;

/** Connects to the site's database of an embedded server as its administrator, and closes after `work`. */
export async function asAdministrator<Result>(url: string, work: (client: pg.Client) => Promise<Result>) {
  const address = new URL(url);
  address.username = "postgres";
  const client = new pg.Client({ connectionString: address.href, application_name: "almoner backup" });
  client.on("error", () => {}); // The query under way fails, too.
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
