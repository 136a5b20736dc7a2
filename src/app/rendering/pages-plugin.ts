import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Banner, Menus } from "#shared/pages/frame.ts";
import { findPage, type Page, type PageAddress, type PageReads } from "#shared/pages/page.ts";
import { loginThen } from "#shared/paths.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { listAddresses, serveSearchFiles } from "../discovery/search-files.ts";
import { type DrawSharingPicture, serveSharingPictures } from "../discovery/sharing-routes.ts";
import type { KeepReady } from "../ready-answers.ts";
import type { Watched } from "../watch-payment-pages.ts";
import { readClientFiles } from "./client-files.ts";
import { securityHeaders } from "./content-security-policy.ts";
import { encodeOnce, finishBytes, type PageBytes, preferredEncoding } from "./page-bytes.ts";
import { createPageCache } from "./page-cache.ts";
import { preparePages } from "./prepare-pages.ts";
import { servePreviews } from "./preview-route.ts";
import { createProblemAnswers, type ProblemAnswers } from "./problem-answers.ts";
import type { SiteFrame } from "./render.tsx";
import { hashOf, readScripts } from "./script-files.ts";
import { sendBytes, sendEncoded } from "./send-page.ts";
import { SPECULATION_RULES, serveFiles } from "./site-files.ts";

type PagesOptions = {
  /** The site's address, without a trailing slash. */
  readonly publicUrl: string;
  readonly payment: Parameters<typeof securityHeaders>[0];
  readonly organisation: () => Organisation;
  /** How pages look, as staff have chosen. */
  readonly brand: () => BrandFrame;
  /** The banner that visitors see now. */
  readonly banner: () => Banner | null;
  /** The menus as staff have changed them. */
  readonly menus: () => Menus;
  readonly reads: PageReads;
  readonly findUser: (request: FastifyRequest) => Promise<SessionUser | null>;
  /** Whether this browser chose to donate as a guest. */
  readonly isGuest: (request: FastifyRequest) => boolean;
  /** Receives the function that drops every cached page. */
  readonly onContentChanged: (drop: () => void) => void;
  readonly drawSharingPicture: DrawSharingPicture;
  /** Called for pages and files that are the same for everybody. */
  readonly keepReady?: KeepReady | undefined;
  /** By default it has. */
  readonly hasDeveloperPages?: boolean;
  /** The build's folder; `dist` in the working directory by default. */
  readonly buildFolder?: string;
};

type RenderedPage = { readonly html: string; readonly headers: Record<string, string> };

export type Pages = ProblemAnswers & {
  /** A page as it would be with other details of the organisation or another brand; null if there is none at this path. */
  renderWith(path: string, changed: Partial<Pick<SiteFrame, "organisation" | "brand">>): Promise<RenderedPage | null>;
  /** The pages that take payments, and the scripts they may run. */
  readonly paying: Watched;
};

const MOST_PAGES = 200;
/** Events pass without a change of content; rebuilding a page takes a few milliseconds. */
const MAX_AGE_MS = 60_000;

