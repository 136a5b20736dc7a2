import { showsFaith } from "#admin/faith.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readDocumentLook } from "#shared/brand/document-look.ts";
import { AppError, type Problem } from "#shared/errors.ts";
import { sendPdf } from "#shared/http/send-pdf.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { ANONYMOUS_DONOR } from "../../donor.ts";
import { financialYear, MAX_IN_PDF } from "../../history.ts";
import { hasMorePaid, listSummaryDonations } from "../../server/history.ts";
import { findPerson } from "../../server/one-donation/person.ts";
import { renderSummary } from "../../server/render-pdfs.ts";
import { maySeeFaith } from "../donation/find-donation.ts";
import type { PersonDataServices } from "./person-data-part.ts";

type Services = PersonDataServices & CoreServices<"files" | "organisation">;

const tooMany: Problem = {
  name: "too_many_for_pdf",
  status: 422,
  text: "This year has more donations than one PDF can hold.",
  money: "untouched",
};

/**
 * The PDF summary of a person's financial year, for donors with or without an account. It has what the donor finds in
 * an account with this address: not what was given anonymously as a guest. One that shows faith needs the right, and
 * the look is recorded.
 */
export function yearSummaryPart(services: Services): AdminPart {
  const { database, organisation, now, personData, staffSessions } = services;
  const path = "/admin/people/:id/summaries/:year";
  const access = { config: { access: "donations.see" }, schema: { hide: true } as object } as const;
  return {
    routes: (admin) => {
      admin.get<{ Params: { id: string; year: string } }>(path, access, async (request, reply) => {
        const { id, year } = request.params;
        const { staff } = (await staffSessions.find(request))!;
        const email = await personData.findEmail(staff, id);
        const person = email === null ? null : await findPerson(database, email);
        const hasYear = person?.years.some(({ endsIn }) => String(endsIn) === year);
        if (person === null || !hasYear) throw new AppError("not_found");
        const range = financialYear(`${year}-01-01`);
        const giver = { userId: person.account?.id, guestEmail: person.email };
        if (await hasMorePaid(database, giver, { range, limit: MAX_IN_PDF })) throw new AppError(tooMany);
        const donations = await listSummaryDonations(database, giver, { range, limit: MAX_IN_PDF });
        const hasFaith = donations.some(({ lines }) => lines.some(({ fund }) => showsFaith(fund)));
        const reader = { staff, ipAddress: request.ip };
        if (hasFaith && !(await maySeeFaith(services, id, reader, "person"))) throw new AppError("not_allowed");
        const { account, names } = person;
        const name = account === undefined ? names[0]?.name : `${account.first_name} ${account.last_name}`;
        const donor = { name: name ?? ANONYMOUS_DONOR, email: person.email };
        const look = await readDocumentLook(services);
        const summary = { organisation: organisation.current(), donor, range, donations, madeAt: now(), look };
        return sendPdf(reply, `donations-${range.from}-to-${range.to}`, await renderSummary(summary));
      });
    },
  };
}
