import type { FastifyInstance } from "fastify";
import type { OtherFeatures } from "#features/accounts/server/services.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { LetterJobs } from "#shared/jobs/queues.ts";
import type { DocumentLinks } from "#shared/links/send-link.ts";
import type { Letter } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { Holdings } from "#shared/retention/retention.ts";
import { features } from "./features.ts";
import type { Services } from "./services.ts";

type LetterContext = Pick<Services, "database" | "config" | "now"> & {
  readonly organisation: () => Organisation;
};
type WriteLetter = (context: LetterContext, job: LetterJobs[keyof LetterJobs]) => Promise<Letter | null>;

/** What runs again and again, in any number of processes at once: `tick` is every `SETTLE_TICK_MS`. */
export type Chore = {
  readonly name: string;
  readonly every: "tick" | "ten minutes" | "hour";
  run(services: Services): Promise<unknown>;
};

/** What a feature brings to the server: everything in it is found through this. */
export type Feature = {
  /** Calls below /api. */
  calls(api: FastifyInstance, services: Services & OtherFeatures): void;
  /** Addresses beside the pages: documents, pictures, calendar files. */
  routes?(app: FastifyInstance, services: Services): void;
  /** Who writes each letter, by the name that its job carries; null when there is nothing left to say. */
  readonly letters: Readonly<Record<string, unknown>>;
  /** Documents that open by a link, by their kind. */
  readonly links?: Readonly<Record<string, DocumentLinks>>;
  /** What it keeps of people, why and how long. */
  holdings(services: Pick<Services, "sessions" | "database" | "jobs" | "now" | "config">): Holdings;
  /** Gives an account what was done with its address before. Returns how many. */
  joinGuest?(connection: Connection, person: { userId: number; email: string }): Promise<number>;
  readonly chores?: readonly Chore[];
  /** Runs at the start, and when staff have changed the organisation's details. */
  onOrganisationChanged?(services: Services): Promise<unknown>;
};

export const allFeatures: readonly Feature[] = features;

const letters = Object.assign({}, ...allFeatures.map((feature) => feature.letters)) as Record<string, WriteLetter>;

/** @throws Error for a job of a feature that is not there. */
export function findLetterWriter(letter: string): WriteLetter {
  const write = letters[letter];
  if (write === undefined) throw new Error(`No feature writes the letter '${letter}'.`);
  return write;
}
