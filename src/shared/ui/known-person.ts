const KEY = "known-person";

/** What somebody told us of themselves while they paid. */
export type KnownPerson = {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly postcode?: string | undefined;
};

/** Keeps it in this tab for the registration form, and never in an address. */
export function keepKnownPerson(person: KnownPerson): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(person));
  } catch {
    // Storage is switched off: the form starts empty.
  }
}

/** What was kept, once: it is gone afterwards. */
export function takeKnownPerson(): KnownPerson {
  try {
    const person: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    sessionStorage.removeItem(KEY);
    return typeof person === "object" && person !== null ? person : {};
  } catch {
    return {};
  }
}
