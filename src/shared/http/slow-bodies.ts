import type { FastifyInstance } from "fastify";
import { MULTIPART } from "./uploads.ts";

/**
 * Closes the connection of whoever has not sent the whole body after `bodyMs`; a form with files, sent to where one is
 * taken, has `uploadMs`. Node's own limit is one for all.
 */
export function cutSlowBodies(app: FastifyInstance, { bodyMs, uploadMs }: { bodyMs: number; uploadMs: number }) {
  app.addHook("onRequest", (request, _, done) => {
    const { raw, headers } = request;
    const schema = request.routeOptions.schema as { readonly consumes?: readonly string[] } | undefined;
    const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
    if (hasBody) {
      const takesFiles = schema?.consumes?.includes(MULTIPART) === true;
      const timer = setTimeout(() => raw.destroy(), takesFiles ? uploadMs : bodyMs);
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}
