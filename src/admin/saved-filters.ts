/** The lists whose filters can be saved, with what each lists. */
export const filteredLists = {
  "/admin/donations": "Donations",
  "/admin/orders": "Ticket orders",
  "/admin/volunteers/list": "Applications to volunteer",
} as const;
export type FilteredList = keyof typeof filteredLists;

/** A filter that a member of staff has saved. `query` is what its address has after the question mark. */
export type SavedFilter = { readonly id: number; readonly name: string; readonly query: string };

/** What a list needs to show its saved filters. */
export type SavedFilterReads = {
  readonly listSavedFilters: (staffId: number, path: FilteredList) => Promise<readonly SavedFilter[]>;
};

declare module "./screen.ts" {
  interface AdminReads extends SavedFilterReads {}
}

/**
 * A filter as it is saved, in one order: without search words, which may name somebody, and without a place in the
 * list. Empty if nothing else is set.
 */
export function savedQuery(typed: Readonly<Record<string, string>>): string {
  const kept = Object.entries(typed).filter(([name, text]) => text !== "" && !["q", "older", "newer"].includes(name));
  return new URLSearchParams(kept.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString();
}
