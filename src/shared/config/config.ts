import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { checkLive, type LiveSettings, requireLive } from "../live-checks.ts";
import { newOrganisation, Organisation } from "../organisation.ts";
import { readFileSettings } from "./file-settings.ts";
import { keepSecretKey } from "./secret-key.ts";

const Milliseconds = z.coerce.number().int().min(1).max(3_600_000);
const Count = z.coerce.number().int().min(1).max(1_000_000);
/** A percentage as people write it, in basis points: '1.5' is 150. */
export const Percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, "must be a percentage such as 1.5, or 0 for none")
  .transform((text) => Math.round(Number(text) * 100));
const Dollars = z
  .string()
  .regex(/^\d{1,9}(\.\d{2})?$/, "must be dollars such as 2.00")
  .transform((text) => Math.round(Number(text) * 100));
const HttpUrl = z.url({ protocol: /^https?$/ });

/** Braintree's browser scripts, in the version that the journeys test. */
const BRAINTREE_SCRIPTS = "https://js.braintreegateway.com/web/3.144.0/js";

/** Every environment variable with its default; `.env.example` explains them. */
const PostgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres://");

const Settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: HttpUrl.optional(),
  HSTS_PRELOAD: z.enum(["on", "off"]).default("off"),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: PostgresUrl.optional(),
  DATABASE_READ_URL: PostgresUrl.optional(),
  ORGANISATION: z.string().optional(),
  SECRET_KEY: z.string().min(32, "must have at least 32 characters").optional(),
  PAYMENTS: z.enum(["simulated", "off", "live"]).default("simulated"),
  SIMULATOR_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  PAYWAY_URL: HttpUrl.optional(),
  PAYWAY_PUBLISHABLE_KEY: z.string().min(1).default("T10000_PUB_simulator"),
  PAYWAY_SECRET_KEY: z.string().min(1).default("T10000_SEC_simulator"),
  PAYWAY_MERCHANT_ID: z.string().min(1).default("TEST"),
  PAYWAY_3DS: z.enum(["on", "off"]).default("off"),
  PAYWAY_3DS_PATH: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/, "must be the last part of the path, such as three-ds2-authentication")
    .default("three-ds2-authentication"),
  PAYWAY_3DS_UNAVAILABLE_MAXIMUM: Dollars.default(20_000),
  PAYPAL: z.enum(["on", "off"]).default("on"),
  BRAINTREE_URL: z.union([z.enum(["sandbox", "production"]), HttpUrl]).optional(),
  BRAINTREE_MERCHANT_ID: z.string().min(1).default("simulator"),
  BRAINTREE_PUBLIC_KEY: z.string().min(1).default("simulator_public"),
  BRAINTREE_PRIVATE_KEY: z.string().min(1).default("simulator_private"),
  BRAINTREE_MERCHANT_ACCOUNT_ID: z.string().min(1).default("simulator_aud"),
  BRAINTREE_SCRIPTS_URL: HttpUrl.optional(),
  BRAINTREE_REQUEST_KEYS: z.enum(["on", "off"]).default("off"),
  BRAINTREE_TIMEOUT_MS: Milliseconds.default(60_000),
  REFUND_TWO_PEOPLE_CENTS: z.coerce.number().int().min(0).max(1_000_000_000).default(50_000),
  RECONCILE_HOUR: z.coerce.number().int().min(0).max(23).default(4),
  RECONCILE_DAYS: z.coerce.number().int().min(1).max(120).default(60),
  CIRCUIT_FAILURES: Count.default(3),
  CIRCUIT_PROBE_MS: Milliseconds.default(10_000),
  PROVIDER_TIMEOUT_MS: Milliseconds.default(45_000),
  PAYMENT_TRIES: z.coerce.number().int().min(1).max(2).default(2),
  CUSTOMER_WAIT_MS: Milliseconds.default(25_000),
  UNKNOWN_GIVE_UP_S: z.coerce.number().int().min(1).optional(),
  SETTLE_TICK_MS: Milliseconds.default(2000),
  FEES_ADMIN_PERCENT: Percent.default(500),
  FEES_CARD_PERCENT: Percent.default(150),
  FEES_PAYPAL_PERCENT: Percent.default(300),
  LIMITS_MINIMUM: Dollars.default(200),
  LIMITS_MAXIMUM: Dollars.default(5_000_000),
  LIMITS_DECLINES: Count.default(5),
  LIMITS_WINDOW_S: Count.default(900),
  LIMITS_BREAKER_PAYMENTS: Count.default(20),
  LIMITS_MESSAGES: Count.default(5),
  LIMITS_MESSAGES_PER_EMAIL: Count.default(3),
  LIMITS_MESSAGES_WINDOW_S: Count.default(3600),
  LIMITS_APPLICATIONS: Count.default(10),
  LIMITS_APPLICATIONS_PER_EMAIL: Count.default(3),
  LIMITS_LOGINS: Count.default(10),
  LIMITS_LOGINS_PER_ADDRESS: Count.default(50),
  LIMITS_LOGINS_WINDOW_S: Count.default(900),
  LIMITS_ACCOUNTS: Count.default(20),
  LIMITS_TICKET_HOLDS: Count.default(10),
  TICKET_HOLD_S: Count.default(900),
  TICKET_CANCEL_HOURS: z.coerce.number().int().min(0).max(8760).default(48),
  WAITING_OFFER_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  LINK_CHECKS: z.enum(["on", "off"]).optional(),
  LINK_DAYS: z.coerce.number().int().min(1).max(3650).default(400),
  BODY_TIME_MS: Milliseconds.default(20_000),
  UPLOAD_TIME_MS: Milliseconds.default(180_000),
  UPLOAD_WAIT_MS: Milliseconds.default(20_000),
  RETENTION_VOLUNTEER_FILES_DAYS: Count.default(90),
  CAPTCHA_PROVIDER: z.enum(["altcha", "turnstile", "recaptcha", "hcaptcha"]).default("altcha"),
  CAPTCHA_COST: z.coerce.number().int().min(1).max(20_000).default(2000),
  CAPTCHA_SITE_KEY: z.string().optional(),
  CAPTCHA_SECRET_KEY: z.string().optional(),
  CAPTCHA_VERIFY_URL: HttpUrl.optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: z.string().min(3).optional(),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, "must be the name before ._domainkey in your DNS")
    .optional(),
  TRUST_PROXY: z.string().optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  BACKUP_DIR: z.string().optional(),
  BACKUP_HOUR: z.coerce.number().int().min(0).max(23).default(2),
  BACKUP_KEEP: z
    .string()
    .regex(/^\d{1,3},\d{1,3},\d{1,3}$/, "must be three counts such as 7,5,12: days, weeks, months")
    .default("7,5,12"),
  BACKUP_PROVE: z.enum(["daily", "weekly", "off"]).default("weekly"),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[a-z0-9]{50,}$/, "must be a public key of age, which begins with age1")
    .optional(),
  BACKUP_AFTER: z.string().optional(),
  BACKUP_TAKEN_BEFORE: z.string().optional(),
  ARCHIVE_DIR: z.string().optional(),
  S3_ENDPOINT: HttpUrl.optional(),
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "must be the name of a bucket: small letters, digits, hyphens and dots",
    )
    .optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_NEW_FILES: z.enum(["on", "off"]).default("on"),
  STOP_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  STOP_GRACE_MS: Milliseconds.default(10_000),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  CRASH_POINT: z.string().optional(),
});

