import { plainText } from "#shared/contract/plain-line.ts";
import { type DeclaredEmail, deliveredWords, placeholdersOf } from "#shared/mail/declared-email.ts";
import { editedWords } from "#shared/mail/email-texts.ts";
import { faultIn, kindOfText } from "#shared/mail/text-faults.ts";

/** One text of an email, as its screen shows it. */
export type ShownText = {
  readonly name: string;
  readonly label: string;
  /** Null if it is always in the email. */
  readonly when: string | null;
  readonly isLine: boolean;
  readonly delivered: string;
  /** What is sent now. */
  readonly words: string;
  /** What was saved and is not sent, because it is not valid any more. */
  readonly ignored: { readonly words: string; readonly fault: string } | null;
};

/** Texts by name. */
export type EmailWords = Readonly<Record<string, string>>;

const labels = { subject: "Subject", heading: "Heading", paragraph: "Paragraph" } as const;

/** The texts of an email with these edited ones, as the database has them. */
export function listTexts(email: DeclaredEmail, edited: unknown): ShownText[] {
  const names = Object.keys(email.texts);
  return names.map((name) => {
    const kind = kindOfText(name);
    const alike = names.filter((each) => kindOfText(each) === kind);
    const text = email.texts[name]!;
    const delivered = deliveredWords(email, name);
    const saved = editedWords(edited, name);
    const fault = saved === null ? null : faultIn(email, name, saved);
    return {
      name,
      delivered,
      words: fault === null ? (saved ?? delivered) : delivered,
      label: alike.length === 1 ? labels[kind] : `${labels[kind]} ${alike.indexOf(name) + 1}`,
      when: typeof text === "string" ? null : text.when,
      isLine: kind !== "paragraph",
      ignored: saved === null || fault === null ? null : { words: saved, fault },
    };
  });
}

/** What is sent of these edited texts: those that are valid and differ from the delivered ones. */
export function listKept(email: DeclaredEmail, edited: unknown): EmailWords {
  const kept = listTexts(email, edited).filter(({ words, delivered }) => words !== delivered);
  return Object.fromEntries(kept.map(({ name, words }) => [name, words]));
}

/** Texts that were saved when the email still had them. */
export function listGone(email: DeclaredEmail, edited: unknown): string[] {
  const saved = typeof edited === "object" && edited !== null ? Object.keys(edited) : [];
  return saved.filter((name) => !Object.hasOwn(email.texts, name)).map((name) => editedWords(edited, name)!);
}

/** Whether something that was saved is not sent. */
export const hasIgnored = (email: DeclaredEmail, edited: unknown): boolean =>
  listGone(email, edited).length > 0 || listTexts(email, edited).some(({ ignored }) => ignored !== null);

/** `rule` says where it may be left out or used. */
export type ShownPlaceholder = { readonly name: string; readonly about: string; readonly rule: string };

/** The values that the email's texts can use, each with its rule. */
export const listEmailPlaceholders = (email: DeclaredEmail): ShownPlaceholder[] =>
  Object.entries(placeholdersOf(email)).map(([name, placeholder]) => {
    if (typeof placeholder === "string") return { name, about: placeholder, rule: "Must stay." };
    return { name, about: placeholder.about, rule: "isLocal" in placeholder ? "Must stay where it is." : "" };
  });

/** What was typed, as it is kept: a line without line ends, a paragraph with those of a form made alike. */
function readWords(name: string, typed: string): string {
  const text = plainText(typed);
  return kindOfText(name) === "paragraph" ? text : text.replace(/\s+/g, " ");
}

/** The name of a text's field. */
export const fieldOf = (name: string) => `words.${name}`;

/**
 * What was typed, to be kept: only what differs from the delivered words. An empty field stands for these; one that was
 * not sent, for what holds.
 */
export function readTyped(
  email: DeclaredEmail,
  typed: Readonly<Record<string, unknown>>,
  current: unknown,
): { readonly words: EmailWords } | { readonly errors: Readonly<Record<string, readonly string[]>> } {
  const words: Record<string, string> = {};
  const errors: Record<string, string[]> = {};
  for (const text of listTexts(email, current)) {
    const given = typed[fieldOf(text.name)];
    const wording = typeof given === "string" ? readWords(text.name, given) : text.words;
    if (wording === "" || wording === text.delivered) continue;
    const fault = faultIn(email, text.name, wording);
    if (fault === null) words[text.name] = wording;
    else errors[fieldOf(text.name)] = [fault];
  }
  return Object.keys(errors).length > 0 ? { errors } : { words };
}

/** In the audit trail a name means one thing only. */
export const auditName = (email: DeclaredEmail, text: string) => `email.${email.name}.${text}`;

/** The texts that differ, as the audit trail keeps them; null if none do. */
export function listWordChanges(email: DeclaredEmail, earlier: unknown, later: unknown) {
  const laterTexts = listTexts(email, later);
  const changed = listTexts(email, earlier).filter(({ words }, index) => words !== laterTexts[index]!.words);
  if (changed.length === 0) return null;
  const wordsOf = (texts: readonly ShownText[]) =>
    Object.fromEntries(
      texts
        .filter(({ name }) => changed.some((each) => each.name === name))
        .map(({ name, words }) => [auditName(email, name), words]),
    );
  return { before: wordsOf(changed), after: wordsOf(laterTexts) };
}
