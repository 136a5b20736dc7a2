import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";

export type ContentAdminServices = CoreServices<"database" | "organisation" | "now", "secretKey" | "checksLinks"> & {
  readonly staffSessions: StaffSessions;
  /** The causes that donors can give to: the key of each and its title. */
  readonly listFunds: () => Promise<readonly { readonly value: string; readonly label: string }[]>;
};
