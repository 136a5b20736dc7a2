import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkLive, type LiveSettings, requireLive } from "../live-checks.ts";
import { newOrganisation, Organisation } from "../organisation.ts";
import { type Environment, parseEnvironment } from "./environment.ts";
import { readFileSettings } from "./file-settings.ts";
import { readPaymentSettings } from "./payment-settings.ts";
import { keepSecretKey } from "./secret-key.ts";

const DEMO_ORGANISATION = "./organisation.json";
const DEMO_SENDER = "Chashma Foundation Australia <no-reply@chashma.example>";
/** Of a site that is being set up. Emails from it reach nobody: `.example` is reserved. */
const NEW_SENDER = `${newOrganisation.name} <no-reply@your-charity.example>`;

/** The configuration, read once at start. Durations in milliseconds unless named otherwise, money in cents. */
export type Config = ReturnType<typeof readConfig>;

/** @throws Error with one sentence for each invalid setting. */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = parseEnvironment(environment);
  const isDemo = given.PAYMENTS === "simulated";
  const settings = { ...given, MAIL_FROM: given.MAIL_FROM ?? (isDemo ? DEMO_SENDER : NEW_SENDER) };
  const dataDir = resolve(settings.DATA_DIR);
  const simulatorPort = settings.SIMULATOR_PORT ?? settings.PORT + 1;
  const isLive = settings.PAYMENTS === "live";
  const { ORGANISATION = isDemo ? DEMO_ORGANISATION : undefined } = settings;
  const config = {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: (settings.PUBLIC_URL ?? `http://${namedHost(settings.HOST)}:${settings.PORT}`).replace(/\/$/, ""),
    /** Whether the domain may be on the browsers' HSTS preload lists. */
    isPreloaded: settings.HSTS_PRELOAD === "on",
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    /** A replica of it that reports and exports read. */
    databaseReadUrl: settings.DATABASE_READ_URL,
    organisation: ORGANISATION === undefined ? newOrganisation : readOrganisation(ORGANISATION),
    /** What the requirements of real payments are checked on, with the organisation's details. */
    liveSettings: settings as LiveSettings,
    secretKey: settings.SECRET_KEY ?? keepSecretKey(dataDir),
    paymentMode: settings.PAYMENTS,
    /** Takes real payments. */
    isLive,
    /** Simulates payments, and has demo content, a mailbox and pages for developers. If neither, payments are off. */
    isDemo,
    simulatorPort,
    ...readPaymentSettings(settings, `http://127.0.0.1:${simulatorPort}`),
    /** How much one member of staff may refund in a day without a second person; 0 for nothing. */
    refunds: { twoPeopleCents: settings.REFUND_TWO_PEOPLE_CENTS },
    reconciliation: { hour: settings.RECONCILE_HOUR, days: settings.RECONCILE_DAYS },
    circuit: { failures: settings.CIRCUIT_FAILURES, probeMs: settings.CIRCUIT_PROBE_MS },
    /** Basis points: 150 is 1.5 %. */
    fees: {
      adminBasisPoints: settings.FEES_ADMIN_PERCENT,
      merchantBasisPoints: { cc: settings.FEES_CARD_PERCENT, pp: settings.FEES_PAYPAL_PERCENT },
    },
    limits: readLimits(settings),
    /**
     * How long seats are held, how long before an event its tickets may be cancelled, and how long seats are offered to
     * somebody on a waiting list.
     */
    tickets: {
      holdMs: settings.TICKET_HOLD_S * 1000,
      cancelHours: settings.TICKET_CANCEL_HOURS,
      offerHours: settings.WAITING_OFFER_HOURS,
    },
    /** Days for which links in emails open receipts, orders and applications. */
    linkDays: settings.LINK_DAYS,
    /** Whether links to other websites are checked, which needs the internet. */
    checksLinks: (settings.LINK_CHECKS ?? (isLive ? "on" : "off")) === "on",
    /** How long a sender may take for a body and for a form with files, and how long a form waits to be read. */
    senders: {
      bodyMs: settings.BODY_TIME_MS,
      uploadMs: settings.UPLOAD_TIME_MS,
      waitMs: settings.UPLOAD_WAIT_MS,
    },
    retention: { volunteerFilesDays: settings.RETENTION_VOLUNTEER_FILES_DAYS },
    captcha: {
      provider: settings.CAPTCHA_PROVIDER,
      cost: settings.CAPTCHA_COST,
      siteKey: settings.CAPTCHA_SITE_KEY,
      secretKey: settings.CAPTCHA_SECRET_KEY,
      verifyUrl: settings.CAPTCHA_VERIFY_URL,
    },
    mail: { smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM, dkimSelector: settings.MAIL_DKIM_SELECTOR },
    trustProxy: settings.TRUST_PROXY,
    backup: readBackupSettings(settings),
    /** Where the embedded database copies its WAL to; null if nowhere. */
    archiveDir: settings.ARCHIVE_DIR === undefined ? null : resolve(settings.ARCHIVE_DIR),
    /** The bucket for pictures and private files, or null; and whether new ones go there. */
    files: readFileSettings(settings),
    /** How long a process that stops still takes requests while it says that it is not ready, and may take in all then. */
    stop: { delayMs: settings.STOP_DELAY_MS, graceMs: settings.STOP_GRACE_MS },
    metricsToken: settings.METRICS_TOKEN,
    logLevel: settings.LOG_LEVEL,
  };
  refuseContradictions(config, environment.NODE_ENV);
  return config;
}

