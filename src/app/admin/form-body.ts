import type { FastifyInstance } from "fastify";
import { limitLongBodies } from "#shared/http/uploads.ts";

const MAX_FIELDS = 200;
/** Enough for a long article in any script, which is escaped twice if it was kept while its writer logged in. */
const BODY_LIMIT = 2 * 1024 * 1024;
/** Nearly every form is shorter. Longer ones, which strangers can send too, must not fill the memory. */
const SHORT_BYTES = 64 * 1024;

/** Reads forms as browsers send them: each name with the list of its values. Anything else is refused (415). */
export function parseForms(app: FastifyInstance): void {
  limitLongBodies(app, { freeBytes: SHORT_BYTES, bodyLimit: BODY_LIMIT });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: BODY_LIMIT },
    (_, body, done) => {
      const values: Record<string, string[]> = Object.create(null);
      for (const [name, value] of [...new URLSearchParams(String(body))].slice(0, MAX_FIELDS)) {
        // Browsers send line ends as CR LF.
        values[name] = [...(values[name] ?? []), value.replaceAll("\r\n", "\n")];
      }
      done(null, { ...values });
    },
  );
}
