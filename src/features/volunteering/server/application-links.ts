import type { DocumentLinks } from "#shared/links/send-link.ts";

/** Links to an applicant's own page. */
export const applicationLinks: DocumentLinks = {
  async findId(connection, reference) {
    const query = connection.selectFrom("volunteer_applications").select("id").where("reference", "=", reference);
    return (await query.executeTakeFirst())?.id;
  },
  async findRecipient(connection, id) {
    const query = connection.selectFrom("volunteer_applications").select(["email", "reference"]).where("id", "=", id);
    const row = await query.executeTakeFirst();
    // Like all letters to applicants it says nothing that was typed, not even the name.
    return row?.email ? { name: "", address: row.email, title: `your application ${row.reference}` } : null;
  },
};
