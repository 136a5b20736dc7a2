import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { type FilteredList, filteredLists, type SavedFilterReads, savedQuery } from "#admin/saved-filters.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import { deleteFilter, listSavedFilters, saveFilter } from "../server/saved-filters.ts";
import type { StaffServices } from "../server/services.ts";

export const isFilteredList = (path: string): path is FilteredList => Object.hasOwn(filteredLists, path);

const screen = "/admin/you/filters";
const right = "logged in";
const nameless = "Enter a name, such as ‘Zakat this year’.";

const Saved = z.object({
  list: z.string().refine(isFilteredList, "Open the list, and save its filter from there."),
  query: z.string().max(500, "This filter is too long to be saved."),
  name: z
    .string(nameless)
    .trim()
    .min(1, nameless)
    .max(40, "Use at most 40 characters.")
    .regex(plainLine, { message: nameless }),
});

/** The filters that each person saves for themselves. */
export function filtersPart({ database, now }: StaffServices): AdminPart {
  const reads: SavedFilterReads = { listSavedFilters: (staffId, path) => listSavedFilters(database, staffId, path) };
  return {
    reads,
    actions: [
      action({
        path: screen,
        screen,
        right,
        fields: Saved,
        async run({ fields: { list, query: typed, name }, staff }) {
          const query = savedQuery(Object.fromEntries(new URLSearchParams(typed)));
          if (query === "") throw new Refusal("There is no filter to save: search words are not saved.");
          await saveFilter(database, staff.id, { path: list, name, query }, now());
          return { to: `${list}?${query}`, toast: "The filter is saved. It is above the list." };
        },
      }),
      action({
        path: `${screen}/:id/delete`,
        screen,
        right,
        fields: z.object({}),
        async run({ params, staff }) {
          const id = /^[1-9]\d{0,14}$/.test(params.id!) ? Number(params.id) : 0;
          return { to: await deleteFilter(database, staff.id, id), toast: "The filter is deleted." };
        },
      }),
    ],
  };
}
