import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, LogController } from "fastify";
import { describeGuard } from "#payments/checkout/paying.ts";
import { senderOf } from "#payments/checkout/routes.ts";
import { captchaRoutes } from "#shared/captcha/routes.ts";
import { type Connection, STATEMENT_MS } from "#shared/database/connect.ts";
import { answerError, answerUnknownCalls } from "#shared/http/answer-errors.ts";
import { refuseBrokenRequest } from "#shared/http/broken-requests.ts";
import { guardAgainstForgery, refuseForeignOrigins } from "#shared/http/csrf.ts";
import { limitPipelining } from "#shared/http/greedy-connections.ts";
import { newIncidentNumber } from "#shared/http/incident.ts";
import { refuseWrongMethods } from "#shared/http/known-paths.ts";
import { measure } from "#shared/http/metrics.ts";
import { provideSessions } from "#shared/http/mount.ts";
import { cutSlowBodies } from "#shared/http/slow-bodies.ts";
import { limitUploads } from "#shared/http/uploads.ts";
import { imageRoutes } from "#shared/images/routes.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import { linkRoutes } from "#shared/links/routes.ts";
import { mailboxRoutes } from "#shared/mail/mailbox-routes.ts";
import { placeRoutes } from "#shared/places/routes.ts";
import type { Person } from "#shared/retention/retention.ts";
import { knowBrowsers } from "#shared/sessions/browser.ts";
import { cspReports } from "./csp-reports.ts";
import { allFeatures } from "./feature.ts";
import { addHealth } from "./health.ts";
import { exportPerson, joinGuestGifts, listHoldings, releasePerson } from "./holdings.ts";
import type { Pages } from "./rendering/pages-plugin.ts";
import { registerRedirects } from "./rendering/redirects.ts";
import type { Services } from "./services.ts";
import { watchPaymentPages } from "./watch-payment-pages.ts";

const bodyLimit = 64 * 1024;

/** The browsable reference sets styles from its script; it has no form and no secret, so its own looser policy will do. */
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "font-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/** The HTTP server with every call; `addPages` adds what people look at, from the built site. */
export async function buildServer(
  services: Services,
  { latestMigration, addPages }: { latestMigration: string; addPages?: (app: FastifyInstance) => Promise<Pages> },
): Promise<FastifyInstance> {
  const { config, database } = services;
  const app = Fastify(serverOptions(services));
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  let pages: Pages | undefined;
  // Routes have the handler that is there when they are added.
  app.setErrorHandler((error, request, response) => {
    if (pages === undefined || request.url.startsWith("/api/")) return answerError(error, request, response);
    return pages.sendProblem(request, response, error);
  });
  acceptJsonAlone(app);
  limitPipelining(app);
  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { "default-src": ["'none'"], "frame-ancestors": ["'none'"] },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: "same-origin" },
    hsts: config.publicUrl.startsWith("https:") ? { maxAge: 31_536_000, preload: config.isPreloaded } : false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  cutSlowBodies(app, config.senders);
  refuseForeignOrigins(app, config);
  limitUploads(app, config.senders);
  refuseWrongMethods(app);
  logRequests(app);
  provideSessions(app, services.sessions);
  const registry = measure(app, { database, token: config.metricsToken, now: services.now }, () => countJobs(database));
  addHealth(app, services, latestMigration);
  await app.register(cspReports, { publicUrl: config.publicUrl, registry });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Almoner", description: "The calls of the charity's website.", version: "1" },
    },
    transform: ({ schema, url }) => ({ url, schema: url.startsWith("/api/") ? schema : { ...schema, hide: true } }),
  });
  await app.register((api, _, done) => done(addCalls(api, services)), { prefix: "/api" });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: referencePolicy,
    logLevel: "warn",
    theme: {
      title: "Almoner: calls",
      css: [{ filename: "reference.css", content: ".swagger-ui .topbar { display: none }" }],
    },
  });
  for (const feature of allFeatures) feature.routes?.(app, services);
  imageRoutes(app, { database });
  if (!config.isLive && config.mail.smtpUrl === undefined) await app.register(mailboxRoutes, { database });
  registerRedirects(app);
  pages = await addPages?.(app);
  if (pages !== undefined) watchPaymentPages(app, { ...pages.paying, publicUrl: config.publicUrl, registry });
  return app;
}

function addCalls(api: FastifyInstance, services: Services): undefined {
  const { config, captcha, csrf, database, sessions } = services;
  api.setErrorHandler(answerError);
  answerUnknownCalls(api);
  knowBrowsers(api, { secretKey: config.secretKey, isSecure: config.publicUrl.startsWith("https:") });
  guardAgainstForgery(api, csrf, sessions);
  const holdings = listHoldings(services);
  const all = {
    ...services,
    joinGuestGifts,
    exportPerson: (person: Person) => exportPerson(database, holdings, person),
    releasePerson: (transaction: Connection, person: Person, now: Date) =>
      releasePerson(transaction, holdings, { person, now }),
  };
  for (const feature of allFeatures) feature.calls(api, all);
  linkRoutes(api, services);
  api.register(placeRoutes, { database });
  const findEffort = async (request: FastifyRequest) => (await describeGuard(services, senderOf(request))).effort;
  api.register(captchaRoutes, { captcha, work: services.work, findEffort, now: services.now });
  api.get("/openapi.json", { schema: { hide: true } }, async () => api.swagger());
}

function serverOptions({ config, log }: Services): FastifyServerOptions {
  return {
    loggerInstance: log,
    // Requests are logged by `logRequests`, without addresses, queries or bodies.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy ?? false,
    bodyLimit,
    // For what `cutSlowBodies` does not see; it must not come first.
    requestTimeout: config.senders.uploadMs + 10_000,
    keepAliveTimeout: 10_000,
    // For whoever does not read the answer; longer than a statement may take, and a payment keeps anybody waiting.
    connectionTimeout: Math.max(STATEMENT_MS, config.payments.customerWaitMs) + 5000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
    genReqId: newIncidentNumber,
    // `closeServer` answers what still comes on open connections, and closes each with its answer.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: refuseBrokenRequest,
    rewriteUrl: ({ url = "/" }) => readableAddress(url),
    routerOptions: { maxParamLength: 20_000, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, response) => void answerError(error, request as never, response as never),
  } as FastifyServerOptions;
}

/**
 * Path and query alone, as a proxy may ask with the whole address. One that cannot be decoded (`/%E0%A4%A`) becomes one
 * without a page, so that it is answered like any other (NAV-8).
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

/** JSON and nothing else; an empty body is an empty object, as the specification posts it. */
function acceptJsonAlone(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, {});
    else parseJson(request, body as string, done);
  });
}

function logRequests(app: FastifyInstance) {
  app.addHook("onResponse", async (request, response) => {
    const { method } = request;
    const route = request.routeOptions.url ?? "unknown";
    const isRoutine = request.routeOptions.logLevel === "warn" || /^\/(assets|identity)\//.test(route);
    request.log[isRoutine && response.statusCode < 400 ? "debug" : "info"](
      { method, route, status: response.statusCode, ms: Math.round(response.elapsedTime) },
      "answered",
    );
  });
}
