import { ApplicantActions } from "#features/volunteering/ui/applicant/applicant-actions.tsx";
import { ApplicantPage, ApplicantWithoutScript } from "#features/volunteering/ui/applicant/applicant-page.tsx";
import { applicationPath } from "#shared/paths.ts";
import { island } from "./rendering/island.tsx";
import { type Page, page } from "./rendering/page.ts";

/** What somebody who applied to volunteer comes to by the link of our letter. */
export const applicantPages: readonly Page[] = [
  page({
    path: applicationPath(":id"),
    load: ({ findOwnApplication }, { params, asked }) => findOwnApplication(params.id!, asked?.key),
    head: () => ({
      title: "Your application to volunteer",
      description: "Where your application stands, and what you can do about it.",
    }),
    body: (application, { organisation }) => (
      <ApplicantPage
        application={application}
        organisation={organisation}
        actions={
          <>
            <ApplicantWithoutScript organisation={organisation} />
            {island("ApplicantActions", ApplicantActions, { id: application.id, details: application.details })}
          </>
        }
      />
    ),
    bodyClass: "is-form",
    needsKey: true,
    asks: ["key"],
    isIndexed: false,
  }),
];
