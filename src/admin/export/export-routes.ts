import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { recordAct } from "#admin/audit.ts";
import { readTexts } from "#admin/read-texts.ts";
import type { StaffMember } from "#admin/rights.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { Reading, ReadingDatabase } from "#shared/database/reading-database.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { clockIn } from "#shared/language.ts";
import { streamFromWorker } from "#shared/workers/stream-from-worker.ts";
import { type Ending, type ExportNote, exportFormats } from "./export-formats.ts";

export type ExportServices = CoreServices<"database" | "now"> & {
  readonly readingDatabase: ReadingDatabase;
  readonly staffSessions: StaffSessions;
};

/** A list that can be exported: what the list shows, as a file. */
export type Exported = {
  /** What is exported, in the plural: the address of the list, `/admin/donations`, and the verb of its acts. */
  readonly name: string;
  /**
   * Reads the filter from the address; null if it is invalid. @throws AppError without the right to export this.
   */
  readonly read: (query: Readonly<Record<string, string>>, staff: StaffMember) => Promise<ReadExport | null>;
};

type ReadExport = {
  /** The filters that were set, by their names in the address. */
  readonly filter: ExportNote["filter"];
  /** What the audit trail records. */
  readonly recorded: object;
  /**
   * An async generator that `streamFromWorker` runs, with this input and an `ExportInput`. It writes the file, and
   * returns how many it exported.
   */
  readonly module: URL;
  readonly run: string;
  readonly input: object;
};

/** What the thread needs besides: the database, and how the file is written. */
export type ExportInput = { readonly databaseUrl: string; readonly ending: Ending; readonly note: ExportNote };

/**
 * The most exports of one list at the same time: each uses its own connection and thread, and its snapshot holds up the
 * database's vacuuming.
 */
const MAX_AT_ONCE = 2;

/** Adds the addresses of a list's exports: that of the list, with each format's ending. */
export function addExports(admin: FastifyInstance, services: ExportServices, exported: Exported): void {
  let running = 0;
  const config = { access: "exports.make", needsProof: true } as const;
  for (const ending of Object.keys(exportFormats) as Ending[]) {
    const path = `/admin/${exported.name}.${ending}`;
    admin.get(path, { config, schema: { hide: true } as object }, async (request, reply) => {
      const { staff } = (await services.staffSessions.find(request))!;
      const read = await exported.read(readTexts(request.query), staff);
      // An invalid filter exports nothing: it redirects to the list, which says what is wrong.
      if (read === null) return reply.redirect(request.url.replace(`.${ending}`, ""), 302);
      if (running >= MAX_AT_ONCE) throw new AppError("busy");
      running += 1;
      const finish = () => {
        running -= 1;
      };
      return send(services, { ...read, name: exported.name, staff, ending, request, reply })
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

type Sent = ReadExport & {
  readonly name: string;
  readonly staff: StaffMember;
  readonly ending: Ending;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/**
 * Records the export, then begins it. If it fails, the download breaks off, so that an incomplete file never looks
 * complete.
 */
async function send({ database, readingDatabase, now }: ExportServices, sent: Sent): Promise<Readable> {
  const { name, staff, ending, request, reply, filter } = sent;
  const at = now();
  const actor = { staff, ipAddress: request.ip };
  const about = { subject: "export", subjectId: ending };
  await recordAct(database, actor, { verb: `${name}.export`, ...about, after: sent.recorded }, at);
  const note = { person: staff.name, at: clockIn("Australia/Sydney", at), filter };
  reply.header("content-disposition", `attachment; filename="${nameFile(name, note)}.${ending}"`);
  reply.type(exportFormats[ending].type);
  const parts = readAgain(readingDatabase, ({ url: databaseUrl, asOf, lost: signal }) => {
    const about = { ...note, ...(asOf !== null && { asOf: clockIn("Australia/Sydney", asOf) }) };
    const input = { ...sent.input, databaseUrl, ending, note: about } satisfies ExportInput;
    return streamFromWorker<number>({ module: sent.module, run: sent.run, input, signal });
  });
  const whole = recordWhole(parts, (count) =>
    recordAct(database, actor, { verb: `${name}.export-whole`, ...about, after: { [name]: count } }, now()),
  );
  return Readable.from(whole, { objectMode: false, highWaterMark: 64 * 1024 });
}

/**
 * Begins again from the primary if the replica fails before anything was sent. What was sent cannot be taken back, and
 * the rest from the primary would be of another moment.
 */
async function* readAgain(
  readingDatabase: ReadingDatabase,
  begin: (reading: Reading) => AsyncGenerator<Buffer, number>,
): AsyncGenerator<Buffer, number> {
  const reading = readingDatabase.current();
  const parts = begin(reading);
  try {
    const first = await parts.next().catch(async (error) => {
      if (reading.asOf === null) throw error;
      await readingDatabase.check();
      return null;
    });
    if (first === null) return yield* begin(readingDatabase.primary);
    if (first.done) return first.value;
    yield first.value;
    return yield* parts;
  } finally {
    await parts.return(0);
  }
}

/** Records the count before the file ends, so that the audit trail has the count of every complete file. */
async function* recordWhole(parts: AsyncGenerator<Buffer, number>, record: (count: number) => Promise<unknown>) {
  await record(yield* parts);
}

/** 'donations_2026-11-22_amina-raza_state-paid': without search words, which may name somebody. */
function nameFile(name: string, { at, person, filter }: ExportNote): string {
  const set = filter.filter(([key]) => key !== "q");
  const words = [name, at.slice(0, 10), person, ...set.map(([key, text]) => `${key} ${text}`)];
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
