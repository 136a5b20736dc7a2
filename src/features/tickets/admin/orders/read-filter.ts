import { CARD_IN_SEARCH, hasCardNumber } from "#admin/card-number.ts";
import { type ReportWrong, readDays, readFilterTexts, withoutPunctuation } from "#admin/list-filter.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { isOrderState, type OrderFilter } from "../../server/staff/order-filter.ts";

/** The filters' names in the address. */
export const orderFilterNames = ["q", "event", "state", "from", "to"] as const;
export type OrderFilterName = (typeof orderFilterNames)[number];

export type FilterEvent = { readonly id: number; readonly title: string };

export type ReadOrderFilter = {
  readonly filter: OrderFilter;
  /** The values as typed, to be shown again. */
  readonly typed: Readonly<Record<OrderFilterName, string>>;
  /** Errors by field. An invalid filter is not applied. */
  readonly errors: FieldErrors;
  readonly applied: readonly OrderFilterName[];
};

/** Reads the filter in an address: applies its valid values, and has an error for each invalid one. */
export function readOrderFilter(
  query: Readonly<Record<string, string>>,
  events: readonly FilterEvent[],
): ReadOrderFilter {
  const given = readFilterTexts(query, orderFilterNames);
  const hasCard = hasCardNumber(given.q);
  const typed = { ...given, ...(hasCard && { q: "" }) };
  const errors: Partial<Record<OrderFilterName, string[]>> = {};
  const ignored = new Set<OrderFilterName>();
  const wrong: ReportWrong<OrderFilterName> = (name, text, also = []) => {
    errors[name] = [text];
    for (const each of [name, ...also]) ignored.add(each);
    return null;
  };
  if (hasCard) wrong("q", CARD_IN_SEARCH);
  const event = events.find(({ id }) => String(id) === typed.event);
  const [from, until] = readDays(typed, wrong);
  const filter: OrderFilter = {
    q: withoutPunctuation(typed.q),
    from,
    until,
    eventId:
      typed.event === "" ? null : (event?.id ?? wrong("event", "Choose an event from the list. Shown without it.")),
    state:
      typed.state === ""
        ? null
        : isOrderState(typed.state)
          ? typed.state
          : wrong("state", "Choose a state from the list. Shown without it."),
  };
  const applied = orderFilterNames.filter((name) => typed[name] !== "" && !ignored.has(name));
  return { filter, typed, errors: errors as FieldErrors, applied };
}
