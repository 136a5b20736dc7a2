import { z } from "zod";
import type { DocumentLinks } from "#shared/links/send-link.ts";

/** Links to a place on a waiting list. It has no reference but its id. */
export const waitingLinks: DocumentLinks = {
  async findId(connection, reference) {
    if (!z.uuid().safeParse(reference).success) return undefined;
    const query = connection.selectFrom("waiting_entries").select("id").where("id", "=", reference);
    return (await query.executeTakeFirst())?.id;
  },
  async findRecipient(connection, id) {
    const query = connection.selectFrom("waiting_entries").select(["email", "first_name", "last_name"]);
    const entry = await query.where("id", "=", id).executeTakeFirst();
    if (entry === undefined) return null;
    return {
      name: `${entry.first_name} ${entry.last_name}`,
      address: entry.email,
      heading: "A new link to your place on the waiting list",
      label: "See your place",
    };
  },
};
