import type { FastifyInstance, FastifyReply } from "fastify";
import type { Database } from "#shared/database/connect.ts";
import { type MailboxEmail, mailboxPage, mailboxStyle } from "./mailbox-page.ts";

const MAX_LISTED = 500;
const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Shows an email as a mail program would: with its style, without scripts or requests, links in a new window. */
const emailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; " +
  "sandbox allow-popups allow-popups-to-escape-sandbox";

/** The stored emails, for people and programs. Registered only on sites without real mail and money. */
export async function mailboxRoutes(app: FastifyInstance, { database }: { database: Database }) {
  app.get<{ Querystring: { to?: string } }>("/dev/mail", async ({ query }, reply) => {
    const to = recipientOf(query);
    const emails = await listEmails(database, to);
    return secured(reply, pagePolicy).type("text/html; charset=utf-8").send(mailboxPage(emails, to));
  });

  app.get("/dev/mail.css", async (_request, reply) => reply.type("text/css; charset=utf-8").send(mailboxStyle));

  app.get<{ Querystring: { to?: string } }>("/dev/mail.json", async ({ query }, reply) =>
    secured(reply, pagePolicy).send(await listEmails(database, recipientOf(query))),
  );

  app.get<{ Params: { id: string } }>("/dev/mail/:id(^\\d{1,15}$).html", async ({ params }, reply) => {
    const email = await findEmail(database, params.id);
    if (email === undefined) return reply.callNotFound();
    return secured(reply, emailPolicy)
      .header("x-frame-options", "SAMEORIGIN")
      .type("text/html; charset=utf-8")
      .send(email.html_body.replace("<head>", '<head><base target="_blank">'));
  });

  app.get<{ Params: { id: string; n: string } }>(
    "/dev/mail/:id(^\\d{1,15}$)/attachments/:n(^\\d{1,3}$)",
    async ({ params }, reply) => {
      const email = await findEmail(database, params.id);
      const about = email?.attachments[Number(params.n)];
      const content = email && attachmentContent(email.source, Number(params.n));
      if (about === undefined || content === undefined) return reply.callNotFound();
      return secured(reply, "default-src 'none'; sandbox")
        .header("x-content-type-options", "nosniff")
        .header("content-disposition", `attachment; filename="${about.filename}"`)
        .type(about.contentType)
        .send(content);
    },
  );
}

function secured(reply: FastifyReply, policy: string): FastifyReply {
  return reply.header("content-security-policy", policy).header("cache-control", "no-store");
}

function recipientOf({ to }: { to?: unknown }): string | undefined {
  return typeof to === "string" && /^\P{Cc}+$/u.test(to) ? to : undefined;
}

async function findEmail(database: Database, id: string) {
  return database.selectFrom("mailbox_messages").selectAll().where("id", "=", Number(id)).executeTakeFirst();
}

async function listEmails(database: Database, to: string | undefined): Promise<MailboxEmail[]> {
  const rows = await database
    .selectFrom("mailbox_messages")
    .select(["id", "message_id", "sent_at", "recipient", "sender", "subject", "text_body", "html_body", "attachments"])
    .$if(to !== undefined, (query) => query.where("recipient", "=", to!))
    .orderBy("id", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    messageId: row.message_id,
    sentAt: row.sent_at.toISOString(),
    to: row.recipient,
    from: row.sender,
    subject: row.subject,
    text: row.text_body,
    html: row.html_body,
    attachments: row.attachments.map((about, index) => ({
      ...about,
      url: `/dev/mail/${row.id}/attachments/${index}`,
    })),
  }));
}

/** The content of an email's nth attachment as nodemailer writes it: each is a base64 part. */
export function attachmentContent(source: Buffer, index: number): Buffer | undefined {
  const text = source.toString("latin1");
  const boundary = /boundary="([^"]+)"/.exec(text)?.[1];
  if (boundary === undefined) return undefined;
  const attached = text
    .split(`\r\n--${boundary}`)
    .map((part) => {
      const end = part.indexOf("\r\n\r\n");
      return { head: part.slice(0, end), body: part.slice(end + 4) };
    })
    .filter(({ head }) => /^Content-Disposition: attachment/im.test(head))[index];
  return attached && Buffer.from(attached.body, "base64");
}
