import type { JobData } from "#shared/jobs/queues.ts";
import { writeLinkLetter } from "#shared/links/send-link.ts";
import type { Letter } from "#shared/mail/mail.ts";
import { findLetterWriter } from "./feature.ts";
import { findRecipient } from "./linked-documents.ts";
import type { Services } from "./services.ts";

/**
 * The handler of the `letters` queue: the feature that a job belongs to writes the letter, and it is sent; a throw brings
 * the job back later, so that a letter goes out at least once.
 */
export function sendLetters({
  database,
  mail,
  organisation,
  config,
  payments,
  now,
}: Pick<Services, "database" | "mail" | "organisation" | "config" | "payments" | "now">) {
  const context = { database, organisation: organisation.current, config, now };
  return async (job: JobData["letters"]): Promise<void> => {
    const letter = await writeLetter(job);
    if (letter === null) return;
    await mail.send(letter);
    payments.crash("mail_sent");
  };

  async function writeLetter(job: JobData["letters"]): Promise<Letter | null> {
    if (job.letter !== "fresh-link") return findLetterWriter(job.letter)(context, job);
    const sender = { organisation: organisation.current(), publicUrl: config.publicUrl };
    return writeLinkLetter(sender, config, { job, recipient: await findRecipient(database, job) });
  }
}
