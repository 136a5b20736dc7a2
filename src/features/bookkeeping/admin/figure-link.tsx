import { addressWith } from "#admin/ui/filters.tsx";
import { tableCents } from "#admin/ui/table-cents.ts";
import type { ReportFilter } from "../server/report.ts";

/** The days and the filter that a figure adds up. */
export type Behind = ReportFilter & { readonly first: string; readonly last: string };

const query = ({ first, last, fund, method }: Behind) => ({
  from: first,
  to: last,
  fund: fund ?? undefined,
  method: method ?? undefined,
});

/** The list of donations that a figure adds up. */
export const listOfDonations = (behind: Behind) => addressWith("/admin/donations", query(behind));
/** The list of refunds made on these days. */
export const listOfRefunds = (behind: Behind) => addressWith("/admin/refunds/made", query(behind));

/** An amount with a link to what it adds up; alone if it is zero or there is no `list`. `children` say where it leads. */
export function FigureLink({ cents, list, children }: { cents: number; list: string | null; children: string }) {
  if (list === null || cents === 0) return tableCents(cents);
  return (
    <a href={list}>
      {tableCents(cents)}
      <span className="sr">: {children}</span>
    </a>
  );
}
