import type { FastifyInstance } from "fastify";
import type { Config } from "#shared/config.ts";
import { applicantPhoto, applicantRoutes } from "./applicant-routes.ts";
import { applicationLinks } from "./application-links.ts";
import { remindOfChecks } from "./checks.ts";
import { type VolunteerLetterJob, writeVolunteerLetter } from "./letters.ts";
import { volunteerHoldings } from "./retention.ts";
import { volunteerRoutes } from "./routes.ts";

type CallServices = Parameters<typeof volunteerRoutes>[1] & Parameters<typeof applicantRoutes>[1];
type HoldingServices = Parameters<typeof volunteerHoldings>[0] & { readonly config: Pick<Config, "retention"> };

/** What volunteering brings to the server. */
export const volunteering = {
  calls: (api: FastifyInstance, services: CallServices) => {
    volunteerRoutes(api, services);
    applicantRoutes(api, services);
  },
  routes: applicantPhoto,
  letters: {
    "application-received": writeVolunteerLetter,
    "new-application": writeVolunteerLetter,
    "application-decided": writeVolunteerLetter,
    "volunteer-left": writeVolunteerLetter,
    "check-ends": writeVolunteerLetter,
    "volunteer-check-ends": writeVolunteerLetter,
  } satisfies Record<VolunteerLetterJob["letter"], unknown>,
  links: { application: applicationLinks },
  holdings: (services: HoldingServices) =>
    volunteerHoldings(services, { filesDays: services.config.retention.volunteerFilesDays }),
  chores: [{ name: "reminders of checks", every: "hour", run: remindOfChecks }],
} as const;
