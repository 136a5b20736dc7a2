import type { FastifyInstance } from "fastify";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { accountsAdmin } from "../admin/admin-parts.ts";
import { accountProblems } from "../problems.ts";
import { type AccountEmailJob, accountEmails, writeAccountEmail } from "./emails.ts";
import { guestRoutes, redirectToChangePassword } from "./guest-routes.ts";
import { accountHoldings } from "./retention.ts";
import { accountRoutes } from "./routes.ts";

export const accounts = {
  problems: accountProblems,
  calls: accountRoutes,
  routes: (app: FastifyInstance, services: Parameters<typeof guestRoutes>[1]) => {
    guestRoutes(app, services);
    redirectToChangePassword(app);
  },
  emails: {
    welcome: writeAccountEmail,
    "confirm-address": writeAccountEmail,
    "reset-code": writeAccountEmail,
    "password-changed": writeAccountEmail,
    "passkey-added": writeAccountEmail,
    "passkey-removed": writeAccountEmail,
    "passkey-blocked": writeAccountEmail,
  } satisfies Record<AccountEmailJob["template"], unknown>,
  emailTexts: { "Accounts of members": accountEmails },
  admin: accountsAdmin,
  holdings: ({ sessions }: { readonly sessions: Sessions }) => accountHoldings(sessions),
} as const;
