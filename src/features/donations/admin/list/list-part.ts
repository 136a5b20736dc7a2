import { addExports, type ExportServices } from "#admin/export/export-routes.ts";
import type { AdminPart } from "#admin/feature.ts";
import { exportedDonations } from "../export/export-donations.ts";
import { donationSearch } from "./find-everywhere.ts";
import { readDonationList } from "./list-screen.ts";

type DonationListReads = {
  readonly readDonationList: (request: Parameters<typeof readDonationList>[1]) => ReturnType<typeof readDonationList>;
};

declare module "#admin/screen.ts" {
  interface AdminReads extends DonationListReads {}
}

/** The list of donations and its exports. */
export function donationListPart(services: ExportServices): AdminPart {
  const reads: DonationListReads = { readDonationList: (request) => readDonationList(services, request) };
  return {
    reads,
    search: [donationSearch(services.database)],
    routes: (admin) => addExports(admin, services, exportedDonations(services)),
  };
}
