import type { Exported, ExportServices } from "#admin/export/export-routes.ts";
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
      if (Object.keys(errors).length > 0) return null;
      return {
        filter: Object.entries(typed).filter(([, text]) => text !== ""),
        recorded: { filter: recordFilter(typed), withGifts },
        module: new URL("./write-donations.ts", import.meta.url),
        run: "writeDonations",
        input: { plan: await planExport(database, { filter, withGifts }), withGifts },
      };
    },
  };
}
