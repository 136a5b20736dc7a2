import type { FastifyInstance } from "fastify";
import { loginThen, paths } from "#shared/paths.ts";

/** The application's other address in the specification. */
const volunteerApplication = "/volunteerApplication";

/** Pages that only somebody logged in may open (PRO-1). */
const personalPages = [paths.profile, paths.editProfile, paths.changePassword, paths.donationHistory];

/** Addresses that only lead on: an older name of a page (NAV-2), and the personal pages, which need a session (PRO-1). */
export function registerRedirects(app: FastifyInstance): void {
  app.get(volunteerApplication, async (_, reply) =>
    reply.header("cache-control", "public, max-age=86400").redirect(paths.volunteer, 301),
  );
  for (const path of personalPages) {
    app.get(path, async (_, reply) => reply.header("cache-control", "no-store").redirect(loginThen(path), 302));
  }
}
