import { ONLY_CHOSEN, readChosen } from "#admin/chosen-rows.ts";
import type { Exported, ExportServices } from "#admin/export/export-routes.ts";
import { showsFaith } from "#admin/faith.ts";
import { hasRight } from "#admin/rights.ts";
import { AppError } from "#shared/errors.ts";
import { planExport } from "../../server/search/export-donations.ts";
import { listFunds } from "../list/list-screen.ts";
import { readFilter } from "../list/read-filter.ts";
import { recordFilter } from "../list/recorded-filter.ts";

/** The export of the list of donations. */
export function exportedDonations({ database }: Pick<ExportServices, "database">): Exported {
  return {
    name: "donations",
    async read(query, staff) {
      const withGifts = query.faith === "yes";
      if (withGifts && !hasRight(staff, "faith.see")) throw new AppError("not_allowed");
      const { typed, filter, errors } = readFilter(query, { staff, funds: await listFunds(database) });
      const ids = query[ONLY_CHOSEN.name] === ONLY_CHOSEN.value ? readChosen(query) : null;
      if (Object.keys(errors).length > 0 || ids?.length === 0) return null;
      const chosen: [string, string][] = ids === null ? [] : [["chosen", String(ids.length)]];
      return {
        filter: [...Object.entries(typed).filter(([, text]) => text !== ""), ...chosen],
        recorded: {
          filter: { ...recordFilter(typed), ...Object.fromEntries(chosen) },
          // A list of those who gave to such a fund shows it without a column for it.
          withGifts: withGifts || (filter.fund !== null && showsFaith(filter.fund)),
        },
        module: new URL("./write-donations.ts", import.meta.url),
        run: "writeDonations",
        input: { plan: await planExport(database, { filter: { ...filter, ids }, withGifts }), withGifts },
      };
    },
  };
}
