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
    await configureSearch(transaction, TIMEOUT_MS);
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
export async function configureSearch(transaction: Connection, timeoutMs: number): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
    set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(transaction);
}

async function findPage(transaction: Connection, wanted: Wanted, terms: SearchTerms | null): Promise<FoundPlaces> {
  const isBack = Boolean(wanted.previous);
  const found = await findPlaces(transaction, wanted, terms);
  const hasMore = found.length > wanted.limit;
  const places = hasMore ? found.slice(0, wanted.limit) : found;
  if (isBack) places.reverse();
  return { places, previous: isBack ? hasMore : Boolean(wanted.next), next: isBack || hasMore };
}

/** Finds one place more than asked for, if there are more. */
async function findPlaces(
  transaction: Connection,
  wanted: Wanted,
  terms: SearchTerms | null,
): Promise<DonationPlace[]> {
  const search = createSearch(wanted, terms);
  if (search.alternatives?.length === 0) return [];
  if (terms?.isExact) return run(transaction, search.candidates());
  const scans = [...search.scans];
  for (let scan = scans.shift(); scan !== undefined; scan = scans.shift()) {
    const found = await run(transaction, scan.query);
    if (found.length > wanted.limit) return found;
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${scan.keys}) as t`.execute(
      transaction,
    );
    if (rows[0]!.count < scan.rows) return found;
    // Reads on if the share of matches so far suggests that the missing ones are not much further back.
    const estimatedRows = Math.ceil((1.5 * scan.rows * (wanted.limit + 1)) / found.length);
    if (estimatedRows <= search.max) scans.unshift(scan.deepen(estimatedRows));
  }
  return run(transaction, search.candidates());
}

async function run(transaction: Connection, query: RawBuilder<DonationPlace>): Promise<DonationPlace[]> {
  return [...(await query.execute(transaction)).rows];
}

type IndexScan = {
  readonly query: RawBuilder<DonationPlace>;
  /** Reads at most `rows` entries of the index. */
  readonly keys: RawBuilder<unknown>;
  readonly rows: number;
  /** The same scan, limited to this many entries. */
  readonly deepen: (rows: number) => IndexScan;
};

/** States that few donations are in at any time. An index keeps these donations together. */
const rareStates: readonly DonationFilter["state"][] = ["confirming", "review", "disputed"];

/** The statements that search for a page. */
function createSearch(wanted: Wanted, terms: SearchTerms | null) {
  const { filter, limit, depth = usualDepth } = wanted;
  const sorted = sortPage(wanted);
  // Words, amounts and rare states have small indexes. If the matches are far back, those are faster.
  const isNarrow =
    terms !== null || filter.minCents !== null || filter.maxCents !== null || ![null, "paid"].includes(filter.state);
  const ofFilter = isNarrow ? Math.ceil(depth.ofFilter / 5) : depth.ofFilter;
  const alternatives = terms === null ? null : searchConditions(terms);
  const matchesTerms = terms === null ? [] : [sql<boolean>`(${sql.join(searchConditions(terms, true), sql` or `)})`];
  const pageFrom = (rows: RawBuilder<unknown>, rest: DonationFilter) =>
    sql<DonationPlace>`select d.created_at as at, d.id, d.total_cents as cents from (${rows}) as d
      where ${allOf([...sorted.rest, ...passesFilter(rest, true), ...matchesTerms])} limit ${limit + 1}`;

  // Reads rows in the order of the index, because most neighbours there are neighbours on the disk too.
  const scanDonations = (condition: Condition[], rows: number): IndexScan => {
    const select = (
      columns: string,
    ) => sql`select ${sql.raw(columns)} from donations d where ${allOf([...condition, ...sorted.bounds])}
      order by ${sorted.by} limit ${rows}`;
    return {
      rows,
      keys: select("d.id"),
      query: pageFrom(select("d.*"), filter),
      deepen: (more) => scanDonations(condition, more),
    };
  };
  // Looks each donation up by time and id, because that index keeps neighbours together, while ids alone are random. A
  // range of ids, instead of one id, keeps the planner from using the index of ids.
  const scanFund = (fund: string, entries: number): IndexScan => {
    const of = sortPage(wanted, { at: sql`f.created_at`, id: sql`f.donation_id` });
    const keys = sql`select created_at, donation_id from donation_funds f
      where ${allOf([sql<boolean>`f.fund = ${fund}`, ...of.bounds])} order by ${of.by} limit ${entries}`;
    const rows = sql`select d.* from (${keys}) as f join lateral (
      select * from donations where created_at = f.created_at and id >= f.donation_id and id <= f.donation_id offset 0
    ) as d on true`;
    return {
      rows: entries,
      keys,
      query: pageFrom(rows, { ...filter, fund: null }),
      deepen: (more) => scanFund(fund, more),
    };
  };
  const { fund, method } = filter;
  const scans = [
    scanDonations([], depth.first),
    ...(fund === null || !sorted.isByTime ? [] : [scanFund(fund, ofFilter)]),
    ...(method === null || !sorted.isByTime ? [] : [scanDonations([sql<boolean>`d.method = ${method}`], ofFilter)]),
  ];
  return {
    alternatives,
    max: depth.ofFilter,
    scans: rareStates.includes(filter.state) ? [] : scans,
    /** Finds everything that passes, through whichever index is smallest, and then sorts it. */
    candidates: () => {
      const conditions = [...isInTime(filter), ...sorted.past, ...passesFilter(filter, false)];
      const each = (alternatives ?? [null]).map(
        (alternative) => sql`select d.created_at, d.id, d.total_cents from donations d
          where ${allOf(alternative === null ? conditions : [...conditions, alternative])}`,
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
    sql`${from.at}::timestamptz`,
    sql`${from.id}::uuid`,
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