function readLimits(settings: Environment) {
  return {
    minimumCents: settings.LIMITS_MINIMUM,
    maximumCents: settings.LIMITS_MAXIMUM,
    declines: settings.LIMITS_DECLINES,
    windowSeconds: settings.LIMITS_WINDOW_S,
    breakerPayments: settings.LIMITS_BREAKER_PAYMENTS,
    messages: {
      perAddress: settings.LIMITS_MESSAGES,
      perEmail: settings.LIMITS_MESSAGES_PER_EMAIL,
      windowSeconds: settings.LIMITS_MESSAGES_WINDOW_S,
    },
    applications: {
      perAddress: settings.LIMITS_APPLICATIONS,
      perEmail: settings.LIMITS_APPLICATIONS_PER_EMAIL,
      windowSeconds: 3600,
    },
    logins: {
      perAccount: settings.LIMITS_LOGINS,
      perAddress: settings.LIMITS_LOGINS_PER_ADDRESS,
      windowSeconds: settings.LIMITS_LOGINS_WINDOW_S,
    },
    accountsPerHour: settings.LIMITS_ACCOUNTS,
    /** Seats that one network address may hold without a captcha before it has paid for an order. */
    freeSeats: settings.LIMITS_TICKET_HOLDS,
  };
}

/** `folder` is null if no backup is taken at night; `keep` counts days, weeks and months. */
function readBackupSettings(settings: Environment) {
  return {
    folder: settings.BACKUP_DIR === undefined ? null : resolve(settings.BACKUP_DIR),
    hour: settings.BACKUP_HOUR,
    keep: settings.BACKUP_KEEP.split(",").map(Number) as [number, number, number],
    prove: settings.BACKUP_PROVE,
    recipient: settings.BACKUP_RECIPIENT ?? null,
    after: settings.BACKUP_AFTER ?? null,
    /** The migration before which the operator backed up a database of their own. */
    takenBefore: settings.BACKUP_TAKEN_BEFORE ?? null,
  };
}

/** @throws Error with a sentence if settings that are valid by themselves do not go together. */
function refuseContradictions(config: Config, nodeEnvironment: string | undefined): void {
  if (config.captcha.provider !== "altcha" && !(config.captcha.siteKey && config.captcha.secretKey)) {
    throw new Error("CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY are needed for this CAPTCHA_PROVIDER.");
  }
  if (config.archiveDir !== null && (config.backup.folder === null || config.databaseUrl !== undefined)) {
    throw new Error(
      "ARCHIVE_DIR continues the nightly backups of the embedded database: it needs BACKUP_DIR, and no DATABASE_URL.",
    );
  }
  if (config.archiveDir !== null && `${config.archiveDir}/`.startsWith(`${config.dataDir}/`)) {
    throw new Error("ARCHIVE_DIR is in DATA_DIR, and would be lost together with it. Choose a folder elsewhere.");
  }
  // The organisation's details may be in the database: `requireOwnOrganisation` checks them.
  if (config.isLive)
    requireLive(checkLive(config.liveSettings, config.organisation).filter(({ topic }) => topic !== "organisation"));
  else if (
    config.isDemo &&
    nodeEnvironment === "production" &&
    ![config.host, new URL(config.publicUrl).hostname].every(isLoopbackHost)
  ) {
    throw new Error(
      "NODE_ENV=production with simulated payments would take donations that never arrive, since HOST or PUBLIC_URL is open to others. " +
        "Set PAYMENTS=live, PAYMENTS=off to set up a new site, or NODE_ENV=development to show the site to others.",
    );
  }
}

/** Passkeys cannot be bound to an IP address, and `localhost` leads to this one. */
export function namedHost(host: string): string {
  return host === "127.0.0.1" ? "localhost" : host;
}

/** Whether a host name or IP address leads to this machine itself. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

function readOrganisation(file: string): Organisation {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`ORGANISATION: ${resolve(file)} cannot be read as JSON.`, { cause });
  }
  const organisation = Organisation.safeParse(parsed);
  if (organisation.success) return organisation.data;
  const sentences = organisation.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}.`);
  throw new Error(`ORGANISATION: ${sentences.join(" ")}`);
}
