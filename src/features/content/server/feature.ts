import type { FastifyInstance } from "fastify";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { contentProblems } from "../problems.ts";
import { contactRoutes } from "./contact.ts";
import { type ContactEmailJob, writeContactEmail } from "./contact-emails.ts";
import { contentReads } from "./content-reads.ts";
import { eventRoutes } from "./event-routes.ts";
import { legalPlaceholders } from "./placeholders.ts";
import { contentHoldings } from "./retention.ts";
import { contentRoutes } from "./routes.ts";

type ReadServices = CoreServices<"database" | "organisation" | "now", "tickets" | "retention"> & {
  readonly retentionRules: Parameters<typeof legalPlaceholders>[2];
};
type CallServices = Parameters<typeof contactRoutes>[1] & CoreServices<"database" | "organisation" | "now">;

export const content = {
  problems: contentProblems,
  calls: (api: FastifyInstance, services: CallServices) => {
    contactRoutes(api, services);
    const { database, organisation, now } = services;
    api.register(contentRoutes, { database, organisation: organisation.current, now });
  },
  routes: eventRoutes,
  reads: ({ database, organisation, config, now, retentionRules }: ReadServices) =>
    contentReads(database, now, () => legalPlaceholders(organisation.current(), config, retentionRules)),
  emails: { "contact-message": writeContactEmail, "contact-answer": writeContactEmail } satisfies Record<
    ContactEmailJob["template"],
    unknown
  >,
  holdings: () => contentHoldings,
} as const;