export const settingNames: readonly string[] = Object.keys(Settings.shape);

const DEMO_ORGANISATION = "./organisation.json";
const DEMO_SENDER = "Chashma Foundation Australia <no-reply@chashma.example>";
/** Of a site that is being set up. Emails from it reach nobody: `.example` is reserved. */
const NEW_SENDER = `${newOrganisation.name} <no-reply@your-charity.example>`;

const withNonce = (saleMs: number) => saleMs + Math.min(15_000, saleMs);

/** The configuration, read once at start. Durations in milliseconds unless named otherwise, money in cents. */
export type Config = ReturnType<typeof readConfig>;

/** @throws Error with one sentence for each invalid setting. */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}.`).join("\n"));
  }
  const isDemo = parsed.data.PAYMENTS === "simulated";
  const settings = { ...parsed.data, MAIL_FROM: parsed.data.MAIL_FROM ?? (isDemo ? DEMO_SENDER : NEW_SENDER) };
  const dataDir = resolve(settings.DATA_DIR);
  const simulatorPort = settings.SIMULATOR_PORT ?? settings.PORT + 1;
  const isLive = settings.PAYMENTS === "live";
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const paywayUrl = (settings.PAYWAY_URL ?? `${simulatorUrl}/payway/rest/v1`).replace(/\/$/, "");
  // A bank's sandbox may list a charge late; only our own simulator lists it immediately.
  const isSimulated = (url: string) => isDemo && URL.parse(url)?.hostname === "127.0.0.1";
  const braintreeUrl = (settings.BRAINTREE_URL ?? (isDemo ? simulatorUrl : "production")).replace(/\/$/, "");
  const { ORGANISATION = isDemo ? DEMO_ORGANISATION : undefined } = settings;
  const organisation = ORGANISATION === undefined ? newOrganisation : readOrganisation(ORGANISATION);
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
    organisation,
    /** What the requirements of real payments are checked on, with the organisation's details. */
    liveSettings: settings as LiveSettings,
    secretKey: settings.SECRET_KEY ?? keepSecretKey(dataDir),
    paymentMode: settings.PAYMENTS,
    /** Takes real payments. */
    isLive,
    /** Simulates payments, and has demo content, a mailbox and pages for developers. If neither, payments are off. */
    isDemo,
    simulatorPort,
    payway: {
      url: paywayUrl,
      publishableKey: settings.PAYWAY_PUBLISHABLE_KEY,
      secretKey: settings.PAYWAY_SECRET_KEY,
      merchantId: settings.PAYWAY_MERCHANT_ID,
      searchIsAuthoritative: isSimulated(paywayUrl),
      timeoutMs: settings.PROVIDER_TIMEOUT_MS,
      /** 3-D Secure; null while it is off. `unavailableMaximumCents` may be charged when the card's bank cannot be asked. */
      authentication:
        settings.PAYWAY_3DS === "on"
          ? { path: settings.PAYWAY_3DS_PATH, unavailableMaximumCents: settings.PAYWAY_3DS_UNAVAILABLE_MAXIMUM }
          : null,
    },
    /** PayPal. `url` is `sandbox`, `production`, or the gateway's address without a path. */
    braintree: {
      isOffered: settings.PAYPAL === "on",
      url: braintreeUrl,
      merchantId: settings.BRAINTREE_MERCHANT_ID,
      publicKey: settings.BRAINTREE_PUBLIC_KEY,
      privateKey: settings.BRAINTREE_PRIVATE_KEY,
      merchantAccountId: settings.BRAINTREE_MERCHANT_ACCOUNT_ID,
      /** The folder of `client.min.js` and `paypal-checkout.min.js`. */
      scriptsUrl: (
        settings.BRAINTREE_SCRIPTS_URL ??
        (isSimulated(braintreeUrl) ? `${braintreeUrl}/braintree/js` : BRAINTREE_SCRIPTS)
      ).replace(/\/$/, ""),
      hasRequestKeys: settings.BRAINTREE_REQUEST_KEYS === "on",
      searchIsAuthoritative: isSimulated(braintreeUrl),
      timeoutMs: settings.BRAINTREE_TIMEOUT_MS,
    },
    /** How much one member of staff may refund in a day without a second person; 0 for nothing. */
    refunds: { twoPeopleCents: settings.REFUND_TWO_PEOPLE_CENTS },
    reconciliation: { hour: settings.RECONCILE_HOUR, days: settings.RECONCILE_DAYS },
    circuit: { failures: settings.CIRCUIT_FAILURES, probeMs: settings.CIRCUIT_PROBE_MS },
    payments: {
      tries: settings.PAYMENT_TRIES,
      // Longer than a call and its one retry may take; PayPal checks the nonce first.
      leaseMs:
        settings.PAYMENT_TRIES * Math.max(settings.PROVIDER_TIMEOUT_MS, withNonce(settings.BRAINTREE_TIMEOUT_MS)) +
        Math.min(10_000, 2 * settings.PROVIDER_TIMEOUT_MS),
      customerWaitMs: settings.CUSTOMER_WAIT_MS,
      giveUpMs: (settings.UNKNOWN_GIVE_UP_S ?? (isSimulated(paywayUrl) ? 30 : 86_400)) * 1000,
      tickMs: settings.SETTLE_TICK_MS,
      crashPoint: settings.CRASH_POINT,
    },
    /** Basis points: 150 is 1.5 %. */
    fees: {
      adminBasisPoints: settings.FEES_ADMIN_PERCENT,
      merchantBasisPoints: { cc: settings.FEES_CARD_PERCENT, pp: settings.FEES_PAYPAL_PERCENT },
    },
    limits: {
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
    },
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
    /** `folder` is null if no backup is taken at night; `keep` counts days, weeks and months. */
    backup: {
      folder: settings.BACKUP_DIR === undefined ? null : resolve(settings.BACKUP_DIR),
      hour: settings.BACKUP_HOUR,
      keep: settings.BACKUP_KEEP.split(",").map(Number) as [number, number, number],
      prove: settings.BACKUP_PROVE,
      recipient: settings.BACKUP_RECIPIENT ?? null,
      after: settings.BACKUP_AFTER ?? null,
      /** The migration before which the operator backed up a database of their own. */
      takenBefore: settings.BACKUP_TAKEN_BEFORE ?? null,
    },
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
