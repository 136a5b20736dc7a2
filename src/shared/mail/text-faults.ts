import { formatList } from "#shared/language.ts";
import { type DeclaredEmail, deliveredWords, type Placeholder, placeholdersOf } from "./declared-email.ts";

const MAX_CHARACTERS = { subject: 78, heading: 120, paragraph: 1500 } as const;

/** What kind of text it is, by its name. */
export function kindOfText(name: string): keyof typeof MAX_CHARACTERS {
  if (name.startsWith("subject")) return "subject";
  return name.startsWith("heading") ? "heading" : "paragraph";
}

/** The names in braces. */
const placeholdersIn = (words: string): string[] => [...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Why these words cannot be this text, as a sentence that says what to do; null if they can. */
export function faultIn(email: DeclaredEmail, name: string, words: string): string | null {
  const maxLength = MAX_CHARACTERS[kindOfText(name)];
  const known = placeholdersOf(email);
  const used = placeholdersIn(words);
  if (!/[^\s\p{C}]/u.test(words)) return "Write something here, or empty the field to restore the delivered text.";
  if (kindOfText(name) === "paragraph" ? /[^\P{Cc}\n\t]/u.test(words) : /\p{Cc}/u.test(words)) {
    return "Remove the control characters, and write a subject or heading on one line.";
  }
  if (/[\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(words)) {
    return "Remove the invisible characters that change the direction of the text.";
  }
  if ([...words].length > maxLength) return `Shorten this to at most ${maxLength} characters.`;
  const wrong = placeholderFault(words, Object.keys(known), { where: "email", example: "organisation" });
  if (wrong !== null) return wrong;
  const delivered = placeholdersIn(deliveredWords(email, name));
  const local = used.find((each) => is(known[each], "isLocal") && !delivered.includes(each));
  if (local !== undefined) return `Leave {${local}} out: only texts that have it as delivered can use it.`;
  const missing = delivered.find((each) => !is(known[each], "isOptional") && !used.includes(each));
  return missing === undefined ? null : `Keep {${missing}} in this text: it must not be left out.`;
}

/** Why the braces in these words cannot be filled in, as a sentence that says what to do; null if they can. */
export function placeholderFault(
  words: string,
  known: readonly string[],
  { where, example }: { where: string; example: string },
): string | null {
  const unknown = placeholdersIn(words).find((each) => !known.includes(each));
  if (unknown !== undefined) return describeUnknown(unknown, known, where);
  if (!/[{}]/.test(words.replace(/\{\w+\}/g, ""))) return null;
  return `Write placeholders like {${example}}, without spaces. Braces stand for nothing else.`;
}

const is = (placeholder: Placeholder | undefined, what: "isOptional" | "isLocal") =>
  typeof placeholder === "object" && what in placeholder;

function describeUnknown(unknown: string, known: readonly string[], where: string): string {
  const [nearest] = known.toSorted((one, other) => distance(one, unknown) - distance(other, unknown));
  if (distance(nearest!, unknown) <= 2) return `There is no {${unknown}} in this ${where}. Did you mean {${nearest}}?`;
  const names = formatList(
    known.map((each) => `{${each}}`),
    "or",
  );
  return `There is no {${unknown}} in this ${where}. Use ${names}.`;
}

/** How many letters have to be changed, added or left out to make one word of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [place, letter] of [...one.toLowerCase()].entries()) {
    const next = [place + 1];
    for (const [index, each] of [...other.toLowerCase()].entries()) {
      next.push(Math.min(next[index]! + 1, row[index + 1]! + 1, row[index]! + (letter === each ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
