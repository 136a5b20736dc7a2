import { sql } from "kysely";
import { forgetOldCaptchaUses } from "#shared/captcha/captcha.ts";
import { forgetOldCounts } from "#shared/limits/count.ts";
import { columns, eraseBy, type Holdings } from "#shared/retention/retention.ts";

const deleteOldEmails = eraseBy(
  ({ now, most }) => sql`
    delete from mailbox_messages where id in (
      select id from mailbox_messages where sent_at < ${now}::timestamptz - interval '30 days'
       order by sent_at limit ${most} for update skip locked)`,
);

/** What the site keeps that belongs to no feature. */
export const siteHoldings: Holdings = {
  rules: [
    {
      name: "emails",
      where: "Email that the site sends",
      what: "What it is about, by number, without name or address. Its text is written when it is sent; only a test site keeps it",
      why: "So that no email is lost.",
      kept: "Seven days after it was sent, 90 days if it could not be sent. The text on a test site: 30 days.",
      afterwards: "Then it is deleted here. Your mailbox and ours keep their own copies.",
      columns: [
        ...columns("mailbox_messages", "message_id", "recipient", "sender", "subject", "text_body", "html_body"),
        ...columns("mailbox_messages", "attachments", "source"),
        "pgboss.job.data",
        "pgboss.job.output",
      ],
      erase: deleteOldEmails,
    },
    {
      name: "limits",
      where: "Protection against abuse",
      what: "Counts of requests and log-in attempts, under codes that cannot be turned back into an address or email; the number of each captcha that was solved",
      why: "To stop people from trying thousands of cards, passwords or forms.",
      kept: "From a quarter of an hour to a day.",
      afterwards: "Then it is deleted.",
      columns: [...columns("rate_limits", "key"), ...columns("captcha_uses", "nonce")],
      erase: async (transaction, due) =>
        (await forgetOldCounts(transaction, due.now, due.most)) + (await forgetOldCaptchaUses(transaction, due.now)),
    },
  ],
  notPersonal: [
    ...columns("site_settings", "key", "value"),
    ...columns("images", "hash", "color", "name", "replaced_by"),
    ...columns("image_variants", "hash", "format", "bytes"),
    ...columns("image_avif_tries", "hash"),
    ...columns("image_originals", "hash", "bytes"),
    ...columns("countries", "code", "name", "dial_code"),
    ...columns("states", "code", "name"),
    ...columns("link_revocations", "path", "revoked_by"),
    ...columns("backups", "file", "fault"),
    "migrations.name",
  ],
  // How an email was sent, its text in other forms, and codes that nobody can turn back.
  notExported: [
    ...columns("mailbox_messages", "message_id", "recipient", "sender", "html_body", "attachments", "source"),
    ...columns("rate_limits", "key"),
    ...columns("captcha_uses", "nonce"),
  ],
  exportOf: async (connection, { email, isConfirmed }) => {
    if (!isConfirmed) return {};
    const emails = await connection
      .selectFrom("mailbox_messages")
      .select(["sent_at as sentAt", "subject", "text_body as text"])
      .where(sql<boolean>`lower(recipient) = lower(${email})`)
      .orderBy("sent_at")
      .execute();
    return { emails };
  },
  // Emails to staff mention the person too.
  release: async (transaction, { email }) => {
    const isAbout = sql<boolean>`(lower(recipient) = lower(${email}) or position(lower(${email}) in lower(text_body)) > 0)`;
    await transaction.deleteFrom("mailbox_messages").where(isAbout).execute();
  },
};
