import { LRUCache } from "lru-cache";
import type { JobData } from "#shared/jobs/queues.ts";
import { linkEmails, writeLinkEmail } from "#shared/links/send-link.ts";
import { readSender, type Sender } from "#shared/mail/compose-email.ts";
import type { DeclaredEmail } from "#shared/mail/declared-email.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { allFeatures, findEmailWriter } from "./feature.ts";
import { findRecipient } from "./linked-documents.ts";
import type { Services } from "./services.ts";

/** The emails of all features, by what they are about. */
function groupEmails(): ReadonlyMap<string, readonly DeclaredEmail[]> {
  const groups = new Map<string, DeclaredEmail[]>();
  for (const { emailTexts = {} } of allFeatures) {
    for (const [about, emails] of Object.entries(emailTexts))
      groups.set(about, [...(groups.get(about) ?? []), ...emails]);
  }
  return groups.set("Links to documents", [...linkEmails]);
}

/** Every email that the site sends. */
export const emailGroups = groupEmails();

/** Of many emails at once, each would read the same texts and the same logo again. */
const KEEP_SENDER_MS = 1000;

/**
 * Handles the `emails` queue. If it throws, the job is retried, so every email is sent at least once. An email that has
 * nothing left to say is not sent.
 */
export function sendEmails({
  database,
  files,
  mail,
  organisation,
  config,
  payments,
  now,
}: Pick<Services, "database" | "files" | "mail" | "organisation" | "config" | "payments" | "now">) {
  const senders = new LRUCache<"sender", Sender>({
    max: 1,
    ttl: KEEP_SENDER_MS,
    fetchMethod: () => readSender({ database, files, organisation, config }),
  });
  return async (job: JobData["emails"]): Promise<{ readonly isSent: boolean }> => {
    const email = await writeEmail(job);
    if (email === null) return { isSent: false };
    await mail.send(email);
    payments.crash("mail_sent");
    return { isSent: true };
  };

  async function writeEmail(job: JobData["emails"]): Promise<EmailMessage | null> {
    const sender = await senders.forceFetch("sender");
    if (job.template !== "new-link") return findEmailWriter(job.template)({ database, sender, config, now }, job);
    return writeLinkEmail(sender, config, { job, recipient: await findRecipient(database, job) });
  }
}
