import type { Sender } from "./compose-email.ts";
import type { EmailMessage } from "./mail.ts";

/**
 * What '{amount}' stands for, in words for staff. Staff may use it in every text of the email, so it has a value whenever
 * the email is sent, and may not leave it out of a text that has it as delivered. One that `isOptional` may be left out;
 * one that `isLocal` is known only in texts that have it as delivered.
 */
export type Placeholder =
  | string
  | { readonly about: string; readonly isOptional: true }
  | { readonly about: string; readonly isLocal: true };

/** Words with placeholders; `when`, if they are not always in the email. */
type EmailText = string | { readonly words: string; readonly when: string };

/**
 * One email: what staff may write in it, beside the function that composes it. A text named 'subject…' or 'heading…' is
 * one line; all others are paragraphs.
 */
export type DeclaredEmail<Name extends string = string, Value extends string = string> = {
  /** The template of its job; with a dot and a word more, one of several emails of that job. */
  readonly name: string;
  readonly title: string;
  /** When it is sent, and to whom. */
  readonly when: string;
  readonly placeholders: Readonly<Record<Value, Placeholder>>;
  readonly texts: Readonly<Record<Name, EmailText>>;
  /** The whole email with invented data, by what is special about it. Together they have every text. */
  readonly examples: Readonly<Record<string, (sender: Sender) => EmailMessage>>;
};

/** Infers the names of texts and placeholders. */
export const declareEmail = <const Name extends string, const Value extends string = never>(
  email: DeclaredEmail<Name, Value>,
): DeclaredEmail<Name, Value> => email;

/** Placeholders of every email, about the organisation. */
const ourPlaceholders = {
  organisation: { about: "Your legal name.", isOptional: true },
  phone: { about: "Your telephone number.", isOptional: true },
  email: { about: "Your email address for visitors and donors.", isOptional: true },
} as const satisfies Readonly<Record<string, Placeholder>>;

export const placeholdersOf = ({ placeholders }: DeclaredEmail): Readonly<Record<string, Placeholder>> => ({
  ...placeholders,
  ...ourPlaceholders,
});

export const deliveredWords = ({ texts }: DeclaredEmail, name: string): string => {
  const text = texts[name]!;
  return typeof text === "string" ? text : text.words;
};

/** The row of `site_settings` with an email's edited texts: an object with those that differ from the delivered ones. */
export const emailSetting = (name: string) => `email.${name}`;
