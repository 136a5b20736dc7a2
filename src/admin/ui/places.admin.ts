import { listRowLinks } from "./single-keys.ts";

// Keeps places: breadcrumbs lead back to a list as it was left, and strips of links show the current one.

/** A list as this tab last showed it: filters, order and page in the address, and the paths of its rows. */
type SeenList = { readonly search: string; readonly rows: readonly string[]; readonly opened?: string };

const keyOf = (path: string) => `list ${path}`;
const readList = (path: string): SeenList | null => JSON.parse(sessionStorage.getItem(keyOf(path)) ?? "null");
const keepList = (path: string, list: SeenList) => sessionStorage.setItem(keyOf(path), JSON.stringify(list));

// Only screens below a list have breadcrumbs.
const crumbs = document.querySelector<HTMLElement>(".crumbs");
if (crumbs === null) returnToRow();
else leadBack(crumbs);
document.querySelectorAll<HTMLElement>(".sub-nav, .views").forEach(showCurrent);

/** Keeps this list; if the person comes back from one of its rows, by the browser's Back too, focuses that row. */
function returnToRow(): void {
  const links = listRowLinks();
  if (links.length === 0) return;
  const { pathname: path, search } = location;
  const before = readList(path);
  const rows = links.map(({ pathname }) => pathname);
  keepList(path, { search, rows });
  const opened = before?.search === search ? before.opened : undefined;
  if (opened !== undefined && comesFrom(opened)) links[rows.indexOf(opened)]?.focus();
}

function comesFrom(path: string): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type === "back_forward" || URL.parse(document.referrer)?.pathname === path;
}

/** Only the query of a breadcrumb changes, so it never leads elsewhere. */
function leadBack(crumbs: HTMLElement): void {
  const links = [...crumbs.querySelectorAll<HTMLAnchorElement>("a")];
  for (const link of links) {
    const list = readList(link.pathname);
    if (list !== null && link.search === "") link.search = list.search;
  }
  const path = links.at(-1)?.pathname ?? "";
  const list = readList(path);
  const at = list === null ? -1 : list.rows.indexOf(location.pathname);
  if (list === null || at === -1) return;
  keepList(path, { ...list, opened: location.pathname });
  if (crumbs.dataset.hasNeighbours !== undefined) addNeighbours(crumbs, list.rows[at - 1], list.rows[at + 1]);
}

/** Links to the rows before and after this one on the same page of the list. */
function addNeighbours(crumbs: HTMLElement, previous: string | undefined, next: string | undefined): void {
  const links = document.createElement("span");
  for (const [path, rel, text] of [
    [previous, "prev", "Previous"],
    [next, "next", "Next"],
  ] as const) {
    if (path !== undefined)
      links.append(Object.assign(document.createElement("a"), { href: path, rel, textContent: text }));
  }
  crumbs.append(links);
}

/** On phones a strip is wider than the window. */
function showCurrent(strip: HTMLElement): void {
  const current = strip.querySelector("[aria-current]")?.getBoundingClientRect();
  if (current === undefined) return;
  const window = strip.getBoundingClientRect();
  strip.scrollLeft += current.left + current.width / 2 - (window.left + window.width / 2);
}
