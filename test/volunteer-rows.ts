import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { newReference } from "#payments/reference.ts";
import type { Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { putPrivateFile } from "#shared/images/private-files.ts";

/** Writes an application with a tiny photo and signature, with any `changes`. Returns its id. */
export async function makeApplication(
  database: Database,
  changes: Partial<Insertable<Tables["volunteer_applications"]>> = {},
): Promise<string> {
  const id = randomUUID();
  const now = changes.created_at ?? new Date();
  const picture = { width: 1, height: 1, bytes: Buffer.from("picture") };
  await database.transaction().execute(async (transaction) => {
    const photo = await putPrivateFile(transaction, { ...picture, media_type: "image/jpeg" }, now);
    const signature = await putPrivateFile(transaction, { ...picture, media_type: "image/png" }, now);
    await transaction
      .insertInto("volunteer_applications")
      .values({
        id,
        client_key: randomUUID(),
        reference: newReference("V"),
        name: "Amina Raza",
        street: "12 Harbour Street",
        state: "New South Wales",
        country: "Australia",
        postcode: "2144",
        mobile: "0412 345 678",
        email: "amina@example.com",
        preferred_contact: "Email",
        availability: "Weekend",
        interests: ["Events", "Fundraising"],
        emergency_name: "Bilal Raza",
        emergency_postcode: "2144",
        emergency_city: "Auburn",
        emergency_state: "New South Wales",
        emergency_country: "Australia",
        emergency_mobile: "0498 765 432",
        emergency_email: "bilal@example.com",
        emergency_preferred_contact: "SMS",
        photo_file_id: photo,
        signature_file_id: signature,
        created_at: now,
        updated_at: now,
        ...changes,
      })
      .execute();
  });
  return id;
}
