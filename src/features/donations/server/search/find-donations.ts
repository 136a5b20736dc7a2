import { type RawBuilder, sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { transact } from "#shared/database/transact.ts";
import { allOf, type Condition, isInTime, passesFilter, type SearchTerms, searchConditions } from "./conditions.ts";
import { type DonationFilter, noFilter } from "./donation-filter.ts";
import { type DonationOrder, type DonationPlace, orders } from "./donation-order.ts";
import { readSearchTerms } from "./search-terms.ts";

export type Wanted = {
  readonly filter: DonationFilter;
  /** Newest first, if it is not set. */
  readonly order?: DonationOrder;
  /** Only rows that come after, or only rows that come before, a place in that order; the first of all if neither is set. */
  readonly next?: DonationPlace | null;
  readonly previous?: DonationPlace | null;
  readonly limit: number;
  readonly depth?: Depth;
};

/** Whether there are a previous and a next page. */
type FoundPlaces = {
  readonly places: readonly DonationPlace[];
  readonly previous: boolean;
  readonly next: boolean;
};

/** How many rows to read in the list's order, and then along a filter's index, before trying anything else. */
type Depth = { readonly first: number; readonly ofFilter: number };
const usualDepth: Depth = { first: 2000, ofFilter: 10_000 };
const TIMEOUT_MS = 10_000;

/**
 * A page of the donations that pass a filter. Reads the first rows of the order, because common matches are among them,
 * and finds rare ones through the indexes. So no search reads more than a part of the table.
 */
export function findDonations(database: Database, wanted: Wanted): Promise<FoundPlaces> {
  return transact(database, async (transaction) => {
    await settleForSearch(transaction, TIMEOUT_MS);
    // The largest of rare matches are found among all of them. The planner would rather read the whole table.
    const isByTime = orders[wanted.order ?? "newest"].isByTime;
    if (!isByTime) await sql`select set_config('enable_seqscan', 'off', true)`.execute(transaction);
    const terms = await readSearchTerms(transaction, wanted.filter.q);
    return { result: await findPage(transaction, wanted, terms) };
  });
}

/**
 * Makes PostgreSQL plan for the actual values, which differ too much for one plan to suit all, and limits the time of a
 * search.
 */
export async function settleForSearch(transaction: Connection, timeoutMs: number): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
    set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(transaction);
}

async function findPage(transaction: Connection, wanted: Wanted, terms: SearchTerms | null): Promise<FoundPlaces> {
  const isBack = Boolean(wanted.previous);
  const found = await findPlaces(transaction, wanted, terms);
  const goesOn = found.length > wanted.limit;
  const places = goesOn ? found.slice(0, wanted.limit) : found;
  if (isBack) places.reverse();
  return { places, previous: isBack ? goesOn : Boolean(wanted.next), next: isBack || goesOn };
}

