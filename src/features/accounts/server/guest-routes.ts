import type { FastifyInstance } from "fastify";
import type { CsrfTokens } from "#shared/http/csrf.ts";
import { paths } from "#shared/paths.ts";
import { keepGuest } from "#shared/sessions/guest-cookie.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { guestDestination } from "../return-path.ts";

type GuestServices = {
  readonly config: { readonly publicUrl: string };
  readonly csrf: CsrfTokens;
  readonly sessions: Pick<Sessions, "tokenOf">;
};

/** 'Continue As a Guest User', also without JavaScript (LOG-3). A GET may set it: it only records that choice. */
export function guestRoutes(app: FastifyInstance, { config, csrf, sessions }: GuestServices): void {
  const isSecure = config.publicUrl.startsWith("https:");
  app.get(paths.continueAsGuest, { schema: { hide: true } as object }, async (request, response) => {
    const query = request.url.slice(paths.continueAsGuest.length);
    // Headers take ASCII only.
    const path = guestDestination(query).replace(/[^\x21-\x7e]+/g, encodeURIComponent);
    keepGuest(response, { isSecure });
    csrf.give(response, sessions.tokenOf(request));
    return response.header("cache-control", "no-store").redirect(path, 302);
  });
}

/** Where password managers look for the page that changes a password (https://www.w3.org/TR/change-password-url/). */
export function redirectToChangePassword(app: FastifyInstance): void {
  app.get("/.well-known/change-password", { schema: { hide: true } as object }, async (_, response) =>
    response.redirect(paths.changePassword, 302),
  );
}
