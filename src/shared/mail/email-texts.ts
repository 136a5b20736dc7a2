import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { isolateRightToLeft } from "#shared/language.ts";
import type { Sender } from "./compose-email.ts";
import { type DeclaredEmail, deliveredWords, emailSetting } from "./declared-email.ts";
import { html, type Markup } from "./html.ts";
import { faultIn } from "./text-faults.ts";

/** Words as delivered, or as staff have written them: those are typed text, and so is each value in them. */
export type Words = string | { readonly text: string; readonly markup: Markup };

/** What staff have written, by the name of the email, as the database has it. */
export type EditedTexts = ReadonlyMap<string, unknown>;

/** Every text that staff have edited, unchecked. */
export async function readEditedTexts(connection: Connection): Promise<EditedTexts> {
  const prefix = emailSetting("");
  const rows = await connection
    .selectFrom("site_settings")
    .select(["key", "value"])
    // With LIKE or a parameter, PostgreSQL would plan this anew each time, which takes longer than reading it.
    .where(({ fn }) => fn<boolean>("starts_with", ["key", sql.lit(prefix)]))
    .execute();
  return new Map(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

/** The edited words of one text; null if there are none, and "" if SQL has written something other than text. */
export function editedWords(edited: unknown, name: string): string | null {
  if (typeof edited !== "object" || edited === null || !Object.hasOwn(edited, name)) return null;
  const words = (edited as Readonly<Record<string, unknown>>)[name];
  return typeof words === "string" ? words : "";
}

/** The email's texts with these values. Edited words that are not valid any more count as none. */
export function fillTexts<Name extends string, Value extends string>(
  email: DeclaredEmail<Name, Value>,
  { organisation, texts }: Sender,
  values: Readonly<Record<NoInfer<Value>, string>>,
): Readonly<Record<Name, Words>> {
  const { name, phone, email: address } = organisation;
  const known = new Map(Object.entries({ ...values, organisation: name, phone, email: address }));
  const edited = texts?.get(email.name);
  const filled = Object.keys(email.texts).map((text) => {
    const words = editedWords(edited, text);
    if (words !== null && faultIn(email, text, words) === null) return [text, fillEdited(words, known)] as const;
    const pieces = piecesOf(deliveredWords(email, text), known);
    return [text, pieces.map(({ text }) => text).join("")] as const;
  });
  return Object.fromEntries(filled) as Record<Name, Words>;
}

function fillEdited(words: string, values: ReadonlyMap<string, string>): Words {
  const pieces = piecesOf(words, values);
  return {
    text: pieces.map(({ text }) => text).join(""),
    markup: html`${pieces.map(({ text, isValue }) => (isValue ? html`<bdi>${text}</bdi>` : text))}`,
  };
}

/** The words and the values between them, in one pass: braces in a value are only text. */
function piecesOf(words: string, values: ReadonlyMap<string, string>) {
  return words.split(/\{(\w+)\}/).map((piece, index) => {
    const isValue = index % 2 === 1;
    return { isValue, text: isValue ? isolateRightToLeft(values.get(piece) ?? "") : piece };
  });
}

/** For subjects, and for the plain text of an email. */
export const textOfWords = (words: Words): string => (typeof words === "string" ? words : words.text);

/** Puts sentences into one paragraph. */
export function joinWords(...sentences: readonly Words[]): Words {
  const text = sentences.map(textOfWords).join(" ");
  if (sentences.every((each) => typeof each === "string")) return text;
  const pieces = sentences.map((each, index) => html`${index > 0 && " "}${markupOfWords(each)}`);
  return { text, markup: html`${pieces}` };
}

/** For the HTML of an email; plain words are escaped. */
export const markupOfWords = (words: Words): Markup => (typeof words === "string" ? html`${words}` : words.markup);
