import type { AdminPart } from "#admin/feature.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { orderPersonPart } from "./order-person-part.ts";
import { orderSearch } from "./order-search.ts";

/** What tickets add to the back office’s server. */
export function ticketsAdmin(services: CoreServices<"database" | "now">): readonly AdminPart[] {
  return [{ person: [orderPersonPart(services)], search: [orderSearch(services.database)] }];
}
