import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import { mailboxRoutes } from "#dev/mailbox/mailbox-routes.ts";
import { describeGuard } from "#payments/checkout/paying.ts";
import { senderOf } from "#payments/checkout/routes.ts";
import { brandRoutes } from "#shared/brand/routes.ts";
import { captchaRoutes } from "#shared/captcha/routes.ts";
import { STATEMENT_MS } from "#shared/database/client.ts";
import type { Connection } from "#shared/database/connect.ts";
import { answerError, answerUnknownCalls, newIncidentNumber } from "#shared/http/answer-errors.ts";
import { cutSlowBodies, limitPipelining, refuseBrokenRequest } from "#shared/http/connection-limits.ts";
import { guardAgainstForgery, refuseForeignOrigins } from "#shared/http/csrf.ts";
import { refuseWrongMethods } from "#shared/http/known-paths.ts";
import { provideSessions } from "#shared/http/mount.ts";
import { limitUploads } from "#shared/http/uploads.ts";
import { imageRoutes } from "#shared/images/routes.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import { linkRoutes } from "#shared/links/routes.ts";
import { placeRoutes } from "#shared/places/routes.ts";
import type { Person } from "#shared/retention/retention.ts";
import { recogniseBrowsers } from "#shared/sessions/browser.ts";
import type { Admin } from "./admin/admin-plugin.ts";
import { type AdminBuild, mountAdmin } from "./admin/mount-admin.ts";
import { addApiReference } from "./api-reference.ts";
import { refuseWhilePaused } from "./backups/pause.ts";
import { closeToVisitors } from "./closed-site.ts";
import { cspReports } from "./csp-reports.ts";
import { allFeatures } from "./feature.ts";
import { addHealth } from "./health.ts";
import { exportPerson, fillExport, joinGuestDonations, listHoldings, releasePerson } from "./holdings.ts";
import { type CountAnswer, measure } from "./metrics/metrics.ts";
import { type Answered, createReadyAnswers, isRoutine, type KeepReady } from "./ready-answers.ts";
import type { Pages } from "./rendering/pages-plugin.ts";
import type { Services } from "./services.ts";
import { watchPaymentPages } from "./watch-payment-pages.ts";

const bodyLimit = 64 * 1024;

/** `mount` validates. Without these, Fastify would load compilers that nothing uses. */
const compilersFactory = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => JSON.stringify,
} as unknown as CompilersFactory;
type CompilersFactory = NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>;

type ServerOptions = {
  readonly latestMigration: string;
  readonly isPaused?: () => boolean;
  readonly isStopping?: () => boolean;
  /** Adds the pages from the built site. */
  readonly addPages?: (app: FastifyInstance, keepReady: KeepReady) => Promise<Pages>;
  readonly adminBuild?: () => Promise<AdminBuild>;
};

/** The HTTP server with every call, and the pages if there is a built site. */
export async function buildServer(
  services: Services,
  { latestMigration, isPaused = () => false, isStopping = () => false, addPages, adminBuild }: ServerOptions,
): Promise<FastifyInstance> {
  const { config, database } = services;
  const app = Fastify(serverOptions(services));
  let pages: Pages | undefined;
  let admin: Admin | undefined;
  // Set first, because a route uses the handler set when it is added.
  app.setErrorHandler((error, request, response) => {
    if (pages === undefined || request.url.startsWith("/api/")) return answerError(error, request, response);
    return pages.sendProblem(request, response, error);
  });
  acceptJsonAlone(app);
  limitPipelining(app);
  await app.register(cookie);
  await addSecurityHeaders(app, config);
  cutSlowBodies(app, config.senders);
  refuseForeignOrigins(app, config);
  const isClosed = () => services.setUp.current()?.isOpen === false;
  closeToVisitors(app, { isClosed, staffSessions: services.staffSessions, sendPage: () => pages?.sendClosed ?? null });
  refuseWhilePaused(app, isPaused);
  limitUploads(app, config.senders);
  refuseWrongMethods(app);
  // Before the pages' own, which answers every other unknown address.
  app.addHook("onRequest", async (request, reply) =>
    request.is404 ? admin?.answerUnknown(request, reply) : undefined,
  );
  provideSessions(app, services.sessions);
  const { metricsToken: token, dataDir, backup, archiveDir } = config;
  const has = { hasBackups: backup.folder !== null, hasArchive: archiveDir !== null };
  const measured = { ...services, ...has, token, latestMigration, dataDir };
  const { registry, count } = measure(app, measured, () => countJobs(database));
  const ready = createReadyAnswers(app, noteAnswers(app, services.log, count), () => !isClosed());
  addHealth(app, services, { latestMigration, isStopping });
  await app.register(cspReports, { publicUrl: config.publicUrl, registry });
  addApiReference(app);
  await app.register((api, _, done) => done(addCalls(api, services)), { prefix: "/api" });
  for (const feature of allFeatures) feature.routes?.(app, services);
  imageRoutes(app, services);
  brandRoutes(app, services);
  if (config.isDemo && config.mail.smtpUrl === undefined) await app.register(mailboxRoutes, { database });
  pages = await addPages?.(app, ready.keep);
  if (adminBuild !== undefined) {
    admin = await mountAdmin(app, services, { ...(await adminBuild()), renderPage: pages?.renderWith ?? null });
  }
  ready.store();
  if (pages !== undefined) {
    watchPaymentPages(app, { ...pages.paying, publicUrl: config.publicUrl, registry, isClosed });
  }
  return app;
}

