/** One page of a list, and where the next one begins; null at the end. */
export type Paged<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/** The last row of a page by what the list is ordered by, then by id: the next page begins behind it. */
export type Cursor = { readonly key: string; readonly id: number };

const written = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}\.\d{3}Z)?)_(\d{1,15})$/;

/** '2026-10-14_12' as a cursor; null for anything that is none, a day that does not exist included. */
export function readCursor(text: string): Cursor | null {
  const [, key = "", id = ""] = written.exec(text) ?? [];
  const at = new Date(key);
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(key) ? null : { key, id: Number(id) };
}

/** Cuts a list that was read with one row more than the page holds, and names where the next page begins. */
export function pageOf<Item>(rows: readonly Item[], limit: number, cursorOf: (item: Item) => Cursor): Paged<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items, next: null };
  const { key, id } = cursorOf(last);
  return { items, next: `${key}_${id}` };
}
