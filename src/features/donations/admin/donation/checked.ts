import type { FilledForm } from "#admin/screen.ts";

/** The answer to a form that reaches the donor, before it does. */
export const TO_CHECK = { check: "Nothing was done yet. Read below what happens, then confirm it." } as const;

/** What was shown to be checked: a form does nothing if this has changed since. */
export const checkedEmail = (email: string) => email;
export const checkedName = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name}\n${last_name}`;

export const checkedMove = ({ line, to }: { line: string; to: string }) => `${line}\n${to}`;

/** A line in the form that moves it: its place, and the fund that whoever moves it saw. */
export const lineKey = ({ position, fund }: { position: number; fund: string }) => `${position}:${fund}`;

/** A form's value, trimmed as its fields are. */
export const typedValue = ({ values }: FilledForm, name: string) => values[name]?.[0]?.trim() ?? "";
