import type { Selectable } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { putPrivateFile, type WrittenFile } from "#shared/images/private-files.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Application } from "../application.ts";

export type VolunteerServices = { readonly database: Database; readonly jobs: Jobs; readonly now: () => Date };

export type ApplicationRow = Selectable<Tables["volunteer_applications"]>;

/** Locks the application until the transaction ends. */
export function lockApplication(transaction: Connection, id: string): Promise<ApplicationRow | undefined> {
  return transaction
    .selectFrom("volunteer_applications")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

type NewApplication = {
  readonly id: string;
  readonly reference: string;
  readonly key: string;
  readonly userId: number | null;
  readonly application: Application;
};

/** Inserts an application; false if there is already one with this key. */
export async function insertApplication(
  transaction: Connection,
  { id, reference, key, userId, application }: NewApplication,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .insertInto("volunteer_applications")
    .values({
      id,
      reference,
      client_key: key,
      ...columnsOf(application),
      photo_file_id: null,
      signature_file_id: null,
      user_id: userId,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("client_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores both pictures, already encoded, and links them to the application. */
export async function keepFiles(
  transaction: Connection,
  id: string,
  { photo, signature }: { photo: WrittenFile; signature: WrittenFile },
  now: Date,
): Promise<void> {
  const photo_file_id = await putPrivateFile(transaction, photo, now);
  const signature_file_id = await putPrivateFile(transaction, signature, now);
  await transaction
    .updateTable("volunteer_applications")
    .set({ photo_file_id, signature_file_id })
    .where("id", "=", id)
    .execute();
}

/** An application's own fields as columns of `volunteer_applications`, without its pictures. */
export function columnsOf(application: Application) {
  const { preferredContact, ...rest } = application;
  return {
    name: rest.name,
    street: rest.street,
    state: rest.state,
    country: rest.country,
    postcode: rest.postcode,
    mobile: rest.mobile,
    email: rest.email,
    preferred_contact: preferredContact,
    skills: rest.skills,
    experience: rest.experience,
    availability: rest.availability,
    interests: [...rest.interests],
    emergency_name: rest.emergencyName,
    emergency_postcode: rest.emergencyPostcode,
    emergency_city: rest.emergencyCity,
    emergency_state: rest.emergencyState,
    emergency_country: rest.emergencyCountry,
    emergency_mobile: rest.emergencyMobile,
    emergency_email: rest.emergencyEmail,
    emergency_preferred_contact: rest.emergencyPreferredContact,
  };
}

/** The inverse of `columnsOf`. */
export function applicationOf(row: ApplicationRow): Application {
  const { name, street, state, country, postcode, mobile, email, skills, experience, availability } = row;
  return {
    name,
    street,
    state,
    country,
    postcode,
    mobile,
    email,
    skills,
    experience,
    availability,
    preferredContact: row.preferred_contact,
    interests: row.interests as Application["interests"],
    emergencyName: row.emergency_name,
    emergencyPostcode: row.emergency_postcode,
    emergencyCity: row.emergency_city,
    emergencyState: row.emergency_state,
    emergencyCountry: row.emergency_country,
    emergencyMobile: row.emergency_mobile,
    emergencyEmail: row.emergency_email,
    emergencyPreferredContact: row.emergency_preferred_contact,
  };
}

/** The reference of the application sent under this key. */
export async function findByKey(connection: Connection, key: string): Promise<string | undefined> {
  const row = await connection
    .selectFrom("volunteer_applications")
    .select("reference")
    .where("client_key", "=", key)
    .executeTakeFirst();
  return row?.reference;
}
