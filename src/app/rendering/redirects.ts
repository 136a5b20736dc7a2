import type { FastifyInstance } from "fastify";
import { paths } from "#shared/paths.ts";

/** The application's other address in the specification. */
const volunteerApplication = "/volunteerApplication";
/** Where password managers look for the page that changes a password (https://www.w3.org/TR/change-password-url/). */
const changePassword = "/.well-known/change-password";

/** Addresses that only lead on: an older name of a page (NAV-2). */
export function registerRedirects(app: FastifyInstance): void {
  app.get(volunteerApplication, async (_, reply) =>
    reply.header("cache-control", "public, max-age=86400").redirect(paths.volunteer, 301),
  );
  app.get(changePassword, async (_, reply) => reply.redirect(paths.changePassword, 302));
}
