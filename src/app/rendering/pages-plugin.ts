import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { LinkedDocument } from "#shared/links/contract.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Banner, Menus } from "#shared/pages/frame.ts";
import type { Page, PageReads } from "#shared/pages/page.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { listAddresses, serveSearchFiles } from "../discovery/search-files.ts";
import { type DrawSharingPicture, serveSharingPictures } from "../discovery/sharing-routes.ts";
import type { KeepReady } from "../ready-answers.ts";
import type { Watched } from "../watch-payment-pages.ts";
import { createPageAnswer, isPersonal } from "./answer-page.ts";
import { readClientFiles } from "./client-files.ts";
import { securityHeaders } from "./content-security-policy.ts";
import { createPageBuilder } from "./page-builder.ts";
import { preparePages } from "./prepare-pages.ts";
import { servePreviews } from "./preview-route.ts";
import { createProblemAnswers, type ProblemAnswers } from "./problem-answers.ts";
import type { SiteFrame } from "./render.tsx";
import { hashOf, readScripts } from "./script-files.ts";
import { serveFiles } from "./site-files.ts";

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
  /** Whether we have an address that a new link to a document can go to. */
  readonly hasRecipient: (document: LinkedDocument) => Promise<boolean>;
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
  const builder = createPageBuilder({
    renderPage: built.renderPage,
    pages,
    site,
    reads: options.reads,
    log: app.log,
    edition: () => options.banner()?.key,
  });
  const { cache, keep } = builder;
  const answers = createProblemAnswers(app, { ...options, built, site, pages, cache });
  const { sendNotFound, sendProblem } = answers;
  const prepareSoon = preparePages(app, { pages, listPaths, build: keep });
  options.onContentChanged(() => {
    cache.drop();
    prepareSoon();
  });

  const answerPage = createPageAnswer({ ...options, ...builder, policyOf, sendNotFound });
  for (const page of pages) {
    app.get(page.path, { schema: { hide: true } as object }, async (request, reply) => {
      try {
        return await answerPage(page, request, reply);
      } catch (error) {
        return sendProblem(request, reply, error);
      }
    });
  }
  app.setNotFoundHandler(sendNotFound);
  // Before the body is read, which a page never needs.
  app.addHook("onRequest", async (request, reply) => (request.is404 ? sendNotFound(request, reply) : undefined));
  servePreviews(app, {
    ...options,
    pages,
    policyOf,
    sendNotFound,
    sendProblem,
    render: (page, path, data, frame) => built.renderPage(page, path, data, { ...site(), ...frame }),
  });
  serveSearchFiles(app, { ...options, pages, cache });
  serveSharingPictures(app, { ...options, pages: pages.filter((page) => !isPersonal(page)) });
  await serveFiles(app, join(folder, "client"), options);
  const paths = pages.filter((page) => page.takesPayments).map(({ path }) => path);
  return {
    ...answers,
    async renderWith(path, changed) {
      const made = await builder.buildWith(path, changed);
      return made === null ? null : { html: made.html, headers: policyOf(made.page) };
    },
    paying: { paths, scripts: readScripts(join(folder, "client")).payment },
  };
}

type Build = typeof import("./render.tsx");

async function loadBuild(folder: string): Promise<Build> {
  const file = join(folder, "server/render.js");
  if (!existsSync(file)) throw new Error(`The pages have not been built: ${file} is missing. Run npm run build.`);
  return (await import(pathToFileURL(file).href)) as Build;
}

/** A page that takes payments allows the providers and the captcha; one with only a captcha allows just that. */
function policies(payment: PagesOptions["payment"], importMapHash: string) {
  const plain = securityHeaders();
  const paying = securityHeaders(payment ?? { providers: [] }, [importMapHash]);
  const captcha = securityHeaders({ ...payment, providers: [], paypal: undefined });
  return (page: Page) => (page.takesPayments ? paying : page.hasCaptcha ? captcha : plain);
}
