import { hasCardNumber } from "#admin/card-number.ts";
import { showsFaith } from "#admin/faith.ts";
import { type ReportWrong, readDays, readFilterTexts, withoutPunctuation } from "#admin/list-filter.ts";
import { hasRight, type StaffMember } from "#admin/rights.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { readDollars } from "#shared/money.ts";
import { type DonationFilter, noFilter } from "../../server/search/donation-filter.ts";
import { type DonationOrder, isDonationOrder } from "../../server/search/donation-order.ts";
import { isDonationState } from "../../server/search/donation-states.ts";

/** The filters' names in the address. */
export const filterNames = ["q", "from", "to", "method", "state", "fund", "min", "max"] as const;
export type FilterName = (typeof filterNames)[number];
type TypedFilters = Readonly<Record<FilterName, string>>;

export type Fund = { readonly fund: string; readonly title: string };

export type ReadFilter = {
  readonly filter: DonationFilter;
  /** The values as typed, to be shown again. */
  readonly typed: TypedFilters;
  /** Errors by field. An invalid filter is not applied. */
  readonly errors: FieldErrors;
  /** The filters that are set, by their names in the address. */
  readonly applied: readonly FilterName[];
};

type Known = { readonly staff: Pick<StaffMember, "roles">; readonly funds: readonly Fund[] };

/** Reads the filter in an address: applies its valid values, and has an error for each invalid one. */
export function readFilter(query: Readonly<Record<string, string>>, known: Known): ReadFilter {
  const typed = readFilterTexts(query, filterNames);
  const errors: Record<string, string[]> = {};
  const ignored = new Set<FilterName>();
  const wrong: ReportWrong<FilterName> = (name, text, also = []) => {
    errors[name] = [text];
    for (const each of [name, ...also]) ignored.add(each);
    return null;
  };
  const q = hasCardNumber(typed.q) ? (wrong("q", wholeCard) ?? "") : typed.q;
  const filter = readRest({ ...typed, q }, known, wrong);
  const applied = filterNames.filter((name) => typed[name] !== "" && !ignored.has(name));
  // A whole card number is not repeated in the page either.
  return { filter, typed: { ...typed, q }, errors, applied };
}

const wholeCard = "Search for the last three digits of a card, never for all of them. Shown without it.";

function readRest(typed: TypedFilters, { staff, funds }: Known, wrong: ReportWrong<FilterName>): DonationFilter {
  const [from, until] = readDays(typed, wrong);
  const [minCents, maxCents] = readAmounts(typed, wrong);
  const { method, state, fund } = typed;
  const isHidden = showsFaith(fund) && !hasRight(staff, "faith.see");
  return {
    ...noFilter,
    q: withoutPunctuation(typed.q),
    from,
    until,
    minCents,
    maxCents,
    method:
      method === "" || method === "cc" || method === "pp"
        ? method || null
        : wrong("method", "Choose a way to pay from the list. Shown without it."),
    state:
      state === "" || isDonationState(state)
        ? state || null
        : wrong("state", "Choose a state from the list. Shown without it."),
    fund:
      fund === "" || (!isHidden && funds.some((each) => each.fund === fund))
        ? fund || null
        : wrong(
            "fund",
            isHidden
              ? "You may not see who gave to this fund. Shown without it."
              : "Choose a fund from the list. Shown without it.",
          ),
  };
}

/** The order in the address; newest first unless it says otherwise. */
export function readOrder({ sort = "" }: Readonly<Record<string, string>>): {
  readonly order: DonationOrder;
  readonly errors: FieldErrors;
} {
  if (sort === "" || isDonationOrder(sort)) return { order: sort || "newest", errors: {} };
  return { order: "newest", errors: { sort: ["Choose an order from the list. Shown newest first."] } };
}

/** As `readOrder` reads it; empty for the usual order, so that the address stays short. */
export const writeOrder = (order: DonationOrder) => (order === "newest" ? "" : order);

function readAmounts({ min, max }: TypedFilters, wrong: ReportWrong<FilterName>): [number | null, number | null] {
  const [minCents, maxCents] = (["min", "max"] as const).map((name) => {
    const text = name === "min" ? min : max;
    if (text === "") return null;
    return readDollars(text) ?? wrong(name, "Write an amount such as 50 or 12.50. Shown without it.");
  }) as [number | null, number | null];
  if (minCents !== null && maxCents !== null && minCents > maxCents) {
    wrong("max", "This is less than the lowest amount. Shown without the amounts.", ["min"]);
    return [null, null];
  }
  return [minCents, maxCents];
}
