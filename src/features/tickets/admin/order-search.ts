import { type Hit, isolate, type SearchPart } from "#admin/search.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatMoment, plural } from "#shared/language.ts";
import { type FoundOrder, searchOrders } from "../server/find-orders.ts";

/** Ticket orders for the search of the whole back office. Each leads to its own page. */
export function orderSearch(database: Database): SearchPart {
  return {
    right: "orders.see",
    async find(text) {
      return [{ title: "Ticket orders", icon: "cal", hits: (await searchOrders(database, text)).map(describe) }];
    },
  };
}

function describe({ id, name, event, reference, at, lines }: FoundOrder): Hit {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const day = formatMoment(at, { day: "numeric", month: "short", year: "numeric", timeZone: "Australia/Sydney" });
  const tickets = plural(count, { one: "1 ticket", other: `${count} tickets` });
  return {
    label: `${isolate(name)}, ${event}`,
    detail: [reference, tickets, day].join(", "),
    path: `/admin/orders/${id}`,
  };
}
