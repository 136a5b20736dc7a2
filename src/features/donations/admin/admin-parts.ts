import type { ExportServices } from "#admin/export/export-routes.ts";
import type { AdminPart } from "#admin/feature.ts";
import { auditPart } from "./audit-part.ts";
import { cataloguePart } from "./catalogue/catalogue-part.ts";
import { type DonationAdminServices, donationPart } from "./donation/donation-part.ts";
import { donationListPart } from "./list/list-part.ts";
import { madeRefundsPart } from "./made-refunds/made-refunds-part.ts";
import { type PersonDataServices, personDataPart } from "./person/person-data-part.ts";
import { personPart } from "./person/person-part.ts";
import { yearSummaryPart } from "./person/year-summary-part.ts";
import { sendAgainPart } from "./send-again/send-again-part.ts";

/** What the donations feature adds to the back office’s server. */
export function donationsAdmin(
  services: DonationAdminServices & ExportServices & PersonDataServices,
): readonly AdminPart[] {
  return [
    donationListPart(services),
    donationPart(services),
    sendAgainPart(services),
    personPart(services),
    personDataPart(services),
    yearSummaryPart(services),
    madeRefundsPart(services),
    cataloguePart(services),
    auditPart(services),
  ];
}
