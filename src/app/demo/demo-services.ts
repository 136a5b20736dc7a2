import type { Database } from "#shared/database/connect.ts";
import type { Services } from "../services.ts";

export type DemoServices = Services;

/** The services on one connection. Their jobs go nowhere: nobody is emailed about the past. */
export function servicesOf(services: Services, database: Database): DemoServices {
  return { ...services, database, jobs: { ...services.jobs, send: async () => {}, sendAll: async () => {} } };
}
