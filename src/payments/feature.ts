import type { FastifyInstance } from "fastify";
import type { Config } from "#shared/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { webhookRoutes } from "./braintree/webhook-routes.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import type { Circuits } from "./circuits.ts";
import type { Payments } from "./payments.ts";
import { type ProviderLetterJob, writeProviderLetter } from "./provider-letters.ts";
import type { Reconciliation } from "./reconciliation/reconciliation.ts";
import { paymentHoldings } from "./retention.ts";

type CallServices = Parameters<typeof checkoutRoutes>[1] & { readonly database: Database; readonly now: () => Date };
type ChoreServices = {
  readonly config: Config;
  readonly payments: Payments;
  readonly circuits: Circuits;
  readonly reconciliation: Reconciliation;
  readonly now: () => Date;
};

/** What payments bring to the server, beside the machine that features use. */
export const payments = {
  calls: (api: FastifyInstance, services: CallServices) => {
    checkoutRoutes(api, services);
    const { database, providers, now } = services;
    api.register(webhookRoutes, { database, braintree: providers.braintree, now });
  },
  letters: { "provider-away": writeProviderLetter, reconciliation: writeProviderLetter } satisfies Record<
    ProviderLetterJob["letter"],
    unknown
  >,
  holdings: () => paymentHoldings,
  chores: [
    { name: "open payments", every: "tick", run: ({ payments }: ChoreServices) => payments.tick() },
    // By itself, so that it is not kept waiting by calls to the very provider that is away.
    { name: "circuits", every: "tick", run: ({ circuits, now }: ChoreServices) => circuits.tick(now()) },
    { name: "reconciliation", every: "hour", run: ({ reconciliation }: ChoreServices) => reconciliation.tick() },
  ],
} as const;
