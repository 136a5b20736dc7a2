import type { FastifyInstance } from "fastify";
import { addAvif } from "#shared/images/add-avif.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { contentAdmin } from "../admin/admin-parts.ts";
import type { planContent } from "../demo/plan-content.ts";
import { contentProblems } from "../problems.ts";
import { contactRoutes } from "./contact.ts";
import { type ContactEmailJob, contactEmails, writeContactEmail } from "./contact-emails.ts";
import { contentReads } from "./content-reads.ts";
import { publishDue } from "./editing/publish-due.ts";
import { eventRoutes } from "./event-routes.ts";
import { checkNextLink } from "./external-links/check-links.ts";
import { legalPlaceholders } from "./placeholders.ts";
import { previewReads } from "./preview.ts";
import { contentHoldings } from "./retention.ts";
import { contentRoutes } from "./routes.ts";

type ReadServices = CoreServices<"database" | "organisation" | "now", "secretKey" | "tickets" | "retention"> & {
  readonly retentionRules: Parameters<typeof legalPlaceholders>[2];
};
type LinkServices = Parameters<typeof checkNextLink>[0];
type CallServices = Parameters<typeof contactRoutes>[1] & CoreServices<"database" | "organisation" | "now">;

export const content = {
  problems: contentProblems,
  calls: (api: FastifyInstance, services: CallServices) => {
    contactRoutes(api, services);
    const { database, organisation, now } = services;
    api.register(contentRoutes, { database, organisation: organisation.current, now });
  },
  routes: eventRoutes,
  reads: ({ database, organisation, config, now, retentionRules }: ReadServices) => {
    const placeholders = () => legalPlaceholders(organisation.current(), config, retentionRules);
    return {
      ...contentReads(database, now, placeholders),
      ...previewReads({
        secretKey: config.secretKey,
        database,
        organisation: organisation.current,
        now,
        placeholders,
      }),
    };
  },
  emails: { "contact-message": writeContactEmail, "contact-answer": writeContactEmail } satisfies Record<
    ContactEmailJob["template"],
    unknown
  >,
  emailTexts: { "Contact form": contactEmails },
  admin: contentAdmin,
  holdings: () => contentHoldings,
  scheduledTasks: [
    { name: "content to publish", every: "tick", run: publishDue },
    { name: "links to other websites", every: "tick", run: (services: LinkServices) => checkNextLink(services) },
    { name: "pictures as AVIF", every: "ten minutes", run: addAvif },
  ],
  planDemo: async (...past: Parameters<typeof planContent>) =>
    (await import("../demo/plan-content.ts")).planContent(...past),
} as const;
