import { join } from "node:path";
import closeWithGrace from "close-with-grace";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { contentReads } from "#features/content/server/content-reads.ts";
import { legalPlaceholders } from "#features/content/server/placeholders.ts";
import { historyReads } from "#features/donations/server/history.ts";
import { issueWaitingReceipts } from "#features/donations/server/receipt.ts";
import { forgetOldHolds, freeLapsedHolds } from "#features/tickets/server/lapse.ts";
import { ticketReads } from "#features/tickets/server/ticket-reads.ts";
import { applicantReads } from "#features/volunteering/server/applicant.ts";
import { remindOfChecks } from "#features/volunteering/server/checks.ts";
import { deleteOldFiles } from "#features/volunteering/server/retention.ts";
import { forgetOldCaptchaUses } from "#shared/captcha/captcha.ts";
import type { Config } from "#shared/config.ts";
import { listen } from "#shared/database/listen.ts";
import { newProcessId } from "#shared/database/process-presence.ts";
import { watchDatabase } from "#shared/database/watch-database.ts";
import { findVariant } from "#shared/images/store.ts";
import { forgetOldCounts } from "#shared/limits/count.ts";
import { forgetUsedChallenges } from "#shared/passkeys/challenges.ts";
import { placeReads } from "#shared/places/store.ts";
import { isGuest } from "#shared/sessions/guest-cookie.ts";
import { closeServer } from "./close-server.ts";
import { paypalOrigins } from "./content-security-policy.ts";
import { describeError } from "./describe-error.ts";
import { giveBackMemory } from "./give-back-memory.ts";
import { sendLetters } from "./letters.ts";
import { registerPages } from "./pages-plugin.ts";
import { buildServer } from "./server.ts";
import { createServices, type Services } from "./services.ts";
import { createSharingPictures } from "./sharing.ts";

const graceMs = 10_000;
const hourMs = 3_600_000;

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
    await issueReceipts(services);
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
      ...contentReads(database, now, () => legalPlaceholders(organisation.current(), config)),
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

function issueReceipts({ database, organisation, jobs, now }: Services) {
  return issueWaitingReceipts({ database, organisation: organisation.current(), jobs, now: now() });
}

/** Sweeper, reconciler and retention: each is safe to run in any number of processes at once. */
export function startTicks(services: Services): () => void {
  const { payments, circuits, reconciliation, database, sessions, config, now, log } = services;
  const stops = [
    every(config.payments.tickMs, () => payments.tick()),
    // By itself, so that it is not kept waiting by calls to the very provider that is away.
    every(config.payments.tickMs, () => circuits.tick(now())),
    every(config.payments.tickMs, () => freeLapsedHolds(database, now())),
    every(hourMs, () => reconciliation.tick()),
    every(hourMs, async () => {
      await issueReceipts(services);
      await forgetOldCaptchaUses(database, now());
      await forgetOldCounts(database, now());
      await sessions.forgetOld();
      await forgetUsedChallenges(database, now());
      await remindOfChecks(services);
      await forgetOldHolds(database, now());
      await deleteOldFiles(services, config.retention.volunteerFilesDays);
    }),
  ];
  function every(milliseconds: number, work: () => Promise<void>): () => void {
    let isBusy = false;
    const timer = setInterval(async () => {
      if (isBusy) return;
      isBusy = true;
      await work().catch((error: unknown) => log.warn({ err: error }, "a tick failed; the next one tries again"));
      isBusy = false;
    }, milliseconds);
    return () => clearInterval(timer);
  }
  return () => stops.forEach((stop) => void stop());
}

/** Ends the process in order on SIGTERM or SIGINT, and after an error that nobody caught. */
export function closeOnSignal(log: { error(details: object, message: string): void }, close: () => Promise<void>) {
  closeWithGrace({ delay: graceMs, logger: false }, async ({ err }) => {
    if (err) log.error({ err }, "an error that nobody caught; closing");
    await close();
  });
}
