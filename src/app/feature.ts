import type { FastifyInstance } from "fastify";
import type { AdminPart } from "#admin/feature.ts";
import type { PersonData } from "#admin/person-data.ts";
import type { OtherFeatures } from "#features/accounts/server/services.ts";
import type { Reversals } from "#features/bookkeeping/server/reversals.ts";
import type { TakenInDonations } from "#features/bookkeeping/server/take-in.ts";
import type { ContentAdminServices } from "#features/content/admin/content-services.ts";
import type { SettingPreviews, SetUpSources } from "#features/settings/server/settings-services.ts";
import type { DemoPast } from "#payments/demo/demo-payments.ts";
import type { Config } from "#shared/config/config.ts";
import type { Connection } from "#shared/database/connect.ts";
import { type Problem, problems } from "#shared/errors.ts";
import type { EmailJobs } from "#shared/jobs/queues.ts";
import type { DocumentLinks } from "#shared/links/send-link.ts";
import type { EmailContext } from "#shared/mail/compose-email.ts";
import type { DeclaredEmail } from "#shared/mail/declared-email.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import type { Holdings, RetentionRule } from "#shared/retention/retention.ts";
import { closedProblems } from "./closed-site.ts";
import { features } from "./features.ts";
import type { Services } from "./services.ts";

type WriteEmail = (
  context: EmailContext<Config> & Pick<Services, "now">,
  job: EmailJobs[keyof EmailJobs],
) => Promise<EmailMessage | null>;

/** Work that runs repeatedly, possibly in several processes at the same time. `tick` is every `SETTLE_TICK_MS`. */
export type ScheduledTask = {
  readonly name: string;
  readonly every: "tick" | "ten minutes" | "hour";
  run(services: Services): Promise<unknown>;
};

/** For the privacy policy, which lists the rules of all features. */
export type ReadServices = Services & { readonly retentionRules: readonly RetentionRule[] };

/** What parts of the back office get from other features. */
export type AdminServices = {
  readonly settingPreviews: SettingPreviews;
  readonly setUpSources: SetUpSources;
  readonly personData: PersonData;
  readonly takenIn: TakenInDonations;
  readonly reversals: Reversals;
} & Pick<ContentAdminServices, "listFunds" | "eventTickets">;

/** What a feature registers with the server. */
export type Feature = {
  readonly problems: Readonly<Record<string, Problem>>;
  calls(api: FastifyInstance, services: Services & OtherFeatures): void;
  /** Addresses other than pages and calls: documents, pictures, calendar files. */
  routes?(app: FastifyInstance, services: Services): void;
  reads?(services: ReadServices): object;
  /** The writer of each email by its job's template; it returns null if there is nothing to send. */
  readonly emails: Readonly<Record<string, unknown>>;
  /** What staff may write in its emails, under the heading of what they are about. */
  readonly emailTexts?: Readonly<Record<string, readonly DeclaredEmail[]>>;
  /** Documents that a link opens, by kind. */
  readonly links?: Readonly<Record<string, DocumentLinks>>;
  /** Which personal data it keeps, why and how long. */
  holdings(
    services: Pick<Services, "sessions" | "staffSessions" | "database" | "files" | "jobs" | "now" | "config">,
  ): Holdings;
  /** Its parts of the back office. */
  admin?(services: Services & AdminServices): readonly AdminPart[];
  /** Adds what was done earlier with the account's email to the account. Returns how many. */
  joinGuest?(connection: Connection, person: { userId: number; email: string }): Promise<number>;
  readonly scheduledTasks?: readonly ScheduledTask[];
  /** What the operator should know at the start, a sentence each, for the log. */
  warnAtStart?(services: Services): Promise<readonly string[]>;
  /** Runs at start and when staff change the organisation's details. */
  onOrganisationChanged?(services: Services): Promise<unknown>;
  /** What it adds to the demo's past, in the order of the features. Reads only; `add` writes. */
  planDemo?(services: Services, now: Date): Promise<DemoPast>;
};

export const allFeatures: readonly Feature[] = features;

export const allProblems = [problems, closedProblems, ...allFeatures.map((feature) => feature.problems)].flatMap(
  Object.values<Problem>,
);

type Reads = ReturnType<Extract<(typeof features)[number], { reads: unknown }>["reads"]>;
type Joined<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The reads of all features in one object. */
export function readsOfFeatures(services: ReadServices): Joined<Reads> {
  return Object.assign({}, ...allFeatures.map(({ reads }) => reads?.(services)));
}

const emails = Object.assign({}, ...allFeatures.map((feature) => feature.emails)) as Record<string, WriteEmail>;

/** @throws Error if no feature has this email. */
export function findEmailWriter(email: string): WriteEmail {
  const write = emails[email];
  if (write === undefined) throw new Error(`No feature writes the email '${email}'.`);
  return write;
}