/** Serves the pages and built files, and answers unknown addresses outside /api. @throws Error without a build. */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<Pages> {
  const folder = options.buildFolder ?? join(process.cwd(), "dist");
  const built = await loadBuild(folder);
  const pages = built.listPages().filter((page) => (options.hasDeveloperPages ?? true) || !page.isForDevelopers);
  const findFiles = readClientFiles(join(folder, "client"));
  const site = (): SiteFrame => ({
    organisation: options.organisation(),
    brand: options.brand(),
    banner: options.banner(),
    menus: options.menus(),
    publicUrl: options.publicUrl,
    year: new Date().getFullYear(),
    findFiles,
  });
  const listPaths = async () => {
    const changes = await options.reads.listChanges();
    return listAddresses(pages, options.organisation(), changes).map(({ path }) => path);
  };
  const policyOf = policies(options.payment, hashOf(findFiles([]).importMap, "sha256"));
  const cache = createPageCache<PageBytes>({
    maximum: MOST_PAGES,
    maxAgeMs: MAX_AGE_MS,
    edition: () => options.banner()?.key,
    onStale: (key, error) =>
      app.log.warn({ err: error, page: key }, "could not rebuild a page; serving the last version"),
  });
  const renderWith: Pages["renderWith"] = async (path, changed) => {
    const frame = { ...site(), ...changed };
    const found = findPage(pages, path);
    if (found === undefined) return null;
    const data = await found.page.load(options.reads, { params: found.params }, frame.organisation);
    if (data === null) return null;
    const html = built.renderPage(found.page, path, data, frame);
    return { html, headers: policyOf(found.page) };
  };
  const build = async (page: Page, path: string, address: PageAddress, user?: SessionUser) => {
    const data = await page.load(options.reads, address, options.organisation(), user);
    return data === null ? null : built.renderPage(page, path, data, site());
  };
  // Keyed by the page, not the full address: `?x=1`, `?x=2` … must not fill the memory.
  const keyOf = (path: string, address: PageAddress) => `${path} ${address.after ?? ""}`;
  const keep = (page: Page, path: string, address: PageAddress) =>
    cache.get(keyOf(path, address), async (last) => {
      const html = await build(page, path, address);
      return html === null ? null : finishBytes(html, last);
    });

  const answers = createProblemAnswers(app, { ...options, built, site, pages, cache });
  const { sendNotFound, sendProblem } = answers;
  const prepareSoon = preparePages(app, { pages, listPaths, build: keep });
  options.onContentChanged(() => {
    cache.drop();
    prepareSoon();
  });

  /** Neither logged in nor a guest. If sessions can't be looked up, nobody counts as a stranger. */
  const isStranger = async (request: FastifyRequest) =>
    !options.isGuest(request) && (await options.findUser(request).catch(() => undefined)) === null;

  const sendPersonal = async (page: Page, address: PageAddress, request: FastifyRequest, reply: FastifyReply) => {
    reply.header("cache-control", "private, no-store");
    // The address grants access to the page, so it must not leak as a referrer.
    if (page.access === "key") reply.header("referrer-policy", "no-referrer");
    const user = page.access === "member" ? await options.findUser(request) : undefined;
    if (user === null) return reply.redirect(loginThen(request.url), 302);
    return sendOnce(page, address, request, reply, user);
  };

  const sendOnce = async (
    page: Page,
    address: PageAddress,
    request: FastifyRequest,
    reply: FastifyReply,
    user?: SessionUser,
  ) => {
    const html = await build(page, fillPath(page.path, address.params), address, user);
    if (html === null) return sendNotFound(request, reply);
    const encoding = preferredEncoding(request.headers["accept-encoding"]);
    reply.headers(policyOf(page));
    return sendEncoded(reply, encoding, await encodeOnce(html, encoding));
  };

  for (const page of pages) {
    app.get(page.path, { schema: { hide: true } as object }, async (request, reply) => {
      try {
        const address = readAddress(page, request);
        if (address === null) return await sendNotFound(request, reply);
        // People filling in a form stay on it, and the rules would be one more file to fetch.
        if (page.bodyClass !== "is-form") reply.header("speculation-rules", `"${SPECULATION_RULES}"`);
        const path = fillPath(page.path, address.params);
        if (page.takesPayments) reply.header("cross-origin-opener-policy", "same-origin-allow-popups");
        if (isPersonal(page)) return await sendPersonal(page, address, request, reply);
        if (page.caching === "none") {
          return await sendOnce(page, address, request, reply.header("cache-control", "no-store"));
        }
        if (page.access === "member or guest") {
          reply.header("vary", "cookie");
          if (await isStranger(request)) {
            return reply.header("cache-control", "no-store").redirect(loginThen(request.url), 302);
          }
        }
        const bytes = await keep(page, path, address);
        if (bytes === null) return await sendNotFound(request, reply);
        const key = keyOf(path, address);
        return await sendBytes(request, reply, bytes, {
          policy: policyOf(page),
          keeper: page.access === "member or guest" ? "private" : "public",
          keepReady: () => options.keepReady?.(request, () => cache.isFresh(key, bytes)),
        });
      } catch (error) {
        return sendProblem(request, reply, error);
      }
    });
  }
  app.setNotFoundHandler(sendNotFound);
  // Before the body is read, which a page never needs.
  app.addHook("onRequest", async (request, reply) => (request.is404 ? sendNotFound(request, reply) : undefined));
  servePreviews(app, {
    ...{ ...options, pages, policyOf, sendNotFound, sendProblem },
    render: (page, path, data, frame) => built.renderPage(page, path, data, { ...site(), ...frame }),
  });
  serveSearchFiles(app, { ...options, pages, cache });
  serveSharingPictures(app, { ...options, pages: pages.filter((page) => !isPersonal(page)) });
  await serveFiles(app, join(folder, "client"), options);
  const paths = pages.filter((page) => page.takesPayments).map(({ path }) => path);
  return {
    ...answers,
    renderWith,
    paying: { paths, scripts: readScripts(join(folder, "client")).payment },
  };
}

type Build = typeof import("./render.tsx");

async function loadBuild(folder: string): Promise<Build> {
  const file = join(folder, "server/render.js");
  if (!existsSync(file)) throw new Error(`The pages have not been built: ${file} is missing. Run npm run build.`);
  return (await import(pathToFileURL(file).href)) as Build;
}

function isPersonal({ access }: Page): boolean {
  return access === "member" || access === "key";
}

function fillPath(path: string, params: PageAddress["params"]): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "");
}

/** The parts of the address that the page reads; null if no page can have this address. */
function readAddress(page: Page, { params, query }: FastifyRequest): PageAddress | null {
  const named = params as Record<string, string>;
  if (!Object.values(named).every((value) => /^[a-z0-9-]{1,120}$/.test(value))) return null;
  const given = query as Record<string, unknown>;
  if (page.asks !== undefined) {
    const isAsked = ([name, value]: [string, unknown]) =>
      page.asks!.includes(name) && typeof value === "string" && value.length <= 120;
    return {
      params: named,
      asked: Object.fromEntries(Object.entries(given).filter(isAsked)) as Record<string, string>,
    };
  }
  const after = page.isPaged ? given.after : undefined;
  if (after === undefined) return { params: named };
  return typeof after === "string" && after.length <= 60 ? { params: named, after } : null;
}

/** A page that takes payments allows the providers and the captcha; one with only a captcha allows just that. */
function policies(payment: PagesOptions["payment"], importMapHash: string) {
  const plain = securityHeaders();
  const paying = securityHeaders(payment ?? { providers: [] }, [importMapHash]);
  const captcha = securityHeaders({ ...payment, providers: [], paypal: undefined });
  return (page: Page) => (page.takesPayments ? paying : page.hasCaptcha ? captcha : plain);
}
