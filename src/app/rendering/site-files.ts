import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { KeepReady } from "../ready-answers.ts";

export const SPECULATION_RULES = "/speculation-rules.json";
const DAY = "public, max-age=86400, stale-while-revalidate=604800";

/** Pages that only show something may be rendered before a click; pages that start something may not. */
const speculationRules = {
  prerender: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          {
            not: {
              href_matches: [
                "/donation*",
                "/login*",
                "/contact*",
                "/selectTickets*",
                "/ticketsCheckout*",
                "/api/*",
                "/dev/*",
                "/*.*",
              ],
            },
          },
          { not: { selector_matches: "[download], [rel~=external], [target]" } },
        ],
      },
      eagerness: "moderate",
    },
  ],
};

/** Serves the built files: hashed ones are cached permanently, drawings and icons for a day. */
export async function serveFiles(
  app: FastifyInstance,
  client: string,
  { keepReady, brand }: { readonly keepReady?: KeepReady | undefined; readonly brand: () => BrandFrame },
): Promise<void> {
  await app.register(async (files) => {
    files.addHook("onRequest", async (request) => keepReady?.(request, () => true));
    await addFiles(files, client);
  });
  await app.register(async (files) => addFavicon(files, client, brand));
}

/** What programs ask for without having read a page. Not kept ready, because the brand may change. */
async function addFavicon(app: FastifyInstance, client: string, brand: () => BrandFrame): Promise<void> {
  await app.register(fastifyStatic, { root: join(client, "icons"), serve: false, cacheControl: false });
  app.get("/favicon.ico", { schema: { hide: true } as object }, (_, reply) => {
    const icon = brand().icons?.favicon;
    reply.header("cache-control", DAY);
    return icon === undefined ? reply.sendFile("favicon.ico") : reply.redirect(icon, 302);
  });
}

async function addFiles(app: FastifyInstance, client: string): Promise<void> {
  const shared = { index: false as const, preCompressed: true, wildcard: true, schemaHide: true };
  await app.register(fastifyStatic, {
    ...shared,
    root: join(client, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "1y",
  });
  for (const name of ["identity", "icons"].filter((folder) => existsSync(join(client, folder)))) {
    await app.register(fastifyStatic, {
      ...shared,
      root: join(client, name),
      prefix: `/${name}/`,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply) => void reply.header("cache-control", DAY),
    });
  }
  const hide = { schema: { hide: true } as object };
  app.get(SPECULATION_RULES, hide, async (_, reply) =>
    reply
      .type("application/speculationrules+json")
      .header("cache-control", "public, max-age=86400")
      .send(JSON.stringify(speculationRules)),
  );
}
