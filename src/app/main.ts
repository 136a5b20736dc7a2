import { Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { pino } from "pino";
import type { Config } from "#shared/config/config.ts";
import { listen } from "#shared/database/listen.ts";
import { newProcessId } from "#shared/database/process-presence.ts";
import { watchDatabase } from "#shared/database/watch-database.ts";
import { findEvent } from "#shared/events/find-event.ts";
import { findVariant, forgetPictures } from "#shared/images/store.ts";
import { describeError } from "#shared/logging/describe-error.ts";
import { hasPasskeys } from "#shared/passkeys/passkeys.ts";
import { placeReads } from "#shared/places/store.ts";
import { isGuest } from "#shared/sessions/guest-cookie.ts";
import { loadAdminBuild } from "./admin/mount-admin.ts";
import { followPause } from "./backups/pause.ts";
import { createSharingPictures } from "./discovery/sharing.ts";
import { readSharingBrand } from "./discovery/sharing-brand.ts";
import { noteSecretKey } from "./doctor/key-check.ts";
import { sendEmails } from "./emails.ts";
import { allFeatures, readsOfFeatures } from "./feature.ts";
import { listHoldings, rulesOf } from "./holdings.ts";
import { findRecipient } from "./linked-documents.ts";
import type { KeepReady } from "./ready-answers.ts";
import { paypalOrigins } from "./rendering/content-security-policy.ts";
import { registerPages } from "./rendering/pages-plugin.ts";
import { returnFreeMemory } from "./return-free-memory.ts";
import { startScheduledTasks } from "./scheduled-tasks.ts";
import { buildServer } from "./server.ts";
import { createServices, type Services } from "./services.ts";

/** Logs as JSON lines without addresses, names or secrets. */
export function createLog(level: string) {
  const redact = [
    "req.headers",
    "busboyOptions.headers",
    "*.token",
    "*.instrument",
    "*.nonce",
    "*.singleUseTokenId",
    "*.braintree_nonce",
  ];
  return pino({ level, redact, serializers: { err: describeError }, base: null });
}

export type RunningSite = { readonly app: FastifyInstance; readonly services: Services; close(): Promise<void> };

export type SiteOptions = {
  readonly databaseUrl: string;
  readonly latestMigration: string;
  readonly log?: FastifyBaseLogger;
  readonly hasPages?: boolean;
  /** Resolves once the pages are built; everything else starts in the meantime. */
  readonly built?: Promise<void>;
  readonly buildFolder?: string;
  readonly addRoutes?: (app: FastifyInstance) => void;
  /** Runs before the site can be reached. */
  readonly prepare?: (services: Services) => Promise<unknown>;
};

/** Opens the site on its port: server, jobs, scheduled tasks and, by default, the pages. */
export async function openSite(
  config: Config,
  {
    databaseUrl,
    latestMigration,
    log = createLog(config.logLevel),
    hasPages = true,
    built,
    buildFolder = join(process.cwd(), "dist"),
    addRoutes,
    prepare,
  }: SiteOptions,
): Promise<RunningSite> {
  const processId = newProcessId();
  if (!hasPasskeys(config)) log.warn("PUBLIC_URL is an IP address, so passkeys do not work: give it a host name");
  const services = await createServices({ config, databaseUrl, log, processId });
  if (await noteSecretKey(services.database, config.secretKey)) {
    log.warn(
      "the secret key is another than at the last start: links in emails, codes on tickets, staff's authenticator apps and recovery codes from before do not work with it",
    );
  }
  await services.files.open();
  await prepare?.(services);
  for (const { warnAtStart } of allFeatures) {
    for (const sentence of (await warnAtStart?.(services)) ?? []) log.warn(sentence);
  }
  services.readingDatabase.watch();
  const content = followContent(services);
  const addBuiltPages = async (server: FastifyInstance, keepReady: KeepReady) => {
    await built;
    return addPages(server, services, { onContentChanged: content.onChanged, buildFolder, keepReady });
  };
  const pause = await followPause(services.database);
  if (pause.isPaused()) log.warn("restored from a backup, and paused until `npm run reopen`");
  let isStopping = false;
  const app = await buildServer(services, {
    latestMigration,
    isStopping: () => isStopping,
    isPaused: pause.isPaused,
    ...(hasPages ? { addPages: addBuiltPages, adminBuild: () => loadAdminBuild(buildFolder) } : {}),
  });
  addRoutes?.(app);
  // Not before the modules of pages and server are loaded, which blocks this process: no answer would be read meanwhile.
  const watch = watchDatabase(databaseUrl, services.pool, processId, (isAway) =>
    log.warn(isAway ? "the database does not answer" : "the database is back"),
  );
  let stopScheduledTasks = () => {};
  await pause.whenOpen(
    async () => {
      await services.jobs.work("emails", sendEmails(services));
      stopScheduledTasks = startScheduledTasks(services);
    },
    (error) => log.warn({ err: error }, "could not read whether the site is paused"),
  );
  const stopReturningMemory = returnFreeMemory();
  await watch.ready;
  await app.listen({ port: config.port, host: config.host });
  return {
    app,
    services,
    async close() {
      isStopping = true;
      // Proxies notice that the process is not ready before it refuses connections.
      await sleep(config.stop.delayMs);
      pause.stop();
      stopScheduledTasks();
      stopReturningMemory();
      await content.stop();
      await closeServer(app, services.payments);
      await services.payments.finish();
      await services.jobs.stop();
      await watch.stop();
      await services.readingDatabase.stop();
      await services.database.destroy();
    },
  };
}

/** Follows staff's changes in any process: rebuilds pages, issues waiting receipts. Also runs once at the start. */
function followContent(services: Services) {
  const { databaseUrl, siteSettings, brands, banners, menus, log } = services;
  const drops: (() => void)[] = [];
  const follow = async () => {
    forgetPictures(services.database);
    await Promise.all([siteSettings.refresh(), brands.refresh(), banners.refresh(), menus.refresh()]);
    for (const drop of drops) drop();
    for (const feature of allFeatures) await feature.onOrganisationChanged?.(services);
  };
  const warn = (error: Error) => log.warn({ err: error }, "could not follow a change of content");
  // One after the other, so that what was read first is not kept last.
  let last = Promise.resolve();
  const followNext = () => {
    last = last.then(follow).catch(warn);
  };
  const { stop } = listen(databaseUrl, "content_changed", followNext, warn);
  return { stop, onChanged: (drop: () => void) => void drops.push(drop) };
}

/** Adds every page from the build in `buildFolder`, by default `dist`. */
export function addPages(
  app: FastifyInstance,
  services: Services,
  {
    onContentChanged,
    buildFolder = join(process.cwd(), "dist"),
    keepReady,
  }: { onContentChanged: (drop: () => void) => void; buildFolder?: string | undefined; keepReady?: KeepReady },
) {
  const { config, captcha, database, files, organisation, brands, banners, menus, sessions, now } = services;
  const sharingPictures = createSharingPictures({
    folder: join(buildFolder, "sharing"),
    readVariant: (wanted) => findVariant({ database, files }, wanted),
  });
  return registerPages(app, {
    publicUrl: config.publicUrl,
    hasDeveloperPages: config.isDemo,
    payment: {
      providers: [new URL(config.payway.url).origin],
      paypal: paypalOrigins(config.braintree),
      captcha: captcha.origins(),
    },
    organisation: organisation.current,
    brand: brands.frame,
    banner: banners.current,
    menus: menus.current,
    reads: {
      ...readsOfFeatures({ ...services, retentionRules: rulesOf(listHoldings(services)) }),
      ...placeReads(database),
      findEvent: (slug) => findEvent(database, slug, now()),
      captcha: captcha.publicConfig(),
    },
    drawSharingPicture: async ({ title, picture = null }, { name }) =>
      sharingPictures.draw({
        title,
        organisationName: name,
        picture,
        brand: await readSharingBrand({ database, files }, brands.current()),
      }),
    hasRecipient: async (document) => (await findRecipient(database, document)) !== null,
    findUser: async (request) => (await sessions.find(request))?.user ?? null,
    isGuest,
    onContentChanged,
    buildFolder,
    keepReady,
  });
}

/** Closes the site on SIGTERM, SIGINT or an uncaught error. */
export function closeOnSignal({ log, config }: Pick<Services, "log" | "config">, close: () => Promise<void>) {
  // A stop that takes longer is forced. Answers take up to 2 s of it, running jobs 5 s (`Jobs.stop`).
  const { delayMs, graceMs } = config.stop;
  closeWithGrace({ delay: delayMs + graceMs, logger: false }, async ({ err }) => {
    if (err) log.error({ err }, "uncaught error; closing");
    await close();
  });
}

/** How long a connection kept alive may still send a request, whose answer closes it. */
const KEEP_ALIVE_MS = 750;
/** How long earlier requests may take while no payment is under way. */
const FINISH_MS = 1500;
/** Time for an answer to arrive once its payment is settled. */
const ANSWER_MS = 250;

/**
 * Refuses new connections, answers requests on open ones and closes each with its answer. Requests that take longer
 * than 1.5 s are cut off, unless `payments` is still waiting for a provider.
 */
async function closeServer(app: FastifyInstance, payments: { finish(): Promise<void> }): Promise<void> {
  const { server } = app;
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
  // The HTTP server's own close would reset idle connections on which a request may be on its way.
  const closed = new Promise<void>((resolve) => void Server.prototype.close.call(server, () => resolve()));
  const deadline = Promise.all([sleep(FINISH_MS), payments.finish()]).then(() => sleep(ANSWER_MS));
  await Promise.race([closed, sleep(KEEP_ALIVE_MS)]);
  const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
  await Promise.race([closed, deadline]);
  clearInterval(closeIdle);
  server.closeAllConnections();
  await app.close();
}
