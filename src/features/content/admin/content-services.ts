import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";

export type ContentAdminServices = CoreServices<"database" | "organisation" | "now", "secretKey"> & {
  readonly staffSessions: StaffSessions;
};
