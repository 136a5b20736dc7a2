import type { ColumnType, Generated } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    mailbox_messages: {
      id: Generated<number>;
      message_id: string;
      sent_at: Date;
      recipient: string;
      sender: string;
      subject: string;
      text_body: string;
      html_body: string;
      attachments: ColumnType<MailboxAttachment[], string, never>;
      source: Buffer;
    };
  }
}

type MailboxAttachment = { filename: string; contentType: string; bytes: number };
