import { type FilteredList, type SavedFilter, savedQuery } from "../saved-filters.ts";
import { addressWith, SavedFilters } from "./filters.tsx";

type Props = {
  readonly list: FilteredList;
  readonly saved: readonly SavedFilter[];
  readonly typed: Readonly<Record<string, string>>;
  /** The filters that apply, in words: the suggested name. */
  readonly words: readonly string[];
};

/** The filters that somebody has saved, as tabs above the list, and the way to save the one that applies. */
export function OwnFilters({ list, saved, typed, words }: Props) {
  const query = savedQuery(typed);
  const isNew = query !== "" && !saved.some((one) => one.query === query);
  if (saved.length === 0 && !isNew) return null;
  return (
    <>
      {saved.length > 0 && (
        <SavedFilters
          label="Your filters"
          saved={saved.map((one) => ({
            label: one.name,
            path: `${list}?${one.query}`,
            isHere: one.query === query && !typed.q,
          }))}
        />
      )}
      <p className="chips">
        {isNew && (
          <a href={addressWith("/admin/you/filters", { list, query, name: words.join(", ") })}>Save this filter</a>
        )}{" "}
        {saved.length > 0 && <a href={addressWith("/admin/you/filters", { list })}>Change your filters</a>}
      </p>
    </>
  );
}
