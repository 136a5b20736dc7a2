import { writeAccountLetter } from "#features/accounts/server/letters.ts";
import { writeContactLetter } from "#features/content/server/contact-letters.ts";
import { writeDonationLetter } from "#features/donations/server/write-letters.ts";
import { writeTicketLetter } from "#features/tickets/server/write-letters.ts";
import { writeVolunteerLetter } from "#features/volunteering/server/letters.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { writeLinkLetter } from "#shared/links/send-link.ts";
import type { Letter } from "#shared/mail/mail.ts";
import { writeProviderLetter } from "#shared/payments/provider-letters.ts";
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
    switch (job.letter) {
      case "contact-message":
      case "contact-answer":
        return writeContactLetter(context, job);
      case "provider-away":
      case "reconciliation":
        return writeProviderLetter(context, job);
      case "welcome":
      case "address-check":
      case "reset-code":
      case "password-changed":
      case "passkey-added":
      case "passkey-removed":
      case "passkey-blocked":
        return writeAccountLetter(context, job);
      case "application-received":
      case "new-application":
      case "application-decided":
      case "volunteer-left":
      case "check-ends":
      case "volunteer-check-ends":
        return writeVolunteerLetter(context, job);
      case "tickets":
      case "tickets-refused":
      case "tickets-payment-outcome":
      case "tickets-cancelled":
      case "tickets-refund":
        return writeTicketLetter(context, job);
      case "fresh-link": {
        const recipient = await findRecipient(database, job);
        return writeLinkLetter({ organisation: organisation.current(), publicUrl: config.publicUrl }, config, {
          job,
          recipient,
        });
      }
      default:
        return writeDonationLetter(context, job);
    }
  }
}
