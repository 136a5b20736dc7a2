import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { AppError, problems } from "#shared/errors.ts";
import { addDays, dayInSydney, isDay, plural } from "#shared/language.ts";
import { isJournalFormat, journalFormats, splitFiles, writeJournal } from "../journal-formats.ts";
import { monthOf, periodBefore } from "../periods.ts";
import { countNewEntries } from "../server/book-days.ts";
import { countWaiting, listBatches, makeJournal, readAccounts, readJournal } from "../server/journal.ts";
import type { BookkeepingServices } from "./admin-parts.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readJournals: ReturnType<typeof journalReads>["readJournals"];
  }
}

const PATH = "/admin/journal";

/** The accounting journal: what is still to be exported, what was exported, and the files. */
export function journalPart(services: BookkeepingServices): AdminPart {
  return {
    reads: journalReads(services),
    actions: [makeAction(services)],
    routes: (admin) => journalFiles(admin, services),
  };
}

export function journalReads({ database, now }: BookkeepingServices) {
  return {
    async readJournals() {
      const isWhole = await countNewEntries(database);
      const yesterday = addDays(dayInSydney(now()), -1);
      const [waiting, batches, accounts] = await Promise.all([
        countWaiting(database, yesterday),
        listBatches(database),
        readAccounts(database),
      ]);
      const files = await Promise.all(
        batches.map(async (batch) => {
          // Only a long journal for Xero has several files.
          if (batch.lines <= journalFormats.xero.maxLines) return { ...batch, files: 1 };
          return { ...batch, files: splitFiles(await readJournal(database, { batch: batch.id }), "xero").length };
        }),
      );
      return { isWhole, yesterday, waiting, batches: files, accounts, lastMonth: periodBefore(monthOf(yesterday)) };
    },
  };
}

const Day = (ask: string) => z.string(ask).refine(isDay, ask);

function makeAction({ database, now }: BookkeepingServices): Action {
  return action({
    path: `${PATH}/make`,
    right: "exports.make",
    needsProof: true,
    screen: PATH,
    fields: z.object({ from: Day("Choose the first day."), to: Day("Choose the last day.") }),
    async run({ fields: { from, to }, actor, staff }) {
      const at = now();
      if (from > to) throw new AppError("invalid_input", { fields: { to: ["This day is before the first one."] } });
      if (to >= dayInSydney(at)) {
        throw new AppError("invalid_input", { fields: { to: ["Only past days can be exported."] } });
      }
      if (!(await countNewEntries(database))) {
        throw new Refusal("The newest entries are still being counted. Try again in a few minutes.");
      }
      const made = await database.transaction().execute(async (transaction) => {
        const batch = await makeJournal(transaction, { first: from, last: to, by: staff.id, now: at });
        if (batch === null) throw new Refusal("All of these days have been exported, and nothing has changed since.");
        const after = { from, to, days: batch.days, lines: batch.lines };
        await recordAct(
          transaction,
          actor,
          { verb: "journal.make", subject: "journal", subjectId: String(batch.id), after },
          at,
        );
        return batch;
      });
      const toast = plural(made.days, {
        one: "The journal of one day is ready.",
        other: `The journal of ${made.days} days is ready.`,
      });
      return { to: `${PATH}#journal-${made.id}`, toast };
    },
  });
}

const Asked = z.object({
  format: z.string().refine(isJournalFormat),
  from: z.string().refine(isDay).optional(),
  to: z.string().refine(isDay).optional(),
  batch: z.coerce.number().int().positive().optional(),
  file: z.coerce.number().int().positive().default(1),
});

/**
 * `/admin/journal.csv`: a file of these days in a format or, with `batch`, of an earlier export, as often as one likes.
 */
function journalFiles(admin: FastifyInstance, { database, staffSessions, now }: BookkeepingServices): void {
  const config = { access: "exports.make", needsProof: true } as const;
  admin.get(
    `${PATH}.csv`,
    { config, schema: { hide: true } as object, exposeHeadRoute: false },
    async (request, reply) => {
      const asked = Asked.safeParse(request.query);
      const of = asked.success ? readScope(asked.data) : null;
      if (!asked.success || of === null) throw new AppError(problems.not_found);
      const { format, file } = asked.data;
      const [days, accounts, session] = await Promise.all([
        readJournal(database, of),
        readAccounts(database),
        staffSessions.find(request),
      ]);
      const files = splitFiles(days, format);
      const wanted = files[file - 1];
      if (wanted === undefined) throw new AppError(problems.not_found);
      const actor = { staff: session!.staff, ipAddress: request.ip };
      const subjectId = "batch" in of ? String(of.batch) : "";
      const after = { format, file, from: wanted[0]!.day, to: wanted.at(-1)!.day };
      await recordAct(database, actor, { verb: "journal.download", subject: "journal", subjectId, after }, now());
      const { extension } = journalFormats[format];
      const part = files.length > 1 ? `-${file}-of-${files.length}` : "";
      const name = `journal-${format}-${after.from}-${after.to}${part}.${extension}`;
      return reply
        .type(extension === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8")
        .header("content-disposition", `attachment; filename="${name}"`)
        .send(writeJournal(wanted, format, accounts));
    },
  );
}

function readScope({ from, to, batch }: z.output<typeof Asked>) {
  if (batch !== undefined) return { batch };
  return from === undefined || to === undefined ? null : { first: from, last: to };
}
