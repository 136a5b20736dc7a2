import type { LinkedDocument } from "#shared/links/contract.ts";

/** A new link to a document, asked for at an ISO time. */
export type LinkLetterJob = LinkedDocument & { readonly letter: "fresh-link"; readonly at: string };

/** What the jobs of letters carry; payments and each feature add theirs, and TypeScript joins them. */
export interface LetterJobs {
  links: LinkLetterJob;
}

/**
 * Every queue and what its jobs carry: ids alone, never personal data. Handlers read the rest when they run, so a letter
 * says what is true when it is sent.
 */
export type JobData = { letters: LetterJobs[keyof LetterJobs] };

export type Queue = keyof JobData;

export const queues = ["letters"] as const satisfies readonly Queue[];

/** Where a job goes whose last retry failed, for staff to see. */
export const FAILED_QUEUE = "failed";
