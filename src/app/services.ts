import type { FastifyBaseLogger } from "fastify";
import { createStaffSessions } from "#admin/staff-sessions.ts";
import { createBanners } from "#features/content/server/banners.ts";
import { createMenus } from "#features/content/server/menus.ts";
import { createBraintree } from "#payments/braintree/braintree.ts";
import { createDeclineBreaker } from "#payments/checkout/decline-breaker.ts";
import { createDeclineLimits } from "#payments/checkout/decline-limits.ts";
import { createCircuits } from "#payments/circuits.ts";
import { requirePaymentMode } from "#payments/payment-mode.ts";
import { createPayments } from "#payments/payments.ts";
import { createPayway } from "#payments/payway/payway.ts";
import { createReconciliation } from "#payments/reconciliation/reconciliation.ts";
import { staffAlerts, subjectOfEach } from "#payments/subjects.ts";
import { createSiteBrands } from "#shared/brand/site-brands.ts";
import { createAltcha } from "#shared/captcha/altcha.ts";
import { createCaptcha } from "#shared/captcha/create-captcha.ts";
import type { Config } from "#shared/config/config.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { createReadingDatabase } from "#shared/database/reading-database.ts";
import { createCsrfTokens } from "#shared/http/csrf.ts";
import { createFiles } from "#shared/images/files/create-files.ts";
import { createJobs } from "#shared/jobs/jobs.ts";
import { requireOwnOrganisation } from "#shared/live-checks.ts";
import { createMail } from "#shared/mail/mail.ts";
import { createSessions } from "#shared/sessions/sessions.ts";
import { createSteadyClock } from "#shared/steady-clock.ts";
import { runInWorker } from "#shared/workers/run-in-worker.ts";
import { features } from "./features.ts";
import { createSiteSettings } from "./site-settings.ts";

/** Everything that lives as long as the process, created once and passed to routes, pages and jobs. */
export type Services = Awaited<ReturnType<typeof createServices>>;

type ServiceOptions = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: FastifyBaseLogger;
  readonly now?: () => Date;
  /** Set for a process that others can detect: see process-presence.ts. */
  readonly processId?: number;
};

/**
 * Connects to the database and creates everything else; starts no scheduled tasks.
 * @throws Error if the database has payments of the other mode (live or simulated), or if payments are live and the
 * organisation's details are not its own.
 */
export async function createServices({
  config,
  databaseUrl,
  log,
  now = createSteadyClock(Date.now, () => performance.now()),
  processId,
}: ServiceOptions) {
  const pool = createPool(databaseUrl, (error) => log.warn({ err: error }, "a database connection was lost"));
  const database = createDatabase(pool);
  const readingDatabase = createReadingDatabase({
    primaryUrl: databaseUrl,
    pool,
    database,
    replicaUrl: config.databaseReadUrl,
    log,
    now,
  });
  await requirePaymentMode(database, config.paymentMode);
  const files = createFiles({ database, settings: config.files, log, now });
  const siteSettings = createSiteSettings(database, config, log);
  const banners = createBanners({ database, now });
  const menus = createMenus({ database, organisation: siteSettings.organisation.current });
  const brands = createSiteBrands({ database, files, log, isDemo: config.isDemo });
  await Promise.all([siteSettings.refresh(), brands.refresh(), banners.refresh(), menus.refresh()]);
  const { organisation, fees, setUp } = siteSettings;
  if (config.isLive) requireOwnOrganisation(organisation.current());
  const jobs = await createJobs({ pool, log });
  const mail = createMail({
    database,
    smtpUrl: config.mail.smtpUrl,
    from: config.mail.from,
    publicUrl: config.publicUrl,
    compose: (message) =>
      runInWorker({
        module: new URL("../shared/mail/compose-source.ts", import.meta.url),
        run: "composeSource",
        input: message,
      }),
  });
  const isSecure = config.publicUrl.startsWith("https:");
  const csrf = createCsrfTokens({ secretKey: config.secretKey, isSecure });
  const sessions = createSessions({ database, now, isSecure, csrf });
  const staffSessions = createStaffSessions({ database, now, isSecure });
  const captcha = createCaptcha(config, log);
  // Needed only on suspicion. The page solves it in the background, whichever captcha its forms show.
  const work = createAltcha({ cost: config.captcha.cost, secretKey: config.secretKey });
  const limits = createDeclineLimits({ database, secretKey: config.secretKey, ...config.limits, now, log });
  const breaker = createDeclineBreaker({ database, payments: config.limits.breakerPayments, log });
  const providers = { payway: createPayway(config.payway), braintree: createBraintree(config.braintree) };
  const circuits = createCircuits({
    database,
    jobs,
    providers,
    settings: config.circuit,
    now,
    log,
    isOff: config.paymentMode === "off",
  });
  const needs = { database, jobs, organisation: organisation.current, config };
  const subjects = features.flatMap((feature) =>
    "subject" in feature ? [[feature.subject.kind, feature.subject.create(needs)] as const] : [],
  );
  const subject = subjectOfEach(staffAlerts(jobs), Object.fromEntries(subjects));
  const payments = createPayments({
    database,
    processId,
    providers,
    circuits,
    subject,
    settings: config.payments,
    now,
    log,
  });
  const reconciliation = createReconciliation({
    database,
    processId,
    providers,
    subject,
    settings: config.payments,
    now,
    log,
    jobs,
    reconciliation: config.reconciliation,
    hasPaypal: config.braintree.isOffered,
    isOff: config.paymentMode === "off",
  });
  return {
    config,
    databaseUrl,
    log,
    now,
    pool,
    database,
    readingDatabase,
    files,
    siteSettings,
    organisation,
    fees,
    brands,
    setUp,
    banners,
    menus,
    jobs,
    mail,
    csrf,
    sessions,
    staffSessions,
    captcha,
    work,
    limits,
    breaker,
    providers,
    circuits,
    subject,
    payments,
    reconciliation,
  };
}
