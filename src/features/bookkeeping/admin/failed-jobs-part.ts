import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { type Act, type Actor, recordAct } from "#admin/audit.ts";
import { MAX_NAMED, nameFirst } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { typedText } from "#admin/typed-text.ts";
import type { Connection } from "#shared/database/connect.ts";
import { countFailedJobs, type FailedJob, listFailedJobs, takeFailedJob } from "#shared/jobs/failed-jobs.ts";
import { type JobData, type Queue, queues } from "#shared/jobs/queues.ts";
import { plural } from "#shared/language.ts";
import { listFailedEmails } from "../server/failed-emails.ts";
import type { BookkeepingServices } from "./admin-parts.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listFailedEmails: () => ReturnType<typeof listFailedEmails>;
  }
}

const PATH = "/admin/failed-jobs";
const GONE = "Somebody has retried or discarded this email in the meantime. Nothing was changed.";

/** Emails whose last retry failed. */
export function failedJobsPart(services: BookkeepingServices): AdminPart {
  const { database } = services;
  return {
    reads: { listFailedEmails: () => listFailedEmails(database) },
    actions: [retryOne(services), retryAll(services), discard(services)],
    dashboard: [
      {
        right: "reconciliation.change",
        listWaiting: async () => {
          const count = await countFailedJobs(database);
          if (count === 0) return [];
          const sentence = plural(count, {
            one: "One email could not be sent",
            other: `${count} emails could not be sent`,
          });
          const emails = await listFailedEmails(database, MAX_NAMED);
          const named = emails.map(({ what, of }) => (of === null ? what : `${what} (${of.reference})`));
          const text = nameFirst(sentence, named, count);
          return [{ text, linkText: "See failed emails", path: PATH, look: "bad" }];
        },
      },
    ],
  };
}

/** What the audit trail records of a job: which email it was, and its ids. */
const actOf = (verb: string, { id, data }: FailedJob): Act => ({
  verb,
  subject: "job",
  subjectId: id,
  before: data as object,
});

const isQueue = (name: string): name is Queue => (queues as readonly string[]).includes(name);

/** Removes the job from the failed ones and sends it again. False if somebody else had removed it. */
async function retry(
  { jobs }: Pick<BookkeepingServices, "jobs">,
  transaction: Connection,
  id: string,
  { actor, at }: { actor: Actor; at: Date },
): Promise<boolean> {
  const job = await takeFailedJob(transaction, id);
  if (job === null) return false;
  if (!isQueue(job.queue)) throw new Refusal("This version of the site does not know this kind of job. Discard it.");
  await jobs.send(transaction, job.queue, job.data as JobData[Queue]);
  await recordAct(transaction, actor, actOf("job.retry", job), at);
  return true;
}

function retryOne({ database, jobs, now }: BookkeepingServices): Action {
  return action({
    path: `${PATH}/:id/retry`,
    right: "reconciliation.change",
    screen: PATH,
    fields: z.object({}),
    async run({ params, actor }) {
      const id = requireId(params.id);
      await database.transaction().execute(async (transaction) => {
        if (!(await retry({ jobs }, transaction, id, { actor, at: now() }))) throw new Refusal(GONE);
      });
      return { to: PATH, toast: "The email is being sent again." };
    },
  });
}

function retryAll({ database, jobs, now }: BookkeepingServices): Action {
  return action({
    path: `${PATH}/retry-all`,
    right: "reconciliation.change",
    screen: PATH,
    fields: z.object({}),
    async run({ actor }) {
      const at = now();
      const count = await database.transaction().execute(async (transaction) => {
        // In the order of their ids, so that two people who do this at the same time never deadlock.
        const ids = (await listFailedJobs(transaction)).map(({ id }) => id).sort();
        let retried = 0;
        for (const id of ids) if (await retry({ jobs }, transaction, id, { actor, at })) retried += 1;
        return retried;
      });
      if (count === 0) throw new Refusal("There is no failed email left to retry. Nothing was changed.");
      return {
        to: PATH,
        toast: plural(count, {
          one: "One email is being sent again.",
          other: `${count} emails are being sent again.`,
        }),
      };
    },
  });
}

function discard({ database, now }: BookkeepingServices): Action {
  return action({
    path: `${PATH}/:id/discard`,
    right: "reconciliation.change",
    screen: PATH,
    fields: z.object({ reason: typedText("Write why this email is not needed any more.", 500, 3) }),
    async run({ params, fields: { reason }, actor }) {
      const id = requireId(params.id);
      await database.transaction().execute(async (transaction) => {
        const job = await takeFailedJob(transaction, id);
        if (job === null) throw new Refusal(GONE);
        await recordAct(transaction, actor, { ...actOf("job.discard", job), reason }, now());
      });
      return { to: PATH, toast: "The email is discarded." };
    },
  });
}

function requireId(given: string | undefined): string {
  const id = z.uuid().safeParse(given);
  if (!id.success) throw new Refusal(GONE);
  return id.data;
}
