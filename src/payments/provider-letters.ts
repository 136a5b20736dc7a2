import type { Database } from "#shared/database/connect.ts";
import { idAndSubject } from "#shared/mail/letter-heading.ts";
import { layOutLetter, said } from "#shared/mail/letter-layout.ts";
import type { Letter } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import { formatDay } from "#shared/sydney.ts";
import { presentReport } from "./reconciliation/reconciliation-report.ts";
import { readReport } from "./reconciliation/reconciliation-store.ts";
import type { ProviderName } from "./tables.ts";

/** Letters to staff and to the treasurer about a provider. `since` is an ISO time, `day` one in Sydney. */
export type ProviderLetterJob =
  | { readonly letter: "provider-away"; readonly provider: ProviderName; readonly since: string }
  | { readonly letter: "reconciliation"; readonly day: string };

declare module "#shared/jobs/queues.ts" {
  interface LetterJobs {
    payments: ProviderLetterJob;
  }
}

export type ProviderLetterContext = {
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly config: { readonly publicUrl: string };
};

/** Letters to staff and to the treasurer about a provider; null when there is nothing left to say. */
export function writeProviderLetter(context: ProviderLetterContext, job: ProviderLetterJob): Promise<Letter | null> {
  return job.letter === "reconciliation" ? writeReport(context, job.day) : writeAway(context, job);
}

/** The day's comparison, to the treasurer. */
async function writeReport(context: ProviderLetterContext, day: string): Promise<Letter> {
  const { database, organisation, config } = context;
  const house = organisation();
  const report = presentReport(await readReport(database, day));
  const title = `${formatDay(day)}: ${report.title.toLowerCase()}`;
  return {
    ...idAndSubject(config.publicUrl, `reconciliation-${day}`, `Payments of ${title}`),
    to: { name: house.name, address: house.treasurerEmail ?? house.donationsEmail },
    ...layOutLetter(house, { title: `Payments of ${title}`, blocks: report.blocks }),
    attachments: [],
  };
}

const away = {
  payway: {
    what: "Card payments",
    provider: "PayWay",
    instead: "PayPal, where the site has it, and bank deposit",
    settings: "PAYWAY_URL, PAYWAY_SECRET_KEY and PAYWAY_MERCHANT_ID; a secret key of PayWay's ends after a time",
  },
  braintree: {
    what: "PayPal payments",
    provider: "Braintree",
    instead: "cards and bank deposit",
    settings: "the settings that begin with BRAINTREE_",
  },
} as const satisfies Record<ProviderName, Record<string, string>>;

const clock = new Intl.DateTimeFormat("en-AU", {
  dateStyle: "full",
  timeStyle: "short",
  timeZone: "Australia/Sydney",
});

/** That a provider takes no payments just now; not sent when it is back before the letter is written. */
async function writeAway(
  { database, organisation, config }: ProviderLetterContext,
  { provider, since }: Extract<ProviderLetterJob, { letter: "provider-away" }>,
): Promise<Letter | null> {
  const health = await database
    .selectFrom("provider_health")
    .select("opened_at")
    .where("provider", "=", provider)
    .executeTakeFirst();
  if (health === undefined || health.opened_at === null) return null;
  const house = organisation();
  const words = away[provider];
  const title = `${words.what} are away`;
  return {
    ...idAndSubject(
      config.publicUrl,
      `provider-away-${provider}-${since}`,
      `${title}: ${words.provider} does not answer`,
    ),
    to: { name: house.name, address: house.donationsEmail },
    ...layOutLetter(house, {
      title,
      blocks: [
        said(
          `${words.provider} has not answered several payments in a row, the last on ${clock.format(new Date(since))} ` +
            "(Sydney). No more payments are sent there until it answers again.",
        ),
        said(
          `Donors see that ${words.what.toLowerCase()} are not available at the moment, and are offered ${words.instead}. ` +
            "Nothing is lost: payments under way are settled as soon as it answers, and nobody is charged twice.",
        ),
        said(
          "The site asks again every few seconds and opens this way of paying by itself; you need not do anything for that.",
        ),
        said(
          `If it lasts longer than an hour: look at ${words.provider}'s own status page, sign in there to see whether the ` +
            `account is in order, and have whoever looks after the site check its network and ${words.settings}.`,
        ),
      ],
    }),
    attachments: [],
  };
}
