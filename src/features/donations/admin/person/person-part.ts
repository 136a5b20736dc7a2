import type { AdminPart } from "#admin/feature.ts";
import type { AdminReads } from "#admin/screen.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { Looker } from "../donation/find-donation.ts";
import { findShownPerson, type ShownPerson } from "./find-shown-person.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** The person who gave a donation. Records the look if something shows faith and it may be seen. */
    readonly findPerson: (donationId: string, looker: Looker) => Promise<ShownPerson | null>;
  }
}

/** A person's page. */
export function personPart(services: CoreServices<"database" | "now">): AdminPart {
  const reads: Partial<AdminReads> = { findPerson: (id, looker) => findShownPerson(services, id, looker) };
  return { reads };
}
