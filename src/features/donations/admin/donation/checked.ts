import type { FilledForm } from "#admin/screen.ts";

/** The answer to a first form: nothing was done, and the second form asks to check what would be. */
export const TO_CHECK = { check: "Nothing was done yet. Read below what happens, then confirm it." } as const;

/** What the form showed to be checked. If it has changed since, the form does nothing. */
export const checkedEmail = (email: string) => email;
export const checkedName = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name}\n${last_name}`;

export const checkedMove = ({ line, to }: { line: string; to: string }) => `${line}\n${to}`;

/** A line's value in the form that moves it: its position, and its fund when the form was shown. */
export const lineKey = ({ position, fund }: { position: number; fund: string }) => `${position}:${fund}`;

/** A form's value, trimmed as its fields are. */
export const typedValue = ({ values }: FilledForm, name: string) => values[name]?.[0]?.trim() ?? "";
