import type { JobData } from "#shared/jobs/queues.ts";
import { writeLinkEmail } from "#shared/links/send-link.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { findEmailWriter } from "./feature.ts";
import { findRecipient } from "./linked-documents.ts";
import type { Services } from "./services.ts";

/** Handles the `emails` queue. If it throws, the job is retried, so every email is sent at least once. */
export function sendEmails({
  database,
  mail,
  organisation,
  config,
  payments,
  now,
}: Pick<Services, "database" | "mail" | "organisation" | "config" | "payments" | "now">) {
  return async (job: JobData["emails"]): Promise<void> => {
    const email = await writeEmail(job);
    if (email === null) return;
    await mail.send(email);
    payments.crash("mail_sent");
  };

  async function writeEmail(job: JobData["emails"]): Promise<EmailMessage | null> {
    const sender = { organisation: organisation.current(), publicUrl: config.publicUrl };
    if (job.template !== "new-link") return findEmailWriter(job.template)({ database, sender, config, now }, job);
    return writeLinkEmail(sender, config, { job, recipient: await findRecipient(database, job) });
  }
}
