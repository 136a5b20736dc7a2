import type { AdminPart } from "#admin/feature.ts";
import type { Database } from "#shared/database/connect.ts";
import { applicationPersonPart } from "./application-person-part.ts";
import { applicationSearch } from "./application-search.ts";

/** What volunteering adds to the back office’s server. */
export function volunteeringAdmin({ database }: { readonly database: Database }): readonly AdminPart[] {
  return [{ person: [applicationPersonPart(database)], search: [applicationSearch(database)] }];
}
