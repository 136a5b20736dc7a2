import { sql } from "kysely";
import { cutPage, type ListPage, type PageEdges } from "#admin/list-place.ts";
import type { Connection } from "#shared/database/connect.ts";

export const messageStates = ["open", "answered", "spam"] as const;
export type MessageState = (typeof messageStates)[number];

export type ListedMessage = {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  /** Its beginning, on one line. */
  readonly beginning: string;
  readonly at: Date;
};

export type InboxMessage = Pick<ListedMessage, "id" | "name" | "subject" | "at"> & {
  readonly email: string;
  readonly phone: string;
  readonly text: string;
  readonly state: MessageState;
  /** Null while it is open. */
  readonly closedAt: Date | null;
  /** Null while it is open, and if that account is gone. */
  readonly closedBy: string | null;
};

type Asked = PageEdges & { readonly limit: number };

/** A page of the messages in this state, newest first. */
export async function listMessages(
  connection: Connection,
  state: MessageState,
  { limit, olderThan, newerThan }: Asked,
): Promise<ListPage<ListedMessage>> {
  const isUpwards = olderThan === null && newerThan !== null;
  const edge = olderThan ?? newerThan;
  const side = isUpwards ? sql`>` : sql`<`;
  const beyond = edge === null ? sql`` : sql`and (created_at, id) ${side} (${edge.at}::timestamptz, ${edge.id}::uuid)`;
  const { rows } = await sql<ListedMessage>`
    select id, name, subject, left(regexp_replace(message, '\\s+', ' ', 'g'), 140) as beginning, created_at as at
      from contact_messages where state = ${state} ${beyond}
     order by ${isUpwards ? sql`created_at, id` : sql`created_at desc, id desc`} limit ${limit + 1}`.execute(
    connection,
  );
  return cutPage(rows, { limit, edge, isUpwards });
}

export async function countMessages(connection: Connection): Promise<Readonly<Record<MessageState, number>>> {
  const { rows } = await sql<{ state: MessageState; count: number }>`
    select state, count(*)::int as count from contact_messages group by state`.execute(connection);
  return { open: 0, answered: 0, spam: 0, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** Who wrote the open messages, and about what; those that have waited longest first. */
export async function listOpenMessages(connection: Connection, limit: number) {
  const { rows } = await sql<{ name: string; subject: string; count: number }>`
    select name, subject, count(*) over ()::integer as count from contact_messages where state = 'open'
     order by created_at, id limit ${limit}`.execute(connection);
  return { count: rows[0]?.count ?? 0, first: rows };
}

const messages = (connection: Connection) =>
  connection
    .selectFrom("contact_messages as message")
    .leftJoin("staff", "staff.id", "message.closed_by")
    .select(["message.id", "message.name", "message.subject", "message.email", "message.phone", "message.state"])
    .select(["message.message as text", "message.created_at as at"])
    .select(["message.closed_at as closedAt", "staff.name as closedBy"]);

export async function findMessage(connection: Connection, id: string): Promise<InboxMessage | null> {
  return (await messages(connection).where("message.id", "=", id).executeTakeFirst()) ?? null;
}

/** What was written under this address, however it is spelt, latest first. */
export function listMessagesFrom(connection: Connection, email: string): Promise<InboxMessage[]> {
  return messages(connection)
    .where(sql<boolean>`lower(message.email) = lower(${email})`)
    .orderBy("message.created_at", "desc")
    .execute();
}

type Change = {
  readonly id: string;
  readonly from: MessageState;
  readonly to: MessageState;
  readonly by: number;
  readonly at: Date;
};

/** Returns whether the message was still in the state `from`. */
export async function changeMessage(transaction: Connection, { id, from, to, by, at }: Change): Promise<boolean> {
  const closing = to === "open" ? { closed_at: null, closed_by: null } : { closed_at: at, closed_by: by };
  const { numUpdatedRows } = await transaction
    .updateTable("contact_messages")
    .set({ state: to, ...closing })
    .where("id", "=", id)
    .where("state", "=", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
