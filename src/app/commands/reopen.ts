import { commandLine, recordAct } from "#admin/audit.ts";
import { presentReport } from "#payments/reconciliation/reconciliation-report.ts";
import type { Connection } from "#shared/database/connect.ts";
import { addDays, dayInSydney, formatDay, formatNumber, plural } from "#shared/language.ts";
import type { Services } from "../services.ts";
import "../backups/backup-tables.ts";
import { type Command, print, runCommand } from "./command.ts";

const DONE = 0;
const REFUSED = 2;

const usage = `npm run reopen -- --last-receipt NUMBER     opens a site that was restored from a backup

NUMBER is the highest receipt number that anybody has got, as in R-000123: look at the emails that were sent and at the
accounts. No number up to it is given again. If nothing was sent after the backup, write --last-receipt none.`;

/** `npm run reopen -- --last-receipt R-000123`: compares each day since the backup, skips receipt numbers, and opens. */
export const reopenCommand: Command = (words) => {
  const [flag, number = "", ...more] = words;
  const lastReceipt = number === "none" ? 0 : Number(/^(?:R-)?(\d{1,12})$/i.exec(number)?.[1] ?? Number.NaN);
  if (flag !== "--last-receipt" || more.length > 0 || Number.isNaN(lastReceipt)) throw new Error(usage);
  return async (services) => {
    const { database, now } = services;
    const paused = await database.selectFrom("restores").selectAll().where("opened_at", "is", null).executeTakeFirst();
    if (paused === undefined) throw new Error("The site is not paused: there is nothing to open.");
    const findings = await compareSince(services, dayInSydney(paused.backup_taken_at));
    const skipped = await database.transaction().execute(async (transaction) => {
      const count = await skipReceipts(transaction, { lastReceipt, restoreId: paused.id, now: now() });
      await transaction.updateTable("restores").set({ opened_at: now() }).where("id", "=", paused.id).execute();
      const about = { subject: "restore", subjectId: String(paused.id), after: { receiptNumbers: count } };
      await recordAct(transaction, commandLine, { verb: "restore.open", ...about }, now());
      return count;
    });
    if (skipped > 0) print(`${countNumbers(skipped)} skipped, as the table receipt_gaps records.`);
    if (findings > 0) {
      print(`${countDays(findings)} from the providers’ books. Look into them at /admin/reconciliation.`);
    }
    print("The site is open. A site that is running notices within two seconds.");
    return DONE;
  };
};

const countNumbers = (count: number) =>
  plural(count, { one: "1 receipt number is", other: `${formatNumber(count)} receipt numbers are` });
const countDays = (count: number) =>
  plural(count, { one: "1 day differs", other: `${formatNumber(count)} days differ` });

/**
 * Compares every day from that of the backup with the providers' books: what they charged after it is found again.
 * @returns how many days differ
 * @throws Error if a provider could not be read, so that nothing is opened half known
 */
async function compareSince({ reconciliation, now }: Services, firstDay: string): Promise<number> {
  let findings = 0;
  const today = dayInSydney(now());
  for (let day = firstDay; day <= today; day = addDays(day, 1)) {
    const { report, busy } = await reconciliation.run(day);
    const { isWhole, isEqual } = presentReport(report);
    if (busy.length > 0 || !isWhole) {
      throw new Error(
        `${formatDay(day)} could not be compared with the providers’ books. Try again later: the site stays paused.`,
      );
    }
    if (!isEqual) findings += 1;
    print(`${formatDay(day)}: ${isEqual ? "agrees with the providers’ books" : "differs from the providers’ books"}`);
  }
  return findings;
}

/** The next receipt gets a number above `lastReceipt`. Returns how many numbers are skipped. */
async function skipReceipts(
  transaction: Connection,
  { lastReceipt, restoreId, now }: { lastReceipt: number; restoreId: number; now: Date },
): Promise<number> {
  const { last_number } = await transaction
    .selectFrom("receipt_counter")
    .select("last_number")
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (lastReceipt <= last_number) return 0;
  await transaction
    .insertInto("receipt_gaps")
    .values({ first_number: last_number + 1, last_number: lastReceipt, restore_id: restoreId, created_at: now })
    .execute();
  await transaction.updateTable("receipt_counter").set({ last_number: lastReceipt }).execute();
  return lastReceipt - last_number;
}

if (import.meta.main) await runCommand(reopenCommand, REFUSED);
