import type { AdminPart } from "#admin/feature.ts";
import type { AdminReads } from "#admin/screen.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { findDonorEmail } from "../../server/one-donation/person.ts";
import type { Looker } from "../donation/find-donation.ts";
import { findShownPerson, type ShownPerson } from "./find-shown-person.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /**
     * What was given under an email address. Records the look under this id if something shows faith and the viewer may
     * see that.
     */
    readonly findPerson: (person: { id: string; email: string }, looker: Looker) => Promise<ShownPerson>;
  }
}

/** A person's page. */
export function personPart(services: CoreServices<"database" | "now">): AdminPart {
  const reads: Partial<AdminReads> = { findPerson: (person, looker) => findShownPerson(services, person, looker) };
  const findEmail = (id: string) => findDonorEmail(services.database, id);
  return { reads, person: [{ right: "donations.see", findEmail }] };
}
