import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { findPrivateFile, type PrivateFile } from "#shared/images/private-files.ts";
import type { Stage } from "../stages.ts";
import { findCheck } from "./checks.ts";
import { insertEvents, listApplicationEvents } from "./events.ts";
import type { VolunteerServices } from "./store.ts";

export type ListedApplication = {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly stage: Stage;
  readonly interests: readonly string[];
  readonly createdAt: Date;
};

/** Applications, newest first. `next` is the `after` of the next page. Null if there is no application `after`. */
export async function listApplications(
  connection: Connection,
  { stage, limit, after }: { stage?: Stage; limit: number; after?: string },
): Promise<{ items: ListedApplication[]; next: string | null } | null> {
  const edge =
    after === undefined
      ? undefined
      : await connection
          .selectFrom("volunteer_applications")
          .select(["created_at", "id"])
          .where("reference", "=", after)
          .executeTakeFirst();
  if (after !== undefined && edge === undefined) return null;
  const rows = await connection
    .selectFrom("volunteer_applications")
    .select(["id", "reference", "name", "stage", "interests", "created_at as createdAt"])
    .$if(stage !== undefined, (query) => query.where("stage", "=", stage!))
    .$if(edge !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${edge!.created_at}::timestamptz, ${edge!.id}::uuid)`),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.reference ?? null) : null };
}

/** An application for staff, without its files and without the emergency contact's details. */
export async function findApplication(connection: Connection, id: string) {
  const row = await connection
    .selectFrom("volunteer_applications")
    .select(["id", "reference", "name", "street", "city", "state", "country", "postcode", "mobile", "email"])
    .select(["preferred_contact as preferredContact", "skills", "experience", "availability", "interests"])
    .select(["stage", "stage_version as version", "roles", "created_at as createdAt", "decided_at as decidedAt"])
    .select(({ eb }) => [
      eb("photo_file_id", "is not", null).as("hasPhoto"),
      eb("signature_file_id", "is not", null).as("hasSignature"),
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const [check, events] = [await findCheck(connection, id), await listApplicationEvents(connection, id)];
  return { ...row, check, events };
}

type AccessRequest = { readonly id: string; readonly actor: string; readonly why: string };

/** Shows an emergency contact; who viewed it and why is recorded first. */
export async function showEmergencyContact({ database, now }: VolunteerServices, { id, actor, why }: AccessRequest) {
  return database.transaction().execute(async (transaction) => {
    const contact = await transaction
      .selectFrom("volunteer_applications")
      .select(["emergency_name as name", "emergency_mobile as mobile", "emergency_email as email"])
      .select(["emergency_preferred_contact as preferredContact", "emergency_postcode as postcode"])
      .select(["emergency_city as city", "emergency_state as state", "emergency_country as country"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (contact === undefined) return undefined;
    const event = { applicationId: id, event: "emergency_contact_viewed", actor, detail: { why } };
    await insertEvents(transaction, [event], now());
    return contact;
  });
}

/** Shows the photo or signature and records the access. Undefined if there is none, or it has been deleted. */
export async function showFile(
  { database, now }: VolunteerServices,
  { id, actor, why, which }: AccessRequest & { which: "photo" | "signature" },
): Promise<PrivateFile | undefined> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom("volunteer_applications")
      .select(which === "photo" ? "photo_file_id as fileId" : "signature_file_id as fileId")
      .where("id", "=", id)
      .executeTakeFirst();
    const file = row?.fileId ? await findPrivateFile(transaction, row.fileId) : undefined;
    if (file === undefined) return undefined;
    const event = { applicationId: id, event: "file_viewed", actor, detail: { which, why } };
    await insertEvents(transaction, [event], now());
    return file;
  });
}
