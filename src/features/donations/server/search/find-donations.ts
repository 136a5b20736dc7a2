import { type RawBuilder, sql } from "kysely";
import type { Place } from "#admin/list-place.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { transact } from "#shared/database/transact.ts";
import { allOf, type Condition, isInTime, passesFilter, type Sought, waysToMean } from "./conditions.ts";
import type { DonationFilter } from "./donation-filter.ts";
import { seek } from "./seek.ts";

export type Wanted = {
  readonly filter: DonationFilter;
  /** Only rows older, or only rows newer, than a place; the newest of all if neither is set. */
  readonly olderThan?: Place | null;
  readonly newerThan?: Place | null;
  readonly limit: number;
  readonly depth?: Depth;
};

export type FoundPlaces = { readonly places: readonly Place[]; readonly newer: boolean; readonly older: boolean };

/** How many rows to read in the list's order, and then along a filter's index, before trying anything else. */
export type Depth = { readonly first: number; readonly ofFilter: number };
const usualDepth: Depth = { first: 2000, ofFilter: 10_000 };
const MOST_MS = 10_000;

/**
 * A page of the donations that pass a filter. Reads the newest rows first, because common matches are among them, and
 * finds rare ones through the indexes. So no search reads more than a part of the table.
 */
export function findDonations(database: Database, wanted: Wanted): Promise<FoundPlaces> {
  return transact(database, async (transaction) => {
    await settleForSearch(transaction, MOST_MS);
    const sought = await seek(transaction, wanted.filter.q);
    return { result: await findPage(transaction, wanted, sought) };
  });
}

/**
 * Makes PostgreSQL plan for the actual values, which differ too much for one plan to suit all, and limits the time of a
 * search.
 */
export async function settleForSearch(transaction: Connection, mostMs: number): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
    set_config('statement_timeout', ${String(mostMs)}, true)`.execute(transaction);
}

async function findPage(transaction: Connection, wanted: Wanted, sought: Sought | null): Promise<FoundPlaces> {
  const isUpwards = Boolean(wanted.newerThan);
  const found = await findPlaces(transaction, wanted, sought);
  const goesOn = found.length > wanted.limit;
  const places = goesOn ? found.slice(0, wanted.limit) : found;
  if (isUpwards) places.reverse();
  return {
    places,
    newer: isUpwards ? goesOn : Boolean(wanted.olderThan),
    older: isUpwards ? true : goesOn,
  };
}

/** Finds one place more than asked for, if there are more. */
async function findPlaces(transaction: Connection, wanted: Wanted, sought: Sought | null): Promise<Place[]> {
  const search = createSearch(wanted, sought);
  if (search.ways?.length === 0) return [];
  if (sought?.isExact) return run(transaction, search.candidates());
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
    if (promised <= search.most) walks.unshift(walk.goOn(promised));
  }
  return run(transaction, search.candidates());
}

async function run(transaction: Connection, query: RawBuilder<Place>): Promise<Place[]> {
  return [...(await query.execute(transaction)).rows];
}

type Walk = {
  readonly query: RawBuilder<Place>;
  /** Reads at most `rows` entries of the index. */
  readonly keys: RawBuilder<unknown>;
  readonly rows: number;
  /** The same walk, limited to this many entries. */
  readonly goOn: (rows: number) => Walk;
};

/** States that few donations are in at any time. An index keeps these donations together. */
const fewAtATime: readonly DonationFilter["state"][] = ["confirming", "review", "disputed"];

/** The statements that search for a page. */
function createSearch({ filter, olderThan, newerThan, limit, depth = usualDepth }: Wanted, sought: Sought | null) {
  const isUpwards = Boolean(newerThan);
  const edge = newerThan ?? olderThan ?? null;
  const direction = sql.raw(isUpwards ? "asc" : "desc");
  const past = (at: RawBuilder<unknown>, id: RawBuilder<unknown>): Condition[] =>
    edge === null
      ? []
      : [sql<boolean>`(${at}, ${id}) ${sql.raw(isUpwards ? ">" : "<")} (${edge.at}::timestamptz, ${edge.id}::uuid)`];
  const inTime = [...isInTime(filter), ...past(sql`d.created_at`, sql`d.id`)];
  // Words, amounts and rare states have small indexes. If the matches are far back, those are faster.
  const isNarrow =
    sought !== null || filter.minCents !== null || filter.maxCents !== null || ![null, "paid"].includes(filter.state);
  const ofFilter = isNarrow ? Math.ceil(depth.ofFilter / 5) : depth.ofFilter;
  const ways = sought === null ? null : waysToMean(sought);
  const means = sought === null ? [] : [sql<boolean>`(${sql.join(waysToMean(sought, true), sql` or `)})`];
  const walk = (rows: RawBuilder<unknown>, rest: DonationFilter) =>
    sql<Place>`select d.created_at as at, d.id from (${rows}) as d
      where ${allOf([...passesFilter(rest, true), ...means])} limit ${limit + 1}`;

  // Reads rows in the order of the index, because most neighbours there are neighbours on the disk too.
  const alongDonations = (condition: Condition[], rows: number): Walk => {
    const along = (
      columns: string,
    ) => sql`select ${sql.raw(columns)} from donations d where ${allOf([...condition, ...inTime])}
      order by d.created_at ${direction}, d.id ${direction} limit ${rows}`;
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
    const [at, id] = [sql`f.created_at`, sql`f.donation_id`];
    const keys = sql`select created_at, donation_id from donation_funds f
      where ${allOf([sql<boolean>`f.fund = ${fund}`, ...isInTime(filter, at), ...past(at, id)])}
      order by f.created_at ${direction}, f.donation_id ${direction} limit ${entries}`;
    const rows = sql`select d.* from (${keys}) as f join lateral (
      select * from donations where created_at = f.created_at and id >= f.donation_id and id <= f.donation_id offset 0
    ) as d on true`;
    return { rows: entries, keys, query: walk(rows, { ...filter, fund: null }), goOn: (more) => alongFund(fund, more) };
  };
  const { fund, method } = filter;
  const walks = [
    alongDonations([], depth.first),
    ...(fund === null ? [] : [alongFund(fund, ofFilter)]),
    ...(method === null ? [] : [alongDonations([sql<boolean>`d.method = ${method}`], ofFilter)]),
  ];
  return {
    ways,
    most: depth.ofFilter,
    walks: fewAtATime.includes(filter.state) ? [] : walks,
    /** Finds everything that passes, through whichever index is smallest, and then sorts it. */
    candidates: () => {
      const conditions = [...inTime, ...passesFilter(filter, false)];
      const each = (ways ?? [null]).map(
        (way) => sql`select d.created_at as at, d.id from donations d
          where ${allOf(way === null ? conditions : [...conditions, way])}`,
      );
      return sql<Place>`with candidates as materialized (${sql.join(each, sql` union `)})
        select at, id from candidates order by at ${direction}, id ${direction} limit ${limit + 1}`;
    },
  };
}
