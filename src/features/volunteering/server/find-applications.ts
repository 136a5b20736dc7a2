import { sql } from "kysely";
import { z } from "zod";
import { readReference } from "#payments/reference.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Stage } from "../stages.ts";

/** An application, as staff find it. */
export type FoundApplication = {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly interests: readonly string[];
  readonly roles: readonly string[];
  readonly stage: Stage;
  readonly at: Date;
  readonly check: { readonly expiresOn: string; readonly isVerified: boolean } | null;
};

/** The most applications that a person’s page lists, and the most that a search finds. */
const MAX_LISTED = 200;
const MAX_FOUND = 5;

const columns = sql`
  a.id, a.reference, a.name, a.interests, a.roles, a.stage, a.created_at as at,
  (select json_build_object('expiresOn', expires_on, 'isVerified', verified_at is not null and revoked_at is null)
     from working_with_children_checks where application_id = a.id and replaced_at is null) as check`;

/** Null if there is no such application, or its email address was erased. */
export async function findApplicantEmail(connection: Connection, id: string): Promise<string | null> {
  if (!z.uuid().safeParse(id).success) return null;
  const application = connection.selectFrom("volunteer_applications").select("email").where("id", "=", id);
  return (await application.executeTakeFirst())?.email || null;
}

/** All applications under an email address, latest first. */
export async function listApplicationsOf(connection: Connection, email: string): Promise<FoundApplication[]> {
  const { rows } = await sql<FoundApplication>`
    select ${columns} from volunteer_applications a
     where a.email <> '' and lower(a.email) = lower(${email})
     order by a.created_at desc, a.id limit ${MAX_LISTED}`.execute(connection);
  return rows;
}

/** Applications by their reference, or by the beginnings of words in the applicant’s name or email, latest first. */
export async function searchApplications(connection: Connection, text: string): Promise<FoundApplication[]> {
  const reference = readReference(text, "V");
  const isWanted =
    reference === null
      ? sql`search_words(fold_text(a.name || ' ' || a.email)) @@ words_that_begin(${text})`
      : sql`a.reference = ${reference}`;
  const { rows } = await sql<FoundApplication>`
    with found as materialized (
      select * from volunteer_applications a where a.email <> '' and ${isWanted})
    select ${columns} from found a order by a.created_at desc, a.id limit ${MAX_FOUND}`.execute(connection);
  return rows;
}
