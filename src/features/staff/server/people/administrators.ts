import { sql } from "kysely";
import type { Role } from "#admin/rights.ts";

const administrator: Role = "administrator";

/** For the `where` of a query on `staff`. */
export const isAdministrator = sql<boolean>`${administrator} = any(staff.roles)`;
