/** The data of email jobs; links, payments and each feature add theirs. */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it.
export interface EmailJobs {}

/** The data of each queue's jobs: only ids, never personal data. Handlers read the rest when they run. */
export type JobData = { emails: EmailJobs[keyof EmailJobs] };

export type Queue = keyof JobData;

export const queues = ["emails"] as const satisfies readonly Queue[];

/** Holds jobs whose last retry failed, for staff to see. */
export const FAILED_QUEUE = "failed";
