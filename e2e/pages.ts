import { contentPages } from "#test/public-pages.ts";

/** Pages that staff write, and the two pages that lead to a ticket. */
export const contentPaths = [...Object.keys(contentPages), "/ticketAbout", "/selectTickets"];

/** The requirement that a page meets. */
export function idOf(path: string): string {
  if (path.startsWith("/events")) return "PAGE-5";
  if (path === "/gallery") return "PAGE-6";
  if (path.startsWith("/news")) return "HOME-10";
  if (path === "/chashma-world") return "PAGE-4";
  if (["/chairman-message", "/recognition", "/vision"].includes(path)) return "PAGE-1";
  if (["/patient-care", "/rehabilitation-center", "/flood-relief"].includes(path)) return "PAGE-2";
  if (["/privacy", "/refunds", "/terms", "/accessibility"].includes(path)) return "PAGE-9";
  if (path === "/ticketAbout") return "TIC-1";
  return path === "/selectTickets" ? "TIC-2" : "PAGE-3";
}
