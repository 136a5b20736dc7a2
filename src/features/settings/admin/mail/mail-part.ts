import { randomUUID } from "node:crypto";
import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { composeEmail, readSender, type Sender } from "#shared/mail/compose-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { explainMailError, whereOf } from "#shared/mail/explain-mail-error.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { domainOf, type MailDomain, readMailDomain } from "#shared/mail/mail-domain.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

export const MAIL_PATH = "/admin/settings/mail";

/** How the site sends emails: never a user name or a password. */
export type MailSettings = {
  /** Host and port; null without a mail server. */
  readonly server: string | null;
  readonly from: string;
  /** Emails are kept at /dev/mail. */
  readonly hasMailbox: boolean;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly mailSettings: MailSettings;
    /** Asks the DNS, which takes up to some seconds. */
    readonly readMailDomain: () => Promise<MailDomain>;
  }
}

/** How the site sends emails, and a test of it. */
export function mailPart(services: SettingsServices): AdminPart {
  const { config, database, mail, now } = services;
  const { smtpUrl, from, dkimSelector } = config.mail;
  const hasMailbox = config.isDemo && smtpUrl === undefined;
  return {
    reads: {
      mailSettings: { server: smtpUrl === undefined ? null : whereOf(smtpUrl), from, hasMailbox },
      readMailDomain: () => readMailDomain(domainOf(from), dkimSelector),
    },
    actions: [
      action({
        path: MAIL_PATH,
        screen: MAIL_PATH,
        right: "settings.change",
        fields: z.object({}),
        run: async ({ staff, actor }) => {
          if (smtpUrl === undefined && !hasMailbox) {
            throw new Refusal("SMTP_URL is not set, so nothing was sent. Whoever runs the server sets it.");
          }
          const to = { name: staff.name, address: staff.email };
          await mail.send(testEmail(await readSender(services), to)).catch((error: unknown) => {
            throw new Refusal(`Nothing was sent. ${explainMailError(error, smtpUrl ?? "")}`);
          });
          await recordAct(database, actor, { verb: "mail.test", subject: "mail", subjectId: "" }, now());
          const check = hasMailbox
            ? "The test email is in the mailbox at /dev/mail: without SMTP_URL no email leaves this machine."
            : `The mail server has taken the test email to ${staff.email}. If it is not there in a few minutes, look among the junk mail: then what is said below about your domain matters.`;
          return { check };
        },
      }),
    ],
  };
}

const testEmail = (sender: Sender, to: EmailMessage["to"]): EmailMessage =>
  composeEmail(sender, {
    id: `mail-test-${randomUUID()}`,
    to,
    subject: `Test email of ${sender.organisation.name}`,
    blocks: [
      paragraph("This email was sent from the back office, to test that emails of the site arrive."),
      paragraph(
        "Did it arrive among your other emails, and not among the junk? Open its details or its original: SPF, DKIM and DMARC should all say ‘pass’.",
      ),
    ],
  });
