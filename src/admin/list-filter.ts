import { addDays, isDay, startOfDayInSydney } from "#shared/language.ts";

/** The texts of filters in an address, each as one line, without characters that the database refuses. */
export function readFilterTexts<Name extends string>(
  query: Readonly<Record<string, string>>,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  return Object.fromEntries(names.map((name) => [name, asLine(query[name] ?? "")])) as Record<Name, string>;
}

function asLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim()
    .slice(0, 200);
}

/** Search words without what surrounds them in emails and tables: 'Dubois, Anne <anne@example.org>'. Keeps 1,234.50. */
export function withoutPunctuation(q: string): string {
  return q
    .replace(/["“”„«»<>;،؛]|,(?!\d)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Reports an invalid filter, which is then not applied, nor those in `also`. */
export type ReportWrong<Name extends string> = (name: Name, text: string, also?: readonly Name[]) => null;

/** The start of the first day and the end of the last day in Sydney; null if not given, or invalid. */
export function readDays(
  { from, to }: Readonly<Record<"from" | "to", string>>,
  wrong: ReportWrong<"from" | "to">,
): [from: Date | null, until: Date | null] {
  const read = (name: "from" | "to", text: string) => {
    if (text === "" || isDay(text)) return text;
    wrong(name, "There is no such day. Write it as 2026-11-30. Shown without it.");
    return "";
  };
  const [first, last] = [read("from", from), read("to", to)];
  if (first !== "" && last !== "" && first > last) {
    wrong("to", "This day is before the first one. Shown without the days.", ["from"]);
    return [null, null];
  }
  return [first === "" ? null : startOfDayInSydney(first), last === "" ? null : startOfDayInSydney(addDays(last, 1))];
}
