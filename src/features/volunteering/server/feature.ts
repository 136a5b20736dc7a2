import type { FastifyInstance } from "fastify";
import type { Config } from "#shared/config/config.ts";
import { volunteeringAdmin } from "../admin/admin-parts.ts";
import type { planVolunteers } from "../demo/plan-volunteers.ts";
import { volunteeringProblems } from "../problems.ts";
import { applicantReads } from "./applicant.ts";
import { applicantEmails } from "./applicant-emails.ts";
import { applicationLinks } from "./application-links.ts";
import { remindOfChecks } from "./checks.ts";
import { coordinatorEmails } from "./coordinator-emails.ts";
import { type VolunteerEmailJob, writeVolunteerEmail } from "./emails.ts";
import { remindOfShifts } from "./held-places.ts";
import { hoursCertificate } from "./hours-certificate.ts";
import { volunteerHoldings } from "./retention.ts";
import { applicantPhoto, applicantRoutes, redirectOlderAddress, shiftRoutes, volunteerRoutes } from "./routes.ts";
import { shiftEmails } from "./shift-emails.ts";
import { tellOfLostPlaces } from "./shift-places.ts";

type CallServices = Parameters<typeof volunteerRoutes>[1] & Parameters<typeof applicantRoutes>[1];
type HoldingServices = Parameters<typeof volunteerHoldings>[0] & { readonly config: Pick<Config, "retention"> };

export const volunteering = {
  problems: volunteeringProblems,
  calls: (api: FastifyInstance, services: CallServices) => {
    volunteerRoutes(api, services);
    applicantRoutes(api, services);
    shiftRoutes(api, services);
  },
  routes: (
    app: FastifyInstance,
    services: Parameters<typeof applicantPhoto>[1] & Parameters<typeof hoursCertificate>[1],
  ) => {
    applicantPhoto(app, services);
    hoursCertificate(app, services);
    redirectOlderAddress(app);
  },
  reads: applicantReads,
  emails: {
    "application-received": writeVolunteerEmail,
    "new-application": writeVolunteerEmail,
    "application-decided": writeVolunteerEmail,
    "application-question": writeVolunteerEmail,
    "volunteer-withdrew": writeVolunteerEmail,
    "shift-place-taken": writeVolunteerEmail,
    "shift-moved": writeVolunteerEmail,
    "shift-reminder": writeVolunteerEmail,
    "shift-place-lost": writeVolunteerEmail,
    "check-expires": writeVolunteerEmail,
    "volunteer-check-expires": writeVolunteerEmail,
  } satisfies Record<VolunteerEmailJob["template"], unknown>,
  emailTexts: { Volunteering: [...applicantEmails, ...shiftEmails, ...coordinatorEmails] },
  links: { application: applicationLinks },
  holdings: (services: HoldingServices) =>
    volunteerHoldings(services, { filesDays: services.config.retention.volunteerFilesDays }),
  admin: volunteeringAdmin,
  scheduledTasks: [
    { name: "reminders of checks", every: "hour", run: remindOfChecks },
    { name: "reminders of shifts", every: "ten minutes", run: remindOfShifts },
    { name: "lost places in shifts", every: "tick", run: tellOfLostPlaces },
  ],
  planDemo: async (...past: Parameters<typeof planVolunteers>) =>
    (await import("../demo/plan-volunteers.ts")).planVolunteers(...past),
} as const;
