import { type FilteredList, type SavedFilter, savedQuery } from "../saved-filters.ts";
import { addressWith } from "./filters.tsx";

type Filtered = {
  readonly list: FilteredList;
  readonly saved: readonly SavedFilter[];
  readonly typed: Readonly<Record<string, string>>;
};

/** The filters that somebody has saved, as tabs for `SavedFilters`. */
export const ownTabs = ({ list, saved, typed }: Filtered) =>
  saved.map(({ name, query }) => ({
    label: name,
    path: `${list}?${query}`,
    isHere: query === savedQuery(typed) && !typed.q,
  }));

/** After the filters that apply, whose `words` are the suggested name: the way to save them or, once saved, to delete them. */
export function SaveFilter({ list, saved, typed, words }: Filtered & { readonly words: readonly string[] }) {
  const query = savedQuery(typed);
  if (query === "") return null;
  return saved.some((one) => one.query === query) ? (
    <a href={addressWith("/admin/you/filters", { list })}>Your filters</a>
  ) : (
    <a href={addressWith("/admin/you/filters", { list, query, name: words.join(", ") })}>Save this filter</a>
  );
}
