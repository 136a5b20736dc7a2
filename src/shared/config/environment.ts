import { z } from "zod";
import { areProxies, describeSettingFault } from "./setting-faults.ts";

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

const PostgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres://");

/** Every environment variable with its default; `.env.example` explains them. */
export const Environment = z.object({
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
  TRUST_PROXY: z
    .string()
    .refine(areProxies, "must be addresses or networks joined by commas, such as 127.0.0.1 or 10.0.0.0/8")
    .optional(),
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

export type Environment = z.output<typeof Environment>;

export const settingNames: readonly string[] = Object.keys(Environment.shape);

/** @throws Error with one sentence for each invalid setting. */
export function parseEnvironment(environment: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(given, { error: describeSettingFault });
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}.`).join("\n"));
  }
  return parsed.data;
}
