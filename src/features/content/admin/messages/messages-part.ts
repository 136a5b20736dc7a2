import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import { type DashboardPart, MAX_NAMED, nameFirst } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { readPage } from "#admin/list-place.ts";
import type { PersonPart } from "#admin/person.ts";
import type { Database } from "#shared/database/connect.ts";
import { plural } from "#shared/language.ts";
import {
  changeMessage,
  countMessages,
  findMessage,
  type InboxMessage,
  type ListedMessage,
  listMessages,
  listMessagesFrom,
  listOpenMessages,
  type MessageState,
  messageStates,
} from "../../server/messages.ts";
import { messagesAuditWords } from "../audit-words.ts";
import type { ContentAdminServices } from "../content-services.ts";
import { isMessageId, MESSAGES_PATH, messagePath, messageStatus } from "./message-words.ts";

export type Inbox = {
  readonly state: MessageState;
  readonly counts: Readonly<Record<MessageState, number>>;
  readonly rows: readonly ListedMessage[];
  /** The places at which the next pages begin; null where there is none. */
  readonly newer: string | null;
  readonly older: string | null;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readInbox: (query: Readonly<Record<string, string>>) => Promise<Inbox>;
    readonly findContactMessage: (id: string) => Promise<InboxMessage | null>;
  }
}

const ROWS = 25;

/** The messages of the contact form. */
export function messagesPart(services: ContentAdminServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      readInbox: async (query: Readonly<Record<string, string>>) => {
        const state = messageStates.find((one) => one === query.state) ?? "open";
        const [counts, page] = await Promise.all([
          countMessages(database),
          readPage(query, (edges) => listMessages(database, state, { limit: ROWS, ...edges })),
        ]);
        return { state, counts, ...page };
      },
      findContactMessage: async (id: string) => (isMessageId(id) ? findMessage(database, id) : null),
    },
    actions: [markAction(services)],
    dashboard: [dashboardPart(database)],
    person: [personPart(database)],
    auditWords: messagesAuditWords,
    auditSubjects: { messages: { label: "a message", group: "Messages", path: messagePath } },
  };
}

const verbs = { open: "messages.reopen", answered: "messages.answer", spam: "messages.spam" } as const;

/** Moves a message from the state in which somebody saw it. A colleague's decision in between stands. */
const markAction = ({ database, now }: ContentAdminServices): Action =>
  action({
    path: `${MESSAGES_PATH}/:id`,
    screen: `${MESSAGES_PATH}/:id`,
    right: "messages.change",
    fields: z.object({ from: z.enum(messageStates), to: z.enum(messageStates) }),
    run: ({ params: { id = "" }, fields: { from, to }, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        const change = { id, from, to, by: staff.id, at: now() };
        if (!isMessageId(id) || !(await changeMessage(transaction, change))) {
          throw new Refusal("Somebody has marked this message in the meantime. Nothing was changed.");
        }
        await recordAct(transaction, actor, { verb: verbs[to], subject: "messages", subjectId: id }, now());
        return {
          to: to === "open" ? messagePath(id) : MESSAGES_PATH,
          toast: messageStatus[to].toast,
          undo: { path: messagePath(id), fields: { from: to, to: from } },
        };
      }),
  });

const dashboardPart = (database: Database): DashboardPart => ({
  right: "messages.change",
  listWaiting: async () => {
    const { count, first } = await listOpenMessages(database, MAX_NAMED);
    if (count === 0) return [];
    const sentence = plural(count, {
      one: "A message of the contact form is not answered",
      other: `${count} messages of the contact form are not answered`,
    });
    const senders = first.map(({ name, subject }) => (subject === "" ? name : `${name} (‘${subject}’)`));
    const text = nameFirst(sentence, senders, count);
    return [{ text, linkText: "Answer messages", path: MESSAGES_PATH, look: "act" }];
  },
});

/** The messages on a person's page. */
const personPart = (database: Database): PersonPart => ({
  right: "messages.see",
  findEmail: async (id) => (isMessageId(id) ? ((await findMessage(database, id))?.email ?? null) : null),
  async readTable(email) {
    const messages = await listMessagesFrom(database, email);
    return {
      id: "messages",
      title: "Messages",
      caption: "Messages of the contact form from this email address, latest first",
      about: "About",
      detailsTitle: "Answered by",
      rows: messages.map(({ id, subject, at, state, closedBy }) => ({
        reference: "Message",
        path: messagePath(id),
        title: subject || "No subject",
        details: closedBy === null ? [] : [closedBy],
        at,
        status: messageStatus[state],
        cents: null,
      })),
      none: "Nobody wrote from this email address with the contact form.",
      names: [...new Set(messages.map(({ name }) => name))],
    };
  },
});
