import type { JobData } from "#shared/jobs/queues.ts";
import { linkEmails, writeLinkEmail } from "#shared/links/send-link.ts";
import { readSender } from "#shared/mail/compose-email.ts";
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

/** Handles the `emails` queue. If it throws, the job is retried, so every email is sent at least once. */
export function sendEmails({
  database,
  files,
  mail,
  organisation,
  config,
  payments,
  now,
}: Pick<Services, "database" | "files" | "mail" | "organisation" | "config" | "payments" | "now">) {
  return async (job: JobData["emails"]): Promise<void> => {
    const email = await writeEmail(job);
    if (email === null) return;
    await mail.send(email);
    payments.crash("mail_sent");
  };

  async function writeEmail(job: JobData["emails"]): Promise<EmailMessage | null> {
    const sender = await readSender({ database, files, organisation, config });
    if (job.template !== "new-link") return findEmailWriter(job.template)({ database, sender, config, now }, job);
    return writeLinkEmail(sender, config, { job, recipient: await findRecipient(database, job) });
  }
}
