import type { AdminPart } from "#admin/feature.ts";
import { orderPersonPart } from "./order-person-part.ts";
import { orderSearch } from "./order-search.ts";
import { type OrderAdminServices, ordersPart } from "./orders/orders-part.ts";

/** What tickets add to the back office’s server. */
export function ticketsAdmin(services: OrderAdminServices): readonly AdminPart[] {
  return [ordersPart(services), { person: [orderPersonPart(services)], search: [orderSearch(services.database)] }];
}
