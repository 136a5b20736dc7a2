import type { FastifyInstance } from "fastify";
import type { Config } from "#shared/config/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { webhookRoutes } from "./braintree/webhook-routes.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import type { Circuits } from "./circuits.ts";
import type { Payments } from "./payments.ts";
import { paymentProblems } from "./problems.ts";
import { type ProviderEmailJob, providerEmails, writeProviderEmail } from "./provider-emails.ts";
import type { Reconciliation } from "./reconciliation/reconciliation.ts";
import { paymentHoldings } from "./retention.ts";

type CallServices = Parameters<typeof checkoutRoutes>[1] & { readonly database: Database; readonly now: () => Date };
type TaskServices = {
  readonly config: Config;
  readonly payments: Payments;
  readonly circuits: Circuits;
  readonly reconciliation: Reconciliation;
  readonly now: () => Date;
};

/** What the payments module adds to the server, besides the API that features use. */
export const payments = {
  problems: paymentProblems,
  calls: (api: FastifyInstance, services: CallServices) => {
    checkoutRoutes(api, services);
    const { database, providers, now } = services;
    api.register(webhookRoutes, { database, braintree: providers.braintree, now });
  },
  emails: { "provider-unavailable": writeProviderEmail, reconciliation: writeProviderEmail } satisfies Record<
    ProviderEmailJob["template"],
    unknown
  >,
  emailTexts: { "Payment providers": providerEmails },
  holdings: () => paymentHoldings,
  scheduledTasks: [
    { name: "open payments", every: "tick", run: ({ payments }: TaskServices) => payments.tick() },
    // Separate, so that it never waits for calls to the unavailable provider.
    { name: "circuits", every: "tick", run: ({ circuits, now }: TaskServices) => circuits.tick(now()) },
    { name: "reconciliation", every: "hour", run: ({ reconciliation }: TaskServices) => reconciliation.tick() },
  ],
} as const;
