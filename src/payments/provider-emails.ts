import { formatDay, formatMoment } from "#shared/language.ts";
import { composeEmail, type EmailContext } from "#shared/mail/compose-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { presentReport } from "./reconciliation/reconciliation-report.ts";
import { readReport } from "./reconciliation/reconciliation-store.ts";
import type { ProviderName } from "./tables.ts";

/** Emails to staff and to the treasurer about a provider. `since` is an ISO time, `day` one in Sydney. */
export type ProviderEmailJob =
  | { readonly template: "provider-unavailable"; readonly provider: ProviderName; readonly since: string }
  | { readonly template: "reconciliation"; readonly day: string };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    payments: ProviderEmailJob;
  }
}

/** Emails to staff and to the treasurer about a provider; null when there is nothing left to say. */
export function writeProviderEmail(context: EmailContext, job: ProviderEmailJob): Promise<EmailMessage | null> {
  return job.template === "reconciliation" ? writeReport(context, job.day) : writeAway(context, job);
}

async function writeReport({ database, sender }: EmailContext, day: string): Promise<EmailMessage> {
  const { name, treasurerEmail, donationsEmail } = sender.organisation;
  const report = presentReport(await readReport(database, day));
  const title = `Payments of ${formatDay(day)}: ${report.title}`;
  return composeEmail(sender, {
    id: `reconciliation-${day}`,
    subject: title,
    to: { name, address: treasurerEmail ?? donationsEmail },
    blocks: report.blocks,
  });
}

const away = {
  payway: {
    title: "Card payments are unavailable",
    subject: "Card payments are unavailable: PayWay is not answering",
    since: (time: string) => `PayWay failed to answer several payments in a row, the last on ${time} (Sydney).`,
    donorsSee:
      "Donors see that card payments are unavailable, and can use PayPal, if the site offers it, or bank deposit.",
    whatHelps:
      "If it lasts longer than an hour, check PayWay’s status page and log in to PayWay to check your account. Ask whoever runs the site to check its network and PAYWAY_URL, PAYWAY_SECRET_KEY and PAYWAY_MERCHANT_ID. PayWay’s secret keys expire.",
  },
  braintree: {
    title: "PayPal payments are unavailable",
    subject: "PayPal payments are unavailable: Braintree is not answering",
    since: (time: string) => `Braintree failed to answer several payments in a row, the last on ${time} (Sydney).`,
    donorsSee: "Donors see that PayPal payments are unavailable, and can pay by card or bank deposit.",
    whatHelps:
      "If it lasts longer than an hour, check Braintree’s status page and log in to Braintree to check your account. Ask whoever runs the site to check its network and the settings that begin with BRAINTREE_.",
  },
} as const satisfies Record<ProviderName, unknown>;

const clock = { dateStyle: "full", timeStyle: "short", timeZone: "Australia/Sydney" } as const;

/** Tells staff that a provider is unavailable; null if it is back by now. */
async function writeAway(
  { database, sender }: EmailContext,
  { provider, since }: Extract<ProviderEmailJob, { template: "provider-unavailable" }>,
): Promise<EmailMessage | null> {
  const health = await database
    .selectFrom("provider_health")
    .select("opened_at")
    .where("provider", "=", provider)
    .executeTakeFirst();
  if (health === undefined || health.opened_at === null) return null;
  const wording = away[provider];
  return composeEmail(sender, {
    id: `provider-unavailable-${provider}-${since}`,
    subject: wording.subject,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: wording.title,
    blocks: [
      paragraph(
        `${wording.since(formatMoment(new Date(since), clock))} We send it no more payments until it answers again.`,
      ),
      paragraph(
        `${wording.donorsSee} Nothing is lost: payments in progress are settled as soon as it answers, and nobody is charged twice.`,
      ),
      paragraph(
        "The site checks every few seconds and resumes these payments automatically. You don’t need to do anything.",
      ),
      paragraph(wording.whatHelps),
    ],
  });
}
