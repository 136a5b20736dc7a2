import type { FastifyInstance } from "fastify";
import type { Database } from "#shared/database/connect.ts";
import type { Organisation } from "#shared/organisation.ts";
import { type ContactLetterJob, writeContactLetter } from "./contact-letters.ts";
import { contactRoutes } from "./contact-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { contentHoldings } from "./retention.ts";
import { contentRoutes } from "./routes.ts";

type CallServices = Parameters<typeof contactRoutes>[1] & {
  readonly database: Database;
  readonly organisation: { current(): Organisation };
  readonly now: () => Date;
};

/** What content brings to the server. */
export const content = {
  calls: (api: FastifyInstance, services: CallServices) => {
    contactRoutes(api, services);
    const { database, organisation, now } = services;
    api.register(contentRoutes, { database, organisation: organisation.current, now });
  },
  routes: eventRoutes,
  letters: { "contact-message": writeContactLetter, "contact-answer": writeContactLetter } satisfies Record<
    ContactLetterJob["letter"],
    unknown
  >,
  holdings: () => contentHoldings,
} as const;