async function addSecurityHeaders(app: FastifyInstance, { publicUrl, isPreloaded }: Services["config"]) {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { "default-src": ["'none'"], "frame-ancestors": ["'none'"] },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: "same-origin" },
    hsts: publicUrl.startsWith("https:") ? { maxAge: 31_536_000, preload: isPreloaded } : false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    // For browsers and plug-ins that no longer exist. Each header adds about a hundredth to the time of a cached page.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

function addCalls(api: FastifyInstance, services: Services): undefined {
  const { config, captcha, csrf, database, sessions } = services;
  api.setErrorHandler(answerError);
  answerUnknownCalls(api);
  recogniseBrowsers(api, { secretKey: config.secretKey, isSecure: config.publicUrl.startsWith("https:") });
  guardAgainstForgery(api, csrf, sessions);
  const holdings = listHoldings(services);
  const all = {
    ...services,
    joinGuestDonations,
    exportPerson: async (person: Person) => fillExport(holdings, await exportPerson(database, holdings, person)),
    releasePerson: (transaction: Connection, person: Person, now: Date) =>
      releasePerson(transaction, holdings, { person, now }),
  };
  for (const feature of allFeatures) feature.calls(api, all);
  linkRoutes(api, services);
  api.register(placeRoutes, { database });
  const findEffort = async (request: FastifyRequest) => (await describeGuard(services, senderOf(request))).effort;
  api.register(captchaRoutes, { captcha, work: services.work, findEffort, now: services.now });
}

function serverOptions({ config, log }: Services): FastifyServerOptions {
  return {
    loggerInstance: log,
    // Requests are logged by `noteAnswers`, without addresses, queries or bodies.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy ?? false,
    bodyLimit,
    schemaController: { compilersFactory },
    // For bodies that `cutSlowBodies` doesn't see; it must not fire first.
    requestTimeout: config.senders.uploadMs + 10_000,
    keepAliveTimeout: 10_000,
    // For clients that don't read the answer. Longer than any statement or wait for a payment.
    connectionTimeout: Math.max(STATEMENT_MS, config.payments.customerWaitMs) + 5000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
    genReqId: newIncidentNumber,
    // `closeServer` answers requests on open connections and closes each with its answer.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: refuseBrokenRequest,
    rewriteUrl: ({ url = "/" }) => readableAddress(url),
    routerOptions: { maxParamLength: 20_000, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, response) => void answerError(error, request, response),
  } as FastifyServerOptions;
}

/**
 * Only path and query, because a proxy may send the whole address. A path that can't be decoded (`/%E0%A4%A`) becomes
 * an unknown one, so that it is answered like any other (NAV-8).
 */
function readableAddress(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
  try {
    decodeURIComponent(path.split("?", 1)[0] ?? "");
    return path;
  } catch {
    return path.startsWith("/api/") ? "/api/malformed-address" : "/malformed-address";
  }
}

/** Only JSON; an empty body is an empty object, as the specification posts it. */
function acceptJsonAlone(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, {});
    else parseJson(request, body as string, done);
  });
}

/** Logs and counts every answer. Returns what does so for answers that the framework does not give. */
function noteAnswers(app: FastifyInstance, siteLog: FastifyBaseLogger, count: CountAnswer) {
  const note = (answered: Answered, ms: number, log: FastifyBaseLogger, reqId?: string) => {
    const { method, route, status, isRoutine } = answered;
    log[isRoutine && status < 400 ? "debug" : "info"]({ reqId, method, route, status, ms: Math.round(ms) }, "answered");
    count(answered, ms);
  };
  app.addHook("onResponse", async (request, { statusCode: status, elapsedTime }) => {
    const { method, routeOptions } = request;
    const answered = { method, route: routeOptions.url ?? "unknown", status, isRoutine: isRoutine(request) };
    note(answered, elapsedTime, request.log);
  });
  // A log of its own for each repeated answer would cost as much as its headers.
  return (answered: Answered, id: string) => note(answered, 0, siteLog, id);
}
