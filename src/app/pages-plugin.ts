import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, problems } from "#shared/errors.ts";
import type { Organisation } from "#shared/organisation.ts";
import { readClientFiles } from "./client-files.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { createHtmlCache, type PageBytes } from "./html-cache.ts";
import type { Page, PageServices } from "./pages.tsx";
import type { Site } from "./render.tsx";

type PagesOptions = {
  /** The site's address, without a slash at the end. */
  readonly publicUrl: string;
  readonly payment: Parameters<typeof contentSecurityPolicy>[0];
  readonly organisation: () => Organisation;
  readonly services: PageServices;
  /** Is handed the function that drops every cached page. */
  readonly onContentChanged: (drop: () => void) => void;
  /** Where the build lies; `dist` beside the working directory unless told. */
  readonly buildFolder?: string;
};

export type Pages = {
  /** Answers an address without a page: the helpful 404, or the address without its last slash (NAV-8). */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Answers a failure of ours with a page that carries an incident number, which the log has too (NAV-8). */
  sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply;
};

const MOST_PAGES = 200;
const SPECULATION_RULES = "/speculation-rules.json";

/**
 * Serves every page of `pages.tsx` and every built file, and answers unknown addresses outside /api.
 * @throws when the site is not built.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<Pages> {
  const folder = options.buildFolder ?? join(process.cwd(), "dist");
  const built = await loadBuild(folder);
  const pages = built.listPages();
  const findFiles = readClientFiles(join(folder, "client"));
  const site = (): Site => ({
    organisation: options.organisation(),
    publicUrl: options.publicUrl,
    year: new Date().getFullYear(),
    findFiles,
  });
  const policies = {
    plain: contentSecurityPolicy(),
    payment: contentSecurityPolicy(options.payment ?? { providers: [] }),
  };
  const cache = createHtmlCache({
    maximum: MOST_PAGES,
    onStale: (key, error) =>
      app.log.warn({ err: error, page: key }, "page could not be built anew; the last one serves on"),
  });
  options.onContentChanged(cache.drop);

  const build = async (page: Page) => {
    const data = await page.load(options.services).catch((cause: unknown) => {
      throw new AppError("busy", { cause });
    });
    return built.renderPage(page, data, site());
  };

  const sendFailure: Pages["sendFailure"] = (request, reply, error) => {
    const incident = request.id;
    request.log.error({ err: error, incident }, "page failed");
    const status = error instanceof AppError ? Math.max(500, problems[error.problem].status) : 500;
    if (status === 503) reply.header("retry-after", "10");
    return reply
      .code(status)
      .headers({ "content-security-policy": policies.plain, "cache-control": "no-store" })
      .type("text/html; charset=utf-8")
      .send(failureHtml(() => built.renderFailure(incident, site()), incident));
  };

  const sendNotFound: Pages["sendNotFound"] = async (request, reply) => {
    const path = pathOf(request.url);
    const trimmed = path.replace(/\/+$/, "");
    if (path !== trimmed && pages.some((page) => page.path === trimmed)) {
      return reply.redirect(trimmed + request.url.slice(path.length), 301);
    }
    const label = built.findLabel(path, options.organisation());
    const bytes = await cache.get(`404 ${label ?? ""}`, async () => built.renderNotFound(path, site()));
    return sendBytes(request, reply.code(404), bytes, policies.plain);
  };

  for (const page of pages) {
    app.get(page.path, { schema: { hide: true } as object }, async (request, reply) => {
      try {
        // Keyed by the page, never by the address as sent: `?x=1`, `?x=2` … must not fill the memory.
        const bytes = await cache.get(page.path, () => build(page));
        if (page.takesPayments) reply.header("cross-origin-opener-policy", "same-origin-allow-popups");
        return sendBytes(request, reply, bytes, page.takesPayments ? policies.payment : policies.plain);
      } catch (error) {
        return sendFailure(request, reply, error);
      }
    });
  }
  app.setNotFoundHandler(sendNotFound);
  await serveFiles(app, join(folder, "client"));
  return { sendNotFound, sendFailure };
}

type Build = typeof import("./render.tsx");

async function loadBuild(folder: string): Promise<Build> {
  const file = join(folder, "server/render.js");
  if (!existsSync(file)) throw new Error(`The pages are not built: ${file} is missing. Run npm run build.`);
  return (await import(pathToFileURL(file).href)) as Build;
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "/";
}

/** A failure page even where the failure is in the pages themselves: never a blank screen. */
function failureHtml(render: () => string, incident: string): string {
  try {
    return render();
  } catch {
    return `<!doctype html><html lang="en-AU"><head><meta charset="utf-8"><title>Something went wrong</title></head><body><h1>This page could not be shown</h1><p>Something went wrong on our side. Please reload the page in a moment, or tell us the incident number ${incident}.</p></body></html>`;
  }
}

function sendBytes(request: FastifyRequest, reply: FastifyReply, page: PageBytes, policy: string): FastifyReply {
  const encoding = preferredEncoding(request.headers["accept-encoding"]);
  const tag = `"${page.tag}-${encoding}"`;
  reply.headers({
    etag: tag,
    vary: "accept-encoding",
    "cache-control": "public, max-age=0, must-revalidate",
    "content-security-policy": policy,
    "speculation-rules": `"${SPECULATION_RULES}"`,
  });
  // Any encoding of the same page will do: proxies ask with the tag of the one they keep.
  if (reply.statusCode === 200 && request.headers["if-none-match"]?.includes(`"${page.tag}-`)) {
    return reply.code(304).send();
  }
  reply.type("text/html; charset=utf-8");
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.send(page[encoding]);
}

/** Brotli, else gzip, unless the request refuses it with `q=0` or does not name it. */
function preferredEncoding(accepted: string | undefined): "br" | "gzip" | "identity" {
  const offered = (accepted ?? "").toLowerCase().split(",");
  const takes = (name: string) =>
    offered.some((part) => {
      const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      return coding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : "identity";
}

/** Pages that only show something may be fetched before a click; those that begin something may not. */
const speculationRules = {
  prerender: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          { not: { href_matches: ["/donation*", "/login*", "/api/*", "/dev/*", "/*.*"] } },
          { not: { selector_matches: "[download], [rel~=external], [target]" } },
        ],
      },
      eagerness: "moderate",
    },
  ],
};

async function serveFiles(app: FastifyInstance, client: string) {
  const shared = { index: false as const, preCompressed: true, wildcard: true };
  await app.register(fastifyStatic, {
    ...shared,
    root: join(client, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "1y",
    schemaHide: true,
  });
  await app.register(fastifyStatic, {
    ...shared,
    root: join(client, "identity"),
    prefix: "/identity/",
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header("cache-control", "public, max-age=86400, stale-while-revalidate=604800");
    },
    schemaHide: true,
  });
  app.get(SPECULATION_RULES, { schema: { hide: true } as object }, async (_, reply) =>
    reply
      .type("application/speculationrules+json")
      .header("cache-control", "public, max-age=86400")
      .send(JSON.stringify(speculationRules)),
  );
}
