import { openStorage } from "#shared/ui/browser-storage.ts";

const storage = openStorage("tab", "known-person");

/** What the payer told us about themselves. */
export type KnownPerson = {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly postcode?: string | undefined;
};

/** Keeps it in this tab for the registration form, never in a URL. */
export const keepKnownPerson = (person: KnownPerson) => storage.keep(() => JSON.stringify(person));

/** Returns it once and removes it. */
export const takeKnownPerson = (): KnownPerson => storage.take((text) => JSON.parse(text ?? "null")) ?? {};
