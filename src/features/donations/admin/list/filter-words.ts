import { formatDay, formatDollars } from "#shared/language.ts";
import { donationStates } from "../../server/search/donation-states.ts";
import type { DonationList } from "./list-screen.ts";
import type { FilterName } from "./read-filter.ts";

export const methodWords = { cc: "Card", pp: "PayPal" } as const;

export const refundKindWords = {
  refund: "Refund",
  void: "Void",
  chargeback: "Chargeback",
  reversal: "Reversal",
} as const;

/** The two parts of fees. */
export const describeFees = (adminFeeCents: number, merchantFeeCents: number) =>
  `${formatDollars(adminFeeCents)} admin fee, ${formatDollars(merchantFeeCents)} merchant fee`;

type Described = { readonly label: string; readonly names: readonly FilterName[] };

/** The filters that apply, in words. Filters that belong together are described as one. */
export function describeFilters({
  filter,
  typed,
  applied,
  funds,
}: Pick<DonationList, "filter" | "typed" | "applied" | "funds">): Described[] {
  const { method, state, fund, minCents, maxCents } = filter;
  const has = (name: FilterName) => applied.includes(name);
  const [from, to] = [has("from") ? typed.from : "", has("to") ? typed.to : ""];
  const described: readonly (Described | false)[] = [
    has("q") && { label: `“${typed.q}”`, names: ["q"] },
    (from !== "" || to !== "") && { label: describeDays(from, to), names: ["from", "to"] },
    method !== null && { label: methodWords[method], names: ["method"] },
    state !== null && { label: donationStates[state].label, names: ["state"] },
    fund !== null && { label: funds.find((each) => each.fund === fund)?.title ?? fund, names: ["fund"] },
    (minCents !== null || maxCents !== null) && { label: describeAmounts(minCents, maxCents), names: ["min", "max"] },
  ];
  return described.filter((each) => each !== false);
}

function describeDays(from: string, to: string): string {
  if (from === to) return formatDay(from);
  if (to === "") return `From ${formatDay(from)}`;
  if (from === "") return `Until ${formatDay(to)}`;
  return `${formatDay(from)} to ${formatDay(to)}`;
}

function describeAmounts(minCents: number | null, maxCents: number | null): string {
  if (minCents === maxCents) return formatDollars(minCents!);
  if (maxCents === null) return `${formatDollars(minCents!)} or more`;
  if (minCents === null) return `${formatDollars(maxCents)} or less`;
  return `${formatDollars(minCents)} to ${formatDollars(maxCents)}`;
}
