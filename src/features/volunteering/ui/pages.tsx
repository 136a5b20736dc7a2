import type { CaptchaReads } from "#shared/captcha/ui/captcha-box.tsx";
import { fillInNames } from "#shared/organisation.ts";
import type { IntroductionReads } from "#shared/pages/introduction.ts";
import { island } from "#shared/pages/island.tsx";
import { type Page, page } from "#shared/pages/page.ts";
import { applicationHoursPath, applicationPath, paths } from "#shared/paths.ts";
import type { PlaceReads } from "#shared/places/contract.ts";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import type { ApplicantReads } from "../applicant.ts";
import { ApplicantActions } from "./applicant/applicant-actions.tsx";
import { ApplicantPage, ApplicantWithoutScript } from "./applicant/applicant-page.tsx";
import { ApplicantShifts } from "./applicant/applicant-shifts.tsx";
import { VolunteerForm } from "./apply/volunteer-form.tsx";
import { VolunteerPage } from "./apply/volunteer-page.tsx";

declare module "#shared/pages/page.ts" {
  interface PageReads extends ApplicantReads, IntroductionReads, PlaceReads, CaptchaReads {}
}

export const volunteeringPages: readonly Page[] = [
  page({
    path: paths.volunteer,
    load: async ({ captcha, findPlaces, findIntroduction }) => {
      const [places, introduction] = await Promise.all([findPlaces(DEFAULT_COUNTRY), findIntroduction("volunteer")]);
      return { captcha, places, introduction };
    },
    head: ({ introduction }, { organisation }) => ({
      title: "Volunteer Application",
      description: fillInNames(introduction, organisation).description,
    }),
    body: ({ captcha, places, introduction }, { organisation }) => {
      const { name, phone, email } = organisation;
      return (
        <VolunteerPage
          organisation={{ name, phone, email }}
          lede={fillInNames(introduction, organisation).lede}
          form={island("VolunteerForm", VolunteerForm, { organisation: { name, phone, email }, captcha, places })}
        />
      );
    },
    bodyClass: "is-form",
    hasCaptcha: true,
  }),
  page({
    path: applicationPath(":id"),
    async load({ findOwnApplication }, { params, query }) {
      const application = await findOwnApplication(params.id!, query?.key);
      return application && { application, key: query?.key ?? "" };
    },
    head: () => ({
      title: "Your application to volunteer",
      description: "The status of your application, and what you can do about it.",
    }),
    body: ({ application, key }, { organisation }) => (
      <ApplicantPage
        application={application}
        organisation={organisation}
        hoursPath={
          application.hasHours ? `${applicationHoursPath(application.id)}?key=${encodeURIComponent(key)}` : null
        }
        shifts={island("ApplicantShifts", ApplicantShifts, { id: application.id, shifts: application.shifts })}
        actions={
          <>
            <ApplicantWithoutScript organisation={organisation} />
            {island("ApplicantActions", ApplicantActions, {
              id: application.id,
              details: application.details,
              isVolunteer: application.stage === "approved",
            })}
          </>
        }
      />
    ),
    bodyClass: "is-form",
    access: "key",
    queryParameters: ["key"],
    isIndexed: false,
  }),
];
