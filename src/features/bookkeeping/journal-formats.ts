import { csvText, withoutFormula } from "#shared/csv.ts";
import { plainDollars } from "#shared/money.ts";
import { describeAccount, type JournalAccount } from "./accounts.ts";

/** A day’s journal, or a correction of one. */
export type JournalDay = {
  readonly id: number;
  readonly day: string;
  /** 1 for the day itself, more for its corrections. */
  readonly part: number;
  readonly lines: readonly JournalLine[];
};
/** Debits are positive, credits negative. */
type JournalLine = { readonly account: string; readonly cents: number };

export const journalFormats = {
  xero: { label: "Xero", extension: "csv", maxLines: 300 },
  quickbooks: { label: "QuickBooks", extension: "csv", maxLines: null },
  myob: { label: "MYOB", extension: "txt", maxLines: null },
} as const;
export type JournalFormat = keyof typeof journalFormats;

export const isJournalFormat = (text: string): text is JournalFormat => Object.hasOwn(journalFormats, text);

/** Splits journals into files of as many lines as the program accepts, without dividing a journal. */
export function splitFiles(days: readonly JournalDay[], format: JournalFormat): JournalDay[][] {
  const { maxLines } = journalFormats[format];
  const files: JournalDay[][] = [];
  let lines = 0;
  for (const day of days) {
    lines += day.lines.length;
    const open = files.at(-1);
    if (open !== undefined && (maxLines === null || lines <= maxLines)) open.push(day);
    else {
      files.push([day]);
      lines = day.lines.length;
    }
  }
  return files;
}

type Accounts = ReadonlyMap<string, JournalAccount>;

/** The text of one file. */
export function writeJournal(days: readonly JournalDay[], format: JournalFormat, accounts: Accounts): string {
  return writers[format](days, accounts);
}

/** 'J-20261121', and 'J-20261121-2' for its first correction. */
const journalNumber = ({ day, part }: Pick<JournalDay, "day" | "part">) =>
  `J-${day.replaceAll("-", "")}${part > 1 ? `-${part}` : ""}`;

const describe = ({ part, day }: JournalDay) =>
  part > 1 ? `Website ${shortDate(day)}, correction ${part - 1}` : `Website ${shortDate(day)}`;

/** 21/11/2026, as the Australian editions of the programs expect it. */
const shortDate = (day: string) => day.split("-").reverse().join("/");

const writers: Readonly<Record<JournalFormat, (days: readonly JournalDay[], accounts: Accounts) => string>> = {
  xero: (days, accounts) =>
    writeRows(",", [
      ["*Narration", "*Date", "Description", "*AccountCode", "*TaxRate", "*Amount"],
      ...days.flatMap((day) =>
        day.lines.map(({ account, cents }) => {
          const { code, name, tax } = describeAccount(accounts, account);
          const narration = `${journalNumber(day)} ${describe(day)}`;
          return [narration, shortDate(day.day), name, code, tax, plainDollars(cents)];
        }),
      ),
    ]),
  quickbooks: (days, accounts) =>
    writeRows(",", [
      ["Journal No.", "Journal Date", "Account Name", "Description", "Debits", "Credits"],
      ...days.flatMap((day) =>
        day.lines.map(({ account, cents }) => {
          const { name } = describeAccount(accounts, account);
          return [journalNumber(day), shortDate(day.day), name, describe(day), ...sides(cents)];
        }),
      ),
    ]),
  myob: (days, accounts) =>
    [
      writeRows("\t", [["Journal Number", "Date", "Memo", "Account Number", "Debit", "Credit"]]),
      ...days.map((day) =>
        writeRows(
          "\t",
          day.lines.map(({ account, cents }) => {
            const { code } = describeAccount(accounts, account);
            return [journalNumber(day), shortDate(day.day), describe(day), code, ...sides(cents)];
          }),
        ),
      ),
    ].join("\r\n"),
};

const sides = (cents: number) => (cents > 0 ? [plainDollars(cents), ""] : ["", plainDollars(-cents)]);

/** Texts that a spreadsheet would take for a formula begin with an apostrophe; amounts are numbers. */
function writeRows(separator: "," | "\t", rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((cell) => writeCell(cell, separator)).join(separator)}\r\n`).join("");
}

function writeCell(text: string, separator: "," | "\t"): string {
  const isAmount = /^-?\d+\.\d\d$/.test(text);
  const safe = isAmount ? text : withoutFormula(text);
  return separator === "," ? csvText(safe) : safe.replace(/[\t\r\n]+/g, " ");
}
