import type { AdminPart } from "#admin/feature.ts";
import type { StaffServices } from "../server/services.ts";
import { accountPart } from "./account-part.ts";
import { administratorsPart } from "./administrators-part.ts";
import { auditPart } from "./audit.ts";
import { filtersPart } from "./filters-part.ts";
import { logInPart } from "./log-in-part.ts";
import { peoplePart } from "./people.ts";
import { welcomePart } from "./welcome-part.ts";

/** What the staff feature adds to the back office’s server. */
export function staffAdmin(services: StaffServices): readonly AdminPart[] {
  return [
    logInPart(services),
    welcomePart(services),
    accountPart(services),
    filtersPart(services),
    peoplePart(services),
    administratorsPart(services),
    auditPart(services),
  ];
}
