import type { CoreServices } from "#shared/jobs/core-services.ts";

export type ContentAdminServices = CoreServices<"database" | "organisation" | "now", "secretKey">;
