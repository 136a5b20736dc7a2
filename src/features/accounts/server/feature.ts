import type { Sessions } from "#shared/sessions/sessions.ts";
import { guestRoutes } from "./guest-routes.ts";
import { type AccountLetterJob, writeAccountLetter } from "./letters.ts";
import { accountHoldings } from "./retention.ts";
import { accountRoutes } from "./routes.ts";

/** What accounts bring to the server. */
export const accounts = {
  calls: accountRoutes,
  routes: guestRoutes,
  letters: {
    welcome: writeAccountLetter,
    "address-check": writeAccountLetter,
    "reset-code": writeAccountLetter,
    "password-changed": writeAccountLetter,
    "passkey-added": writeAccountLetter,
    "passkey-removed": writeAccountLetter,
    "passkey-blocked": writeAccountLetter,
  } satisfies Record<AccountLetterJob["letter"], unknown>,
  holdings: ({ sessions }: { readonly sessions: Sessions }) => accountHoldings(sessions),
} as const;
