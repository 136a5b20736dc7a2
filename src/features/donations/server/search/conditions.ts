import { type RawBuilder, sql } from "kysely";
import type { DonationFilter } from "./donation-filter.ts";
import { type DonationState, donationStates } from "./donation-states.ts";
import type { Meanings } from "./search-words.ts";

export type Condition = RawBuilder<boolean>;
export const always: Condition = sql<boolean>`true`;

/** Search words, ready for the database. */
export type SearchTerms = Meanings & {
  readonly words: readonly SearchWord[];
  /** The ids of donations found by a reference, a receipt, a card or a provider's id. */
  readonly ids: readonly string[];
  /** True if only those ids are searched for. */
  readonly isExact: boolean;
};

/** `part`: anywhere in a name or email. `start`: at the beginning of a word of either. */
type SearchWord = { readonly text: string; readonly by: "part" | "start" };

/** All of the conditions joined by `and`; true if there are none. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? always : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Words under three letters have no trigram, nor do letters of a script that `fold_text` does not know. */
export function readSearchWords(folded: string, hasTrigrams: boolean): SearchWord[] {
  const words = [...new Set(folded.split(/\s+/).filter(Boolean))].slice(0, 8);
  return words.map((text) => ({ text, by: hasTrigrams && /[a-z0-9@]{3}/i.test(text) ? "part" : "start" }));
}

/**
 * The condition that a donation's `search_text` has each of the words. With `byRow` it is cheap to check on one row;
 * without, it uses an index.
 */
function hasWords(words: readonly SearchWord[], byRow: boolean): Condition {
  return allOf(
    words.map(({ text, by }) => {
      if (by === "part") return sql<boolean>`replace(d.search_text, '@', 'V') like ${patternOf(text)}`;
      if (byRow) return sql<boolean>`d.search_text ~ ${startOf(text)}`;
      return sql<boolean>`search_words(d.search_text) @@ ${`'${text.replace(/['\\]/g, "$&$&")}':*`}::tsquery`;
    }),
  );
}

/** With a letter for @, as in the index `donations_by_parts`, so that trigrams reach across it. */
const patternOf = (part: string) => `%${part.replaceAll("@", "V").replace(/[\\%_]/g, "\\$&")}%`;

/** Splits a text as `search_words` does. A word with an @ or a dot can only be the beginning of an email. */
const startOf = (text: string) => `${/[@._+]/.test(text) ? " " : "[ @._+]"}${text.replace(/[^\p{L}\p{N}]/gu, "\\$&")}`;

/** A condition for each way in which search words may be meant; one of them must hold. */
export function searchConditions({ words, ids, isExact, cents }: SearchTerms, byRow = false): Condition[] {
  const byId = ids.length === 0 ? [] : [sql<boolean>`d.id = any(${ids}::uuid[])`];
  if (isExact) return byId;
  const byAmount = cents === null ? [] : [sql<boolean>`d.total_cents between ${cents.from} and ${cents.to}`];
  return [...(words.length === 0 ? [] : [hasWords(words, byRow)]), ...byAmount, ...byId];
}

/** The range of time, within which the index by time is read. */
export function isInTime({ from, until }: DonationFilter, at: RawBuilder<unknown> = sql`d.created_at`): Condition[] {
  return [
    ...(from === null ? [] : [sql<boolean>`${at} >= ${from}::timestamptz`]),
    ...(until === null ? [] : [sql<boolean>`${at} < ${until}::timestamptz`]),
  ];
}

/**
 * The filters other than time and words. With `byRow` they are checked row by row, so that rows keep the order in which
 * they are read. Otherwise the planner may start from the table of funds or payments if it expects that to be faster.
 */
export function passesFilter(filter: DonationFilter, byRow: boolean): Condition[] {
  const { method, minCents, maxCents, fund, state, ids } = filter;
  const isNarrow = filter.q !== "" || minCents !== null || maxCents !== null;
  const isRare = state !== null && state !== "paid";
  return [
    ...(ids === null ? [] : [sql<boolean>`d.id = any(${ids}::uuid[])`]),
    ...(method === null ? [] : [sql<boolean>`d.method = ${method}`]),
    ...(minCents === null ? [] : [sql<boolean>`d.total_cents >= ${minCents}`]),
    ...(maxCents === null ? [] : [sql<boolean>`d.total_cents <= ${maxCents}`]),
    ...(fund === null ? [] : [isForFund(filter, fund, byRow || isNarrow || isRare)]),
    ...(state === null ? [] : isIn(state, byRow || !isRare || (isNarrow && state === "declined"))),
  ];
}

const isThere = (query: RawBuilder<unknown>, byRow: boolean) =>
  byRow ? sql<boolean>`coalesce((select true ${query} limit 1), false)` : sql<boolean>`exists (select ${query})`;

/** The range of time again, because the planner does not carry it over from the donations. */
const isForFund = (filter: DonationFilter, fund: string, byRow: boolean) =>
  isThere(
    sql`from donation_funds f where ${allOf([
      sql<boolean>`f.fund = ${fund} and f.created_at = d.created_at and f.donation_id = d.id`,
      ...(byRow ? [] : isInTime(filter, sql`f.created_at`)),
    ])}`,
    byRow,
  );

function isIn(state: DonationState, byRow: boolean): Condition[] {
  const isPayment = isThere(
    sql`from payment_attempts a where a.donation_id = d.id and a.state in (${sql.join(donationStates[state].states)})`,
    byRow,
  );
  if (state !== "declined") return [isPayment];
  // A donation that was declined once and then paid counts as paid.
  const others = sql`from payment_attempts b where b.donation_id = d.id
    and b.state not in (${sql.join(donationStates.declined.states)})`;
  return [isPayment, sql<boolean>`not ${isThere(others, true)}`];
}
