import { WITH_SEARCH_WORDS } from "#admin/audit.ts";
import type { Exported, ExportServices } from "#admin/export/export-routes.ts";
import { hasRight } from "#admin/rights.ts";
import { AppError } from "#shared/errors.ts";
import { planOrderExport } from "../../server/staff/export-orders.ts";
import { listTicketedEvents } from "../../server/staff/list-orders.ts";
import { readOrderFilter } from "./read-filter.ts";

/** The export of the list of ticket orders. */
export function exportedOrders({ database }: Pick<ExportServices, "database">): Exported {
  return {
    name: "orders",
    async read(query, staff) {
      if (!hasRight(staff, "orders.see")) throw new AppError("not_allowed");
      const { typed, filter, errors } = readOrderFilter(query, await listTicketedEvents(database));
      if (Object.keys(errors).length > 0) return null;
      const set = Object.entries(typed).filter(([, text]) => text !== "");
      return {
        filter: set,
        recorded: {
          filter: Object.fromEntries(set.map(([name, text]) => [name, name === "q" ? WITH_SEARCH_WORDS : text])),
        },
        module: new URL("./write-orders.ts", import.meta.url),
        run: "writeOrders",
        input: { plan: planOrderExport(filter) },
      };
    },
  };
}
