import { join } from "node:path";
import closeWithGrace from "close-with-grace";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { contentReads } from "#features/content/server/content-reads.ts";
import { legalPlaceholders } from "#features/content/server/placeholders.ts";
import { historyReads } from "#features/donations/server/history.ts";
import { ticketReads } from "#features/tickets/server/ticket-reads.ts";
import { applicantReads } from "#features/volunteering/server/applicant.ts";
import type { Config } from "#shared/config.ts";
import { listen } from "#shared/database/listen.ts";
import { newProcessId } from "#shared/database/process-presence.ts";
import { watchDatabase } from "#shared/database/watch-database.ts";
import { findVariant } from "#shared/images/store.ts";
import { describeError } from "#shared/logging/describe-error.ts";
import { placeReads } from "#shared/places/store.ts";
import { retentionTable } from "#shared/retention/retention-table.ts";
import { isGuest } from "#shared/sessions/guest-cookie.ts";
import { startTicks } from "./chores.ts";
import { closeServer } from "./close-server.ts";
import { createSharingPictures } from "./discovery/sharing.ts";
import { allFeatures } from "./feature.ts";
import { giveBackMemory } from "./give-back-memory.ts";
import { listHoldings, rulesOf } from "./holdings.ts";
import { sendLetters } from "./letters.ts";
import { paypalOrigins } from "./rendering/content-security-policy.ts";
import { registerPages } from "./rendering/pages-plugin.ts";
import { buildServer } from "./server.ts";
import { createServices, type Services } from "./services.ts";

const graceMs = 10_000;

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

export type Site = { readonly app: FastifyInstance; readonly services: Services; close(): Promise<void> };

/** Opens the site on its port: server, jobs, the ticks that settle what is open and, unless told not to, the pages. */
export async function openSite(
  config: Config,
  {
    databaseUrl,
    latestMigration,
    hasPages = true,
  }: { databaseUrl: string; latestMigration: string; hasPages?: boolean },
): Promise<Site> {
  const log = createLog(config.logLevel);
  const processId = newProcessId();
  const services = await createServices({ config, databaseUrl, log, processId });
  const watch = watchDatabase(databaseUrl, services.pool, processId, (isAway) =>
    log.warn(isAway ? "the database does not answer" : "the database is back"),
  );
  const content = followContent(services);
  const app = await buildServer(services, {
    latestMigration,
    ...(hasPages ? { addPages: (server) => addPages(server, services, { onContentChanged: content.onChanged }) } : {}),
  });
  await services.jobs.work("letters", sendLetters(services));
  const stopTicks = startTicks(services);
  const stopGivingBack = giveBackMemory();
  await watch.ready;
  await app.listen({ port: config.port, host: config.host });
  return {
    app,
    services,
    async close() {
      stopTicks();
      stopGivingBack();
      await content.stop();
      await closeServer(app, services.payments);
      await services.payments.finish();
      await services.jobs.stop();
      await watch.stop();
      await services.database.destroy();
    },
  };
}

/**
 * Follows what staff change, whichever process they used: pages are built anew, and receipts that waited for the
 * organisation's details are issued. Runs once at start too.
 */
function followContent(services: Services) {
  const { databaseUrl, organisation, log } = services;
  const drops: (() => void)[] = [];
  const follow = async () => {
    await organisation.refresh();
    for (const drop of drops) drop();
    for (const feature of allFeatures) await feature.onOrganisationChanged?.(services);
  };
  const warn = (error: Error) => log.warn({ err: error }, "changes of content cannot be followed just now");
  const { stop } = listen(databaseUrl, "content_changed", () => void follow().catch(warn), warn);
  return { stop, onChanged: (drop: () => void) => void drops.push(drop) };
}

/** Every page, from the build that lies in `buildFolder`, `dist` unless told. */
export function addPages(
  app: FastifyInstance,
  services: Services,
  {
    onContentChanged,
    buildFolder = join(process.cwd(), "dist"),
  }: { onContentChanged: (drop: () => void) => void; buildFolder?: string },
) {
  const { config, captcha, database, organisation, sessions, now } = services;
  const retention = retentionTable(rulesOf(listHoldings(services)));
  const sharingPictures = createSharingPictures({
    folder: join(buildFolder, "sharing"),
    readVariant: (wanted) => findVariant(database, wanted),
  });
  return registerPages(app, {
    publicUrl: config.publicUrl,
    isLive: config.isLive,
    payment: {
      providers: [new URL(config.payway.url).origin],
      paypal: paypalOrigins(config.braintree),
      captcha: captcha.origins(),
    },
    organisation: organisation.current,
    services: {
      ...contentReads(database, now, () => legalPlaceholders(organisation.current(), config, retention)),
      ...historyReads(database, now),
      ...applicantReads(services),
      ...ticketReads(services),
      ...placeReads(database),
      captcha: captcha.publicConfig(),
    },
    drawSharingPicture: (head, { name }) =>
      sharingPictures.draw({ title: head.title, organisationName: name, picture: head.picture ?? null }),
    findUser: async (request) => (await sessions.find(request))?.user ?? null,
    isGuest,
    onContentChanged,
    buildFolder,
  });
}

/** Ends the process in order on SIGTERM or SIGINT, and after an error that nobody caught. */
export function closeOnSignal(log: { error(details: object, message: string): void }, close: () => Promise<void>) {
  closeWithGrace({ delay: graceMs, logger: false }, async ({ err }) => {
    if (err) log.error({ err }, "an error that nobody caught; closing");
    await close();
  });
}
