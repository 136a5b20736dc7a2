import type { FastifyRequest } from "fastify";
import type { Actor } from "#admin/audit.ts";
import type { StaffMember } from "#admin/rights.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";

/** What is needed to log staff in. */
export type StaffServices = CoreServices<
  "database" | "jobs" | "organisation" | "now",
  "secretKey" | "publicUrl" | "isDemo" | "mail"
> & { readonly staffSessions: StaffSessions };

/** Who did it and from which address, for the audit trail. */
export const actorOf = (staff: Pick<StaffMember, "id" | "name">, { ip }: Pick<FastifyRequest, "ip">): Actor => ({
  staff,
  ipAddress: ip,
});
