/** A place in a list that is ordered by time and id: pages begin after or before it. */
export type Place = { readonly at: Date; readonly id: string };

/** Writes a place in a list as text, for the address. */
export function writePlace(place: Place | null): string | null {
  return place && `${place.at.toISOString()}_${place.id}`;
}

/** Reads the place in an address. Null if the text is not ours. */
export function readPlace(text = ""): Place | null {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text);
  const at = new Date(found?.[1] ?? "");
  return found === null || Number.isNaN(at.getTime()) ? null : { at, id: found[2]! };
}

/** A page of a list, newest first; the next pages are newer than its first row and older than its last. */
export type ListPage<Row> = {
  readonly rows: readonly Row[];
  readonly newer: Place | null;
  readonly older: Place | null;
};

/** Where a page begins: rows that come after one place, or before another; at the top of the list without either. */
export type PageEdges = { readonly olderThan: Place | null; readonly newerThan: Place | null };

/**
 * The page of a list that an address names, and the addresses of its neighbours. If its rows are gone in the meantime,
 * the first page: an empty one would say that the whole list is empty.
 */
export async function readPage<Row extends Place>(
  query: Readonly<Record<string, string>>,
  list: (edges: PageEdges) => Promise<ListPage<Row>>,
): Promise<{ readonly rows: readonly Row[]; readonly newer: string | null; readonly older: string | null }> {
  const edges = { olderThan: readPlace(query.older), newerThan: readPlace(query.newer) };
  const isFirst = edges.olderThan === null && edges.newerThan === null;
  const found = await list(edges);
  const { rows, newer, older } =
    found.rows.length > 0 || isFirst ? found : await list({ olderThan: null, newerThan: null });
  return { rows, newer: writePlace(newer), older: writePlace(older) };
}

type Cut = {
  readonly limit: number;
  /** Where the page begins; null at the top of the list. */
  readonly edge: Place | null;
  /** Whether the rows are newer than the edge, the oldest of them first. */
  readonly isUpwards: boolean;
};

/** Cuts rows to a page. They were read from the edge on, one more than a page has. */
export function cutPage<Row extends Place>(found: readonly Row[], { limit, edge, isUpwards }: Cut): ListPage<Row> {
  const hasMore = found.length > limit;
  const rows = isUpwards ? found.slice(0, limit).reverse() : found.slice(0, limit);
  return {
    rows,
    newer: (isUpwards ? hasMore : edge !== null) ? (rows[0] ?? null) : null,
    older: isUpwards || hasMore ? (rows.at(-1) ?? null) : null,
  };
}
