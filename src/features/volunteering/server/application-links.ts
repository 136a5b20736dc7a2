import type { DocumentLinks } from "#shared/links/send-link.ts";

export const applicationLinks: DocumentLinks = {
  async findId(connection, reference) {
    const query = connection.selectFrom("volunteer_applications").select("id").where("reference", "=", reference);
    return (await query.executeTakeFirst())?.id;
  },
  async findRecipient(connection, id) {
    const query = connection.selectFrom("volunteer_applications").select(["email", "reference"]).where("id", "=", id);
    const row = await query.executeTakeFirst();
    // Emails to applicants repeat nothing that was typed, not even the name.
    return row?.email
      ? {
          name: "",
          address: row.email,
          heading: `A new link to your application ${row.reference}`,
          label: `Open your application ${row.reference}`,
        }
      : null;
  },
};
