import Fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { AppError } from "#shared/errors.ts";

/** The reference sets styles from its script. It has no form and no secret, so a looser policy is safe. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "font-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/** Headers of the connection to the reference, not of the answer. */
const ofConnection = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

/**
 * The calls that are added after this as OpenAPI (`/api/openapi.json`), and a page to browse them (`/api/docs`). Both are
 * made by a server of their own when first asked for, because a start needs none of their packages.
 */
export function addApiReference(app: FastifyInstance): void {
  const calls: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    const isHidden = (route.schema as { hide?: boolean } | undefined)?.hide === true;
    if (route.url.startsWith("/api/") && route.method !== "HEAD" && !isHidden) calls.push(route);
  });
  let opened: Promise<FastifyInstance> | undefined;
  const open = () => {
    opened ??= openReference(calls);
    return opened;
  };
  const hidden = { schema: { hide: true } as object };
  app.get("/api/openapi.json", hidden, async () => (await open()).swagger());
  for (const path of ["/api/docs", "/api/docs/*"]) {
    app.get(path, { ...hidden, logLevel: "warn" }, async ({ url }, reply) => {
      const answer = await (await open()).inject(url);
      if (answer.statusCode === 404) throw new AppError("not_found");
      const headers = Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name));
      return reply.code(answer.statusCode).headers(Object.fromEntries(headers)).send(answer.rawPayload);
    });
  }
}

/** A server that has the reference, and knows the calls without answering any. */
async function openReference(calls: readonly RouteOptions[]): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import("@fastify/swagger"),
    import("@fastify/swagger-ui"),
  ]);
  const reference = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  reference.setValidatorCompiler(() => () => true);
  reference.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await reference.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Almoner", description: "The calls of the charity's website.", version: "1" },
    },
    transform: ({ schema, url, route }) => {
      const { describe = () => schema } = (route.config ?? {}) as { describe?: () => typeof schema };
      return { url, schema: describe() };
    },
  });
  for (const { method, url, schema, config } of calls) {
    reference.route({ method, url, ...(schema && { schema }), ...(config && { config }), handler: async () => null });
  }
  await reference.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: policy,
    theme: {
      title: "Almoner: calls",
      css: [{ filename: "reference.css", content: ".swagger-ui .topbar { display: none }" }],
    },
  });
  await reference.ready();
  return reference;
}
