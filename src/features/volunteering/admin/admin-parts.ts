import type { AdminPart } from "#admin/feature.ts";
import { applicationPart } from "./application/application-part.ts";
import { applicationPersonPart } from "./application-person-part.ts";
import { applicationSearch } from "./application-search.ts";
import { listPart } from "./list/list-part.ts";
import { shiftsPart } from "./shifts/shifts-part.ts";
import type { VolunteerAdminServices } from "./volunteer-admin-services.ts";

/** What volunteering adds to the back office’s server. */
export function volunteeringAdmin(services: VolunteerAdminServices): readonly AdminPart[] {
  const { database } = services;
  return [
    listPart(services),
    applicationPart(services),
    shiftsPart(services),
    { person: [applicationPersonPart(database)], search: [applicationSearch(database)] },
  ];
}
