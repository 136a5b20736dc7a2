import { formatDay, formatMoment, fullMoment } from "#shared/language.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { type DeclaredEmail, declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { readHealth } from "./provider-health.ts";
import { presentReport } from "./reconciliation/reconciliation-report.ts";
import { type ReportData, readReportData } from "./reconciliation/reconciliation-store.ts";
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
  return reportEmail(sender, await readReportData(database, day));
}

const reconciliationReport = declareEmail({
  name: "reconciliation",
  title: "Report of the reconciliation",
  when: "To your email address for the treasurer, every night. The report itself, which says what to do, cannot be edited.",
  placeholders: { day: "The day of the report.", result: "The result, such as ‘All equal’." },
  texts: { subject: "Payments of {day}: {result}" },
  examples: {
    "All equal": (sender) =>
      reportEmail(sender, {
        day: "2026-11-20",
        runs: [
          {
            provider: "payway",
            state: "done",
            provider_cents: 125_000,
            ledger_cents: 125_000,
            id: 0,
            day: "2026-11-20",
            transactions: 14,
            detail: "",
            lease_until: null,
            owner: null,
            started_at: inventedNight,
            finished_at: inventedNight,
          },
        ],
        findings: [],
      }),
  },
});

const inventedNight = new Date("2026-11-20T16:00:00Z");

function reportEmail(sender: Sender, data: ReportData): EmailMessage {
  const { name, treasurerEmail, donationsEmail } = sender.organisation;
  const report = presentReport(data);
  const say = fillTexts(reconciliationReport, sender, { day: formatDay(data.day), result: report.title });
  return composeEmail(sender, {
    id: `reconciliation-${data.day}`,
    subject: say.subject,
    to: { name, address: treasurerEmail ?? donationsEmail },
    blocks: report.blocks,
  });
}

const awayResumes =
  "The site checks every few seconds and resumes these payments automatically. You don’t need to do anything.";

const cardsAway = declareEmail({
  name: "provider-unavailable.payway",
  title: "Card payments are unavailable",
  when: "To your email address for donations, when PayWay does not answer.",
  placeholders: { time: "When the last payment failed, in Sydney." },
  texts: {
    subject: "Card payments are unavailable: PayWay is not answering",
    heading: "Card payments are unavailable",
    news: "PayWay failed to answer several payments in a row, the last on {time} (Sydney). We send it no more payments until it answers again.",
    donors:
      "Donors see that card payments are unavailable, and can use PayPal, if the site offers it, or bank deposit. Nothing is lost: payments in progress are settled as soon as it answers, and nobody is charged twice.",
    resumes: awayResumes,
    help: "If it lasts longer than an hour, check PayWay’s status page and log in to PayWay to check your account. Ask whoever runs the site to check its network and PAYWAY_URL, PAYWAY_SECRET_KEY and PAYWAY_MERCHANT_ID. PayWay’s secret keys expire.",
  },
  examples: { PayWay: (sender) => awayEmail(sender, inventedAway("payway")) },
});

const paypalAway = declareEmail({
  name: "provider-unavailable.braintree",
  title: "PayPal payments are unavailable",
  when: "To your email address for donations, when Braintree does not answer.",
  placeholders: { time: "When the last payment failed, in Sydney." },
  texts: {
    subject: "PayPal payments are unavailable: Braintree is not answering",
    heading: "PayPal payments are unavailable",
    news: "Braintree failed to answer several payments in a row, the last on {time} (Sydney). We send it no more payments until it answers again.",
    donors:
      "Donors see that PayPal payments are unavailable, and can pay by card or bank deposit. Nothing is lost: payments in progress are settled as soon as it answers, and nobody is charged twice.",
    resumes: awayResumes,
    help: "If it lasts longer than an hour, check Braintree’s status page and log in to Braintree to check your account. Ask whoever runs the site to check its network and the settings that begin with BRAINTREE_.",
  },
  examples: { Braintree: (sender) => awayEmail(sender, inventedAway("braintree")) },
});

type Away = Extract<ProviderEmailJob, { template: "provider-unavailable" }>;

const inventedAway = (provider: ProviderName): Away => ({
  template: "provider-unavailable",
  provider,
  since: "2026-11-24T01:00:00Z",
});

const away: Readonly<
  Record<ProviderName, DeclaredEmail<"subject" | "heading" | "news" | "donors" | "resumes" | "help", "time">>
> = { payway: cardsAway, braintree: paypalAway };

const clock = { ...fullMoment, timeZone: "Australia/Sydney" } as const;

/** Tells staff that a provider is unavailable; null if it is back by now. */
async function writeAway({ database, sender }: EmailContext, job: Away): Promise<EmailMessage | null> {
  const { isOpen } = await readHealth(database, job.provider);
  return isOpen ? awayEmail(sender, job) : null;
}

function awayEmail(sender: Sender, { provider, since }: Away): EmailMessage {
  const say = fillTexts(away[provider], sender, { time: formatMoment(new Date(since), clock) });
  return composeEmail(sender, {
    id: `provider-unavailable-${provider}-${since}`,
    subject: say.subject,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: say.heading,
    blocks: [paragraph(say.news), paragraph(say.donors), paragraph(say.resumes), paragraph(say.help)],
  });
}

export const providerEmails = [cardsAway, paypalAway, reconciliationReport] as const;
