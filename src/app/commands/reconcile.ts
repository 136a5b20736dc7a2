import { presentReport, providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { addDays, dayInSydney, formatDay, isDay } from "#shared/language.ts";
import { layOutEmail } from "#shared/mail/email-layout.ts";
import { type Command, print, runCommand } from "./command.ts";

const EQUAL = 0;
const DIFFERENT = 1;
const UNREAD = 2;

const usage = `npm run reconcile                  compares yesterday with the providers' books
npm run reconcile -- 2026-11-20    any day that has begun in Sydney`;

/** `npm run reconcile [-- 2026-11-20]`: compares a day with the providers' books; yesterday by default. */
export const reconcileCommand: Command = ([named, ...more]) => {
  if (more.length > 0 || (named !== undefined && !isDay(named))) throw new Error(usage);
  return async ({ reconciliation, organisation, config, now }) => {
    if (config.paymentMode === "off") {
      print("Payments are off, so there is nothing to compare.");
      return EQUAL;
    }
    const today = dayInSydney(now());
    const day = named ?? addDays(today, -1);
    if (day > today) throw new Error(`${day} has not begun in Sydney yet.`);
    const { report, busy } = await reconciliation.run(day);
    const { title, blocks, isWhole, isEqual } = presentReport(report);
    // The email's text without its signature.
    const [text = ""] = layOutEmail(organisation.current(), {
      title: `${formatDay(day)}: ${title}`,
      blocks,
    }).text.split("\n\n-- \n");
    print(text);
    for (const provider of busy) print(`\nAnother process is comparing ${providerTitles[provider]}. Try again later.`);
    if (busy.length > 0 || !isWhole) return UNREAD;
    return isEqual ? EQUAL : DIFFERENT;
  };
};

if (import.meta.main) await runCommand(reconcileCommand, UNREAD);
