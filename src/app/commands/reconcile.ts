import { presentReport, providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { layOutLetter } from "#shared/mail/letter-layout.ts";
import { addDays, dayInSydney, formatDay, startOfDayInSydney } from "#shared/sydney.ts";
import { runCommand, say } from "./command.ts";

const EQUAL = 0;
const DIFFERENT = 1;
const UNREAD = 2;

/** `npm run reconcile [-- 2026-11-20]`: compares a day with the providers' books, yesterday unless one is named. */
await runCommand(async ({ reconciliation, organisation, now }) => {
  const today = dayInSydney(now());
  const [day = addDays(today, -1)] = process.argv.slice(2);
  if (!isDay(day) || day > today) {
    throw new Error(`${day} is not a day that has begun in Sydney. Write it as in 2026-11-20.`);
  }
  const { report, busy } = await reconciliation.run(day);
  const { title, blocks, isWhole, isEqual } = presentReport(report);
  // The letter's own text, up to its signature.
  const [text = ""] = layOutLetter(organisation.current(), {
    title: `${formatDay(day)}: ${title}`,
    blocks,
  }).text.split("\n\n-- \n");
  say(text);
  for (const provider of busy)
    say(`\nAnother process is comparing ${providerTitles[provider]} just now. Try again in a while.`);
  if (busy.length > 0 || !isWhole) return UNREAD;
  return isEqual ? EQUAL : DIFFERENT;
}, UNREAD);

function isDay(text: string): boolean {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text) && startOfDayInSydney(text) !== null;
  } catch {
    return false;
  }
}
