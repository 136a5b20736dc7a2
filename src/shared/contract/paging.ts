/** One page of a list; `next` is the cursor of the next page, null at the end. */
export type Paged<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/** The sort key and id of a page's last row: the next page starts after it. */
export type Cursor = { readonly key: string; readonly id: number };

const written = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}\.\d{3}Z)?)_(\d{1,15})$/;

/** Reads '2026-10-14_12'; null for anything else, including days that do not exist. */
export function readCursor(text: string): Cursor | null {
  const [, key = "", id = ""] = written.exec(text) ?? [];
  const at = new Date(key);
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(key) ? null : { key, id: Number(id) };
}

/** Cuts off the extra row that was read to see whether there is a next page. */
export function pageOf<Item>(rows: readonly Item[], limit: number, cursorOf: (item: Item) => Cursor): Paged<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items, next: null };
  const { key, id } = cursorOf(last);
  return { items, next: `${key}_${id}` };
}
