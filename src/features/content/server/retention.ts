import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { plural } from "#shared/language.ts";
import { columns, type ErasurePlan, eraseBy, type Holdings, isOf, type Person } from "#shared/retention/retention.ts";
import { homeColumns } from "../home-texts.ts";
import { menuNames } from "../menu-links.ts";

const deleteOldMessages = eraseBy(
  ({ now, limit }) => sql`
    delete from contact_messages where id in (
      select id from contact_messages where created_at < ${now}::timestamptz - interval '1 year'
       order by created_at limit ${limit} for update skip locked)`,
);

async function listMessagesOf(connection: Connection, person: Person) {
  return connection
    .selectFrom("contact_messages")
    .select(["created_at as sentAt", "name", "email", "phone", "subject", "message"])
    .$if(person.askedBy === "staff", (query) => query.select(["state", "closed_at as closedAt"]))
    .where(isOf(person))
    .orderBy("created_at")
    .execute();
}

async function planErasure(connection: Connection, person: Person): Promise<ErasurePlan | null> {
  const messages = await listMessagesOf(connection, person);
  if (messages.length === 0) return null;
  const erases = plural(messages.length, {
    one: "Their message of the contact form",
    other: `Their ${messages.length} messages of the contact form`,
  });
  return { title: "Messages", erases: [erases], keeps: [], obstacles: [] };
}

export const contentHoldings: Holdings = {
  rules: [
    {
      name: "messages",
      where: "Contact form",
      what: "Name, email and message; if you wish, phone and subject",
      why: "To answer you, and to know what was said if you write again.",
      kept: "Until one year after you sent it, or until you close your account.",
      afterwards: "Then it is deleted.",
      columns: columns("contact_messages", "name", "email", "phone", "subject", "message", "user_id"),
      erase: deleteOldMessages,
    },
    {
      name: "authors",
      where: "Events and pictures on this site",
      what: "The name of the member of staff who added them",
      why: "To say who is responsible for them.",
      kept: "As long as the event or picture is on the site.",
      afterwards: "Then staff delete it.",
      columns: [...columns("events", "created_by"), ...columns("gallery_items", "created_by")],
    },
  ],
  notPersonal: [
    ...columns("pages", "type", "title", "html", "image", "image_words", "links", "state", "search_description"),
    ...columns("introductions", "type", "title", "lede", "search_description"),
    ...columns("own_pages", "slug", "title", "summary", "html", "image", "image_words", "state"),
    ...columns("services", "type", "title", "summary", "lede", "give_to", "cause", "donation", "image"),
    ...columns("services", "image_words", "figures", "html", "questions", "state"),
    ...columns("causes", "title", "description", "image", "image_words", "state"),
    ...columns("testimonials", "title", "image", "image_words", "state"),
    ...columns("news", "slug", "title", "excerpt", "html", "image", "image_words", "state"),
    ...columns("gallery_items", "title", "description", "image", "image_words", "state"),
    ...columns("banners", "title", "link_label", "link_address", "state"),
    ...columns("events", "slug", "title", "summary", "html", "image", "image_words", "place", "time_zone", "state"),
    ...columns("home", "type", "title", ...Object.values(homeColumns)),
    ...columns("menus", "type", "title", ...menuNames),
    ...columns("redirects", "path", "target"),
    ...columns("content_items", "kind", "live_key"),
    ...columns("content_versions", "data"),
    ...columns("contact_messages", "state"),
    ...columns("external_links", "address", "host", "state", "reason"),
    ...columns("external_link_uses", "kind", "live_key"),
  ],
  // The account's own number, and the names of staff.
  notExported: [
    ...columns("contact_messages", "user_id"),
    ...columns("events", "created_by"),
    ...columns("gallery_items", "created_by"),
  ],
  exportOf: async (connection, person) => ({ messages: await listMessagesOf(connection, person) }),
  listSubjects: async (connection, person) => {
    const messages = await connection.selectFrom("contact_messages").select("id").where(isOf(person)).execute();
    return messages.map(({ id }) => ({ subject: "messages", subjectId: id }));
  },
  planErasure,
  release: async (transaction, person) => {
    await transaction.deleteFrom("contact_messages").where(isOf(person)).execute();
  },
};
