import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { recordAct } from "#admin/audit.ts";
import { readTexts } from "#admin/read-texts.ts";
import { hasRight, type StaffMember } from "#admin/rights.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { clockIn } from "#shared/language.ts";
import { readDonations } from "../../server/search/export-donations.ts";
import { listFunds } from "../list/list-screen.ts";
import { type ReadFilter, readFilter } from "../list/read-filter.ts";
import { recordFilter } from "../list/recorded-filter.ts";
import { columnsFor } from "./export-columns.ts";
import { type ExportFormat, type ExportNote, exportFormats } from "./export-formats.ts";

export type ExportServices = CoreServices<"database" | "now"> & {
  readonly databaseUrl: string;
  readonly staffSessions: StaffSessions;
};

/**
 * The most exports at the same time: each uses its own connection, and its snapshot holds up the database's vacuuming.
 */
const MOST_AT_ONCE = 2;

/** The exports: what the list shows, as a file. */
export function addExports(admin: FastifyInstance, services: ExportServices): void {
  let running = 0;
  const config = { access: "exports.make", needsProof: true } as const;
  for (const [ending, format] of Object.entries<ExportFormat>(exportFormats)) {
    admin.get(`/admin/donations.${ending}`, { config, schema: { hide: true } as object }, async (request, reply) => {
      const wanted = await readWanted(services, request);
      // An invalid filter exports nothing: it redirects to the list, which says what is wrong.
      if (wanted === null) return reply.redirect(request.url.replace(`.${ending}`, ""), 302);
      if (running >= MOST_AT_ONCE) throw new AppError("busy");
      running += 1;
      const finish = () => {
        running -= 1;
      };
      return send(services, { ...wanted, ending, format, request, reply })
        .catch((error) => {
          finish();
          throw error;
        })
        .then((stream) => {
          stream.once("close", finish);
          return reply.send(stream);
        });
    });
  }
}

type Wanted = { readonly read: ReadFilter; readonly staff: StaffMember; readonly withGifts: boolean };

/** Null if the filter is invalid. @throws AppError without the right to export this. */
async function readWanted(
  { database, staffSessions }: ExportServices,
  request: FastifyRequest,
): Promise<Wanted | null> {
  const query = readTexts(request.query);
  const { staff } = (await staffSessions.find(request))!;
  const withGifts = query.faith === "yes";
  if (withGifts && !hasRight(staff, "faith.see")) throw new AppError("not_allowed");
  const read = readFilter(query, { staff, funds: await listFunds(database) });
  return Object.keys(read.errors).length > 0 ? null : { read, staff, withGifts };
}

type Sent = Wanted & { ending: string; format: ExportFormat; request: FastifyRequest; reply: FastifyReply };

/**
 * Records the export, then begins it. If it fails, the download breaks off, so that an incomplete file never looks
 * complete.
 */
async function send(services: ExportServices, { read, staff, withGifts, ending, format, request, reply }: Sent) {
  const { database, now } = services;
  const at = now();
  const filter = Object.entries(read.typed).filter(([, text]) => text !== "");
  const actor = { staff, ipAddress: request.ip };
  const about = { subject: "export", subjectId: ending };
  const after = { filter: recordFilter(read.typed), withGifts };
  await recordAct(database, actor, { verb: "donations.export", ...about, after }, at);
  const batches = countAll(readDonations(services, { filter: read.filter, withGifts }), (donations) =>
    recordAct(database, actor, { verb: "donations.export-whole", ...about, after: { donations } }, now()),
  );
  const columns = columnsFor(withGifts);
  const note = { person: staff.name, at: clockIn("Australia/Sydney", at), filter };
  reply.header("content-disposition", `attachment; filename="${nameFile(note)}.${ending}"`);
  reply.type(format.type);
  return Readable.from(format.write(batches, columns, note), { objectMode: false, highWaterMark: 64 * 1024 });
}

/**
 * Records the count before it passes on the last batch, so that the audit trail has the count of every complete file.
 */
async function* countAll<Each>(batches: AsyncIterable<readonly Each[]>, record: (count: number) => Promise<unknown>) {
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    yield batch;
  }
  await record(count);
}

/** 'donations_2026-11-22_amina-raza_state-paid': without search words, which may name a donor. */
function nameFile({ at, person, filter }: ExportNote): string {
  const set = filter.filter(([name]) => name !== "q");
  const words = ["donations", at.slice(0, 10), person, ...set.map(([name, text]) => `${name} ${text}`)];
  return words
    .map((word) =>
      word
        .normalize("NFKD")
        .toLowerCase()
        .replace(/[^a-z0-9.]+/g, "-")
        .replace(/^-|-$/g, ""),
    )
    .filter(Boolean)
    .join("_");
}
