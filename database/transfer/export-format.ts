import { z } from "zod";
import type { Format } from "../backup/archive.ts";

/** What an export says of itself. */
const ExportManifest = z.object({
  product: z.literal("almoner"),
  kind: z.literal("export"),
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  postgresMajor: z.number().int(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string(), isCalled: z.boolean() })),
  /** The cents of each account. */
  ledger: z.record(z.string(), z.string()),
  files: z.array(z.object({ name: z.string(), size: z.number().int(), sha256: z.string() })),
});
export type ExportManifest = z.infer<typeof ExportManifest>;

export const exportFormat: Format<ExportManifest> = {
  title: "an export",
  // The rows of a table are in parts: a tar says how long each is before it begins.
  partNames: /^(tables\/[a-z0-9_]+\.[a-z0-9_]+\/\d{5}|secret-key)$/,
  manifest: ExportManifest,
  requiredPart: "secret-key",
};
