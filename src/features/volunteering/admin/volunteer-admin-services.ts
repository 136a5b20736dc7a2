import type { CoreServices } from "#shared/jobs/core-services.ts";

export type VolunteerAdminServices = CoreServices<
  "database" | "files" | "jobs" | "now" | "organisation",
  "publicUrl" | "secretKey" | "linkDays"
>;
