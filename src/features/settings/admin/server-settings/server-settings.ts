import { formatDollars, formatNumber, plural } from "#shared/language.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

/** `names`: the environment variables that the row shows. */
type ServerSetting = { readonly label: string; readonly value: string; readonly names: readonly string[] };
export type ServerSettings = { readonly title: string; readonly rows: readonly ServerSetting[] };

type ShownConfig = SettingsServices["config"];

const row = (label: string, value: string, ...names: string[]): ServerSetting => ({ label, value, names });

const hours = (count: number) => plural(count, { one: "1 hour", other: `${formatNumber(count)} hours` });
const minutes = (count: number) => plural(count, { one: "1 minute", other: `${formatNumber(count)} minutes` });

function seconds(count: number): string {
  if (count % 3600 === 0) return hours(count / 3600);
  if (count % 60 === 0) return minutes(count / 60);
  return plural(count, { one: "1 second", other: `${formatNumber(count)} seconds` });
}

const days = (count: number) => plural(count, { one: "1 day", other: `${formatNumber(count)} days` });
const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00 in Sydney`;

const paymentModes = {
  live: "Real: money moves",
  simulated: "Simulated: no money moves",
  off: "Off: the site is being set up",
} as const;

const captchaProviders = {
  altcha: "ALTCHA, made by this site",
  turnstile: "Cloudflare Turnstile",
  recaptcha: "Google reCAPTCHA",
  hcaptcha: "hCaptcha",
} as const;

const proofs = { daily: "Every day", weekly: "Every week", off: "Never" } as const;

/** The settings of the server that staff may wonder about, in words. Never a key, a password or an address of a server. */
export function listServerSettings(config: ShownConfig): readonly ServerSettings[] {
  return [
    { title: "Payments", rows: listPayments(config) },
    { title: "Limits for each network address", rows: listLimits(config) },
    {
      title: "Tickets",
      rows: [
        row("How long seats are held for a buyer", seconds(config.tickets.holdMs / 1000), "TICKET_HOLD_S"),
        row(
          "Until when buyers can cancel tickets themselves",
          `${hours(config.tickets.cancelHours)} before the event`,
          "TICKET_CANCEL_HOURS",
        ),
        row(
          "How long seats are offered to somebody who waits",
          hours(config.tickets.offerHours),
          "WAITING_OFFER_HOURS",
        ),
      ],
    },
    {
      title: "Links, forms and personal data",
      rows: [
        row("How long links in emails work", days(config.linkDays), "LINK_DAYS"),
        row("Links to other websites are checked", config.checksLinks ? "Every week" : "Never", "LINK_CHECKS"),
        row("What tells people from programs", captchaProviders[config.captcha.provider], "CAPTCHA_PROVIDER"),
        row(
          "Picture and signature of a declined application are kept",
          days(config.retention.volunteerFilesDays),
          "RETENTION_VOLUNTEER_FILES_DAYS",
        ),
      ],
    },
    {
      title: "Pictures and files",
      rows: [
        row(
          "Where new ones are kept",
          config.files?.isForNew ? "In S3-compatible storage" : "In the database",
          config.files === null ? "S3_ENDPOINT" : "S3_NEW_FILES",
        ),
      ],
    },
    { title: "Backups of the database that the site runs itself", rows: listBackups(config) },
  ];
}

function listPayments({ paymentMode, refunds, reconciliation, limits }: ShownConfig): ServerSetting[] {
  const twoPeople =
    refunds.twoPeopleCents === 0 ? "Always" : `Above ${formatDollars(refunds.twoPeopleCents)} a day for one person`;
  return [
    row("How they are taken", paymentModes[paymentMode], "PAYMENTS"),
    row(
      "One donation, before fees",
      `${formatDollars(limits.minimumCents)} to ${formatDollars(limits.maximumCents)}`,
      "LIMITS_MINIMUM",
      "LIMITS_MAXIMUM",
    ),
    row("Refunds that need a second person", twoPeople, "REFUND_TWO_PEOPLE_CENTS"),
    row(
      "Our books are compared with the providers’",
      `From ${clock(reconciliation.hour)}, ${days(reconciliation.days)} back`,
      "RECONCILE_HOUR",
      "RECONCILE_DAYS",
    ),
  ];
}

function listLimits({ limits }: ShownConfig): ServerSetting[] {
  const within = (count: number, windowSeconds: number) => `${formatNumber(count)} in ${seconds(windowSeconds)}`;
  return [
    row("Declined cards", within(limits.declines, limits.windowSeconds), "LIMITS_DECLINES", "LIMITS_WINDOW_S"),
    row(
      "Messages from the contact form",
      within(limits.messages.perAddress, limits.messages.windowSeconds),
      "LIMITS_MESSAGES",
      "LIMITS_MESSAGES_WINDOW_S",
    ),
    row(
      "Applications to volunteer",
      within(limits.applications.perAddress, limits.applications.windowSeconds),
      "LIMITS_APPLICATIONS",
    ),
    row(
      "Wrong passwords, for all accounts together",
      within(limits.logins.perAddress, limits.logins.windowSeconds),
      "LIMITS_LOGINS_PER_ADDRESS",
      "LIMITS_LOGINS_WINDOW_S",
    ),
    row("New accounts", within(limits.accountsPerHour, 3600), "LIMITS_ACCOUNTS"),
    row("Seats held without paying", within(limits.freeSeats, 3600), "LIMITS_TICKET_HOLDS"),
  ];
}

function listBackups({ databaseUrl, backup, archiveDir }: ShownConfig): ServerSetting[] {
  if (databaseUrl !== undefined) {
    return [row("Database", "Run by others, who back it up", "DATABASE_URL")];
  }
  if (backup.folder === null) return [row("Backup each night", "None", "BACKUP_DIR")];
  const [ofDays, ofWeeks, ofMonths] = backup.keep;
  const kept = `Those of ${days(ofDays)}, ${plural(ofWeeks, { one: "1 week", other: `${ofWeeks} weeks` })} and ${plural(ofMonths, { one: "1 month", other: `${ofMonths} months` })}`;
  return [
    row("Backup each night", `From ${clock(backup.hour)}`, "BACKUP_DIR", "BACKUP_HOUR"),
    row("How many are kept", kept, "BACKUP_KEEP"),
    row("One is restored to prove that it works", proofs[backup.prove], "BACKUP_PROVE"),
    row("Encrypted", backup.recipient === null ? "No" : "Yes", "BACKUP_RECIPIENT"),
    row("Carried elsewhere afterwards", backup.after === null ? "No" : "Yes", "BACKUP_AFTER"),
    row("Changes since then", archiveDir === null ? "Not kept" : "Kept every 5 minutes", "ARCHIVE_DIR"),
  ];
}
