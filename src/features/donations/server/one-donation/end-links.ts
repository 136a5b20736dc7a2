import type { FastifyBaseLogger } from "fastify";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { revokeLinks } from "#shared/links/document-links.ts";
import { requireDonation } from "./require-donation.ts";

type Services = CoreServices<"database" | "now"> & { readonly log: FastifyBaseLogger };

/** Ends every link to the donation's receipt that has been sent so far, such as after one reached the wrong person. */
export function endLinks(
  { database, now, log }: Services,
  { donationId, reason }: { readonly donationId: string; readonly reason: string },
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await requireDonation(transaction, donationId);
    const at = now();
    const revoked = { database: transaction, now: () => at, log };
    await revokeLinks(revoked, { kind: "receipt", id: donationId }, actor.staff?.name ?? "staff");
    await recordAct(
      transaction,
      actor,
      { verb: "donation.end-links", subject: "donation", subjectId: donationId, reason },
      at,
    );
  });
}
