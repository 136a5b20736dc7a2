import type { ExportServices } from "#admin/export/export-routes.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { RefundServices } from "../server/refund-requests.ts";
import { auditPart } from "./audit-part.ts";
import { cataloguePart } from "./catalogue/catalogue-part.ts";
import { type DonationAdminServices, donationPart } from "./donation/donation-part.ts";
import { donationListPart } from "./list/list-part.ts";
import { personPart } from "./person/person-part.ts";
import { madeRefundsPart } from "./refunds/made-refunds-part.ts";
import { refundsPart } from "./refunds/refund-parts.ts";

/** What the donations feature adds to the back office’s server. */
export function donationsAdmin(
  services: DonationAdminServices & RefundServices & ExportServices,
): readonly AdminPart[] {
  return [
    donationListPart(services),
    donationPart(services),
    personPart(services),
    refundsPart(services),
    madeRefundsPart(services),
    cataloguePart(services),
    auditPart(services),
  ];
}
