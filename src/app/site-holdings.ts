import { sql } from "kysely";
import { forgetOldCaptchaUses } from "#shared/captcha/captcha.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isToSendOrSent } from "#shared/jobs/sent-emails.ts";
import { formatNumber, plural } from "#shared/language.ts";
import { forgetOldCounts } from "#shared/limits/count.ts";
import { columns, eraseBy, type Holdings, type PersonSubject } from "#shared/retention/retention.ts";

const deleteOldEmails = eraseBy(
  ({ now, limit }) => sql`
    delete from mailbox_messages where id in (
      select id from mailbox_messages where sent_at < ${now}::timestamptz - interval '30 days'
       order by sent_at limit ${limit} for update skip locked)`,
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
        (await forgetOldCounts(transaction, due.now, due.limit)) + (await forgetOldCaptchaUses(transaction, due.now)),
    },
  ],
  notPersonal: [
    ...columns("site_settings", "key", "value"),
    ...columns("images", "hash", "color", "name", "replaced_by"),
    ...columns("image_variants", "hash", "format", "bytes", "object_sha256"),
    ...columns("image_avif_tries", "hash"),
    ...columns("image_originals", "hash", "bytes", "object_sha256"),
    ...columns("countries", "code", "name", "dial_code"),
    ...columns("states", "code", "name"),
    ...columns("link_revocations", "path", "revoked_by"),
    ...columns("backups", "file", "fault"),
    "migrations.name",
    "migrations.kind",
  ],
  // How an email was sent, its text in other forms, and codes that nobody can turn back.
  notExported: [
    ...columns("mailbox_messages", "message_id", "recipient", "sender", "html_body", "attachments", "source"),
    ...columns("rate_limits", "key"),
    ...columns("captcha_uses", "nonce"),
  ],
  exportOf: async (connection, { email, isConfirmed, askedBy }, subjects) => {
    if (!isConfirmed) return {};
    const emails = await connection
      .selectFrom("mailbox_messages")
      .select(["sent_at as sentAt", "subject", "text_body as text"])
      .where(sql<boolean>`lower(recipient) = lower(${email})`)
      .orderBy("sent_at")
      .execute();
    return { emails, ...(askedBy === "staff" && { emailsByNumber: await listEmailJobs(connection, subjects) }) };
  },
  planErasure: async (connection, { email }) => {
    const { count } = await connection
      .selectFrom("mailbox_messages")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(mentions(email))
      .executeTakeFirstOrThrow();
    if (count === 0) return null;
    const erases = plural(count, {
      one: "An email to or about them, which this test site keeps",
      other: `${formatNumber(count)} emails to or about them, which this test site keeps`,
    });
    return { title: "Emails", erases: [erases], keeps: [], obstacles: [] };
  },
  release: async (transaction, { email }) => {
    await transaction.deleteFrom("mailbox_messages").where(mentions(email)).execute();
  },
};

/** Emails to staff mention the person too. */
const mentions = (email: string) =>
  sql<boolean>`(lower(recipient) = lower(${email}) or position(lower(${email}) in lower(text_body)) > 0)`;

/** Which emails about these the queue still knows: what they are about, and when. It has no texts. */
async function listEmailJobs(connection: Connection, subjects: readonly PersonSubject[]): Promise<object[]> {
  const ids = subjects.map(({ subjectId }) => subjectId);
  const { rows } = await sql<object>`
    with purchases as (
      select id from payment_attempts where donation_id = any(${ids}::uuid[]) or ticket_order_id = any(${ids}::uuid[])
    ), known as (
      select unnest(${ids}::text[]) as id
      union all select id::text from purchases
      union all select refunds.id::text from refunds join purchases on purchases.id = attempt_id)
    select data ->> 'template' as email, created_on as "askedAt", completed_on as "sentAt", state
      from pgboss.job
     where name = 'emails' and ${isToSendOrSent}
       and exists (select from jsonb_each_text(data) where value in (select id from known))
     order by created_on, job.id`.execute(connection);
  return rows;
}
