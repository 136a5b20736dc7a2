import { CARD_IN_SEARCH, hasCardNumber } from "#admin/card-number.ts";
import { readFilterTexts, withoutPunctuation } from "#admin/list-filter.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { type ApplicationFilter, checkFilters, type ListedApplication } from "../../server/listed-applications.ts";
import { type Stage, stageMoves } from "../../stages.ts";

/** The filters' names in the address. */
export const filterNames = ["q", "stage", "role", "days", "check"] as const;
export type FilterName = (typeof filterNames)[number];
type TypedFilters = Readonly<Record<FilterName, string>>;

type ReadFilter = {
  readonly filter: ApplicationFilter;
  /** The values as typed, to be shown again. */
  readonly typed: TypedFilters;
  /** An invalid value is reported, and not applied. */
  readonly errors: FieldErrors;
};

export type ApplicationList = ReadFilter & {
  readonly rows: readonly ListedApplication[];
  readonly roles: readonly string[];
  /** Places in the list, for the address. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly now: Date;
};

/** Reads the filter in an address; `roles` are the titles to choose from. */
export function readFilter(query: ScreenRequest["query"], roles: readonly string[]): ReadFilter {
  const given = readFilterTexts(query, filterNames);
  const hasCard = hasCardNumber(given.q);
  const typed = hasCard ? { ...given, q: "" } : given;
  const errors: Record<string, readonly string[]> = hasCard ? { q: [CARD_IN_SEARCH] } : {};
  const choose = <Value extends string>(name: FilterName, known: readonly Value[]): Value | null => {
    const found = known.find((value) => value === typed[name]) ?? null;
    if (found === null && typed[name] !== "") errors[name] = ["Choose from the list. Shown without it."];
    return found;
  };
  const stages = [...(Object.keys(stageMoves) as Stage[]), "open"] as const;
  return {
    typed,
    filter: {
      q: withoutPunctuation(typed.q),
      stage: choose("stage", stages),
      role: choose("role", roles),
      days: choose("days", ["Weekend", "Availability"] as const),
      check: choose("check", checkFilters),
    },
    errors,
  };
}
