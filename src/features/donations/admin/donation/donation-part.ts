import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { AdminPart } from "#admin/feature.ts";
import type { AdminReads, FilledForm } from "#admin/screen.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { AppError } from "#shared/errors.ts";
import { sendPdf } from "#shared/http/send-pdf.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { readReceiptNumber } from "../../receipt-number.ts";
import { listMoveTargets, type MoveTarget } from "../../server/one-donation/move-fund.ts";
import { findReceipt } from "../../server/receipt.ts";
import { renderReceipt } from "../../server/render-pdfs.ts";
import { donationActions } from "./donation-actions.ts";
import { type DonationReader, findDonation, maySeeFaith, type ShownDonation } from "./find-donation.ts";
import { type EmailPreview, previewEmail } from "./preview.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Also records the look if the donation shows faith and the person may see that. */
    readonly findDonation: (id: string, reader: DonationReader) => Promise<ShownDonation | null>;
    readonly listMoveTargets: () => Promise<MoveTarget[]>;
    /** The email that a form would send, to be checked. */
    readonly previewEmail: (donation: ShownDonation, form: FilledForm | null) => Promise<EmailPreview | null>;
  }
}

export type DonationAdminServices = CoreServices<
  "database" | "files" | "jobs" | "organisation" | "now",
  "secretKey" | "linkDays" | "publicUrl"
> & { readonly log: FastifyBaseLogger; readonly staffSessions: StaffSessions };

/** The reads, actions and addresses of one donation's page. */
export function donationPart(services: DonationAdminServices): AdminPart {
  return {
    reads: {
      findDonation: (id: string, reader: DonationReader) => findDonation(services, id, reader),
      listMoveTargets: () => listMoveTargets(services.database),
      previewEmail: (donation: ShownDonation, form: FilledForm | null) => previewEmail(services, donation, form),
    } satisfies Partial<AdminReads>,
    actions: donationActions(services),
    routes: (admin) => receiptRoute(admin, services),
  };
}

/** A receipt as a PDF, void ones too. One that shows faith needs the right, and the look is recorded. */
function receiptRoute(admin: FastifyInstance, services: DonationAdminServices): void {
  const { database, staffSessions } = services;
  const path = "/admin/donations/:id/receipts/:number";
  const access = { config: { access: "donations.see" }, schema: { hide: true } as object } as const;
  admin.get<{ Params: { id: string; number: string } }>(path, access, async (request, reply) => {
    const found = await findDonation(services, request.params.id, { staff: null, ipAddress: "" });
    const number = readReceiptNumber(request.params.number);
    const receipt = found && number !== null ? await findReceipt(database, found.id, number) : undefined;
    if (found === null || receipt === undefined) throw new AppError("not_found");
    const staff = (await staffSessions.find(request))?.staff ?? null;
    const reader = { staff, ipAddress: request.ip };
    if (found.hasFaith && !(await maySeeFaith(services, found.id, reader))) throw new AppError("not_allowed");
    const look = await readDocumentLook(services);
    return sendPdf(
      reply,
      `receipt-${receipt.data.number}`,
      await renderReceipt(receipt.data, receipt.voided, { look }),
    );
  });
}