/** Finds one place more than asked for, if there are more. */
async function findPlaces(
  transaction: Connection,
  wanted: Wanted,
  terms: SearchTerms | null,
): Promise<DonationPlace[]> {
  const search = createSearch(wanted, terms);
  if (search.ways?.length === 0) return [];
  if (terms?.isExact) return run(transaction, search.candidates());
  const walks = [...search.walks];
  for (let walk = walks.shift(); walk !== undefined; walk = walks.shift()) {
    const found = await run(transaction, walk.query);
    if (found.length > wanted.limit) return found;
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${walk.keys}) as t`.execute(
      transaction,
    );
    if (rows[0]!.count < walk.rows) return found;
    // Reads on if the share of matches so far suggests that the missing ones are not much further back.
    const promised = Math.ceil((1.5 * walk.rows * (wanted.limit + 1)) / found.length);
    if (promised <= search.max) walks.unshift(walk.goOn(promised));
  }
  return run(transaction, search.candidates());
}

async function run(transaction: Connection, query: RawBuilder<DonationPlace>): Promise<DonationPlace[]> {
  return [...(await query.execute(transaction)).rows];
}

type Walk = {
  readonly query: RawBuilder<DonationPlace>;
  /** Reads at most `rows` entries of the index. */
  readonly keys: RawBuilder<unknown>;
  readonly rows: number;
  /** The same walk, limited to this many entries. */
  readonly goOn: (rows: number) => Walk;
};

/** States that few donations are in at any time. An index keeps these donations together. */
const fewAtATime: readonly DonationFilter["state"][] = ["confirming", "review", "disputed"];

/** The statements that search for a page. */
function createSearch(wanted: Wanted, terms: SearchTerms | null) {
  const { filter, limit, depth = usualDepth } = wanted;
  const sorted = sortPage(wanted);
  // Words, amounts and rare states have small indexes. If the matches are far back, those are faster.
  const isNarrow =
    terms !== null || filter.minCents !== null || filter.maxCents !== null || ![null, "paid"].includes(filter.state);
  const ofFilter = isNarrow ? Math.ceil(depth.ofFilter / 5) : depth.ofFilter;
  const ways = terms === null ? null : searchConditions(terms);
  const means = terms === null ? [] : [sql<boolean>`(${sql.join(searchConditions(terms, true), sql` or `)})`];
  const walk = (rows: RawBuilder<unknown>, rest: DonationFilter) =>
    sql<DonationPlace>`select d.created_at as at, d.id, d.total_cents as cents from (${rows}) as d
      where ${allOf([...sorted.rest, ...passesFilter(rest, true), ...means])} limit ${limit + 1}`;

  // Reads rows in the order of the index, because most neighbours there are neighbours on the disk too.
  const alongDonations = (condition: Condition[], rows: number): Walk => {
    const along = (
      columns: string,
    ) => sql`select ${sql.raw(columns)} from donations d where ${allOf([...condition, ...sorted.bounds])}
      order by ${sorted.by} limit ${rows}`;
    return {
      rows,
      keys: along("d.id"),
      query: walk(along("d.*"), filter),
      goOn: (more) => alongDonations(condition, more),
    };
  };
  // Looks each donation up by time and id, because that index keeps neighbours together, while ids alone are random. A
  // range of ids, instead of one id, keeps the planner from using the index of ids.
  const alongFund = (fund: string, entries: number): Walk => {
    const of = sortPage(wanted, { at: sql`f.created_at`, id: sql`f.donation_id` });
    const keys = sql`select created_at, donation_id from donation_funds f
      where ${allOf([sql<boolean>`f.fund = ${fund}`, ...of.bounds])} order by ${of.by} limit ${entries}`;
    const rows = sql`select d.* from (${keys}) as f join lateral (
      select * from donations where created_at = f.created_at and id >= f.donation_id and id <= f.donation_id offset 0
    ) as d on true`;
    return { rows: entries, keys, query: walk(rows, { ...filter, fund: null }), goOn: (more) => alongFund(fund, more) };
  };
  const { fund, method } = filter;
  const walks = [
    alongDonations([], depth.first),
    ...(fund === null || !sorted.isByTime ? [] : [alongFund(fund, ofFilter)]),
    ...(method === null || !sorted.isByTime ? [] : [alongDonations([sql<boolean>`d.method = ${method}`], ofFilter)]),
  ];
  return {
    ways,
    max: depth.ofFilter,
    walks: fewAtATime.includes(filter.state) ? [] : walks,
    /** Finds everything that passes, through whichever index is smallest, and then sorts it. */
    candidates: () => {
      const conditions = [...isInTime(filter), ...sorted.past, ...passesFilter(filter, false)];
      const each = (ways ?? [null]).map(
        (way) => sql`select d.created_at, d.id, d.total_cents from donations d
          where ${allOf(way === null ? conditions : [...conditions, way])}`,
      );
      return sql<DonationPlace>`with candidates as materialized (${sql.join(each, sql` union `)})
        select created_at as at, id, total_cents as cents from candidates d order by ${sorted.by} limit ${limit + 1}`;
    },
  };
}

const donationColumns = { at: sql`d.created_at`, id: sql`d.id` };

/** How a page is sorted and where it begins, over these columns. */
function sortPage({ filter, order = "newest", next, previous }: Wanted, { at, id } = donationColumns) {
  const { isByTime, isDescending } = orders[order];
  const isDown = isDescending !== Boolean(previous);
  const edge = previous ?? next ?? null;
  const columns = isByTime ? [at, id] : [sql`d.total_cents`, at, id];
  const place = (from: DonationPlace) => [
    ...(isByTime ? [] : [sql`${from.cents}::integer`]),
    ...[sql`${from.at}::timestamptz`, sql`${from.id}::uuid`],
  ];
  const past: Condition[] =
    edge === null
      ? []
      : [sql<boolean>`(${sql.join(columns)}) ${sql.raw(isDown ? "<" : ">")} (${sql.join(place(edge))})`];
  const inTime = isInTime(filter, at);
  return {
    isByTime,
    by: sql.join(columns.map((column) => sql`${column} ${sql.raw(isDown ? "desc" : "asc")}`)),
    past,
    /** Conditions that the index of this order can begin and end with. */
    bounds: [...past, ...(isByTime ? inTime : passesFilter({ ...noFilter, ...amountsOf(filter) }, true))],
    /** Conditions that are checked row by row besides. */
    rest: isByTime ? [] : inTime,
  };
}

const amountsOf = ({ minCents, maxCents }: DonationFilter) => ({ minCents, maxCents });
