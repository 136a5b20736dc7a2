import type { FastifyInstance } from "fastify";
import type { SiteBrands } from "./site-brands.ts";

/** Serves what is made for the brand: '/brand/site-<hash>.css', its fonts, its logo and icons. */
export function brandRoutes(app: FastifyInstance, { brands }: { brands: SiteBrands }): void {
  const options = { schema: { hide: true } as object, logLevel: "warn" as const };
  app.get<{ Params: { file: string } }>("/brand/:file", options, async (request, reply) => {
    const { file } = request.params;
    const found = /^[\w-]{1,80}\.(?:css|woff2|webp|png)$/.test(file) ? await brands.findFile(file) : null;
    if (found === null) return reply.callNotFound();
    // The name has the hash of what the file is made from, so the answer never changes.
    reply.headers({ "cache-control": "public, max-age=31536000, immutable" });
    return reply.type(found.type).send(found.bytes);
  });
}
