import type { Connection } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { findPrivateFile } from "#shared/images/private-files.ts";
import { type ApplicationActor, recordApplicationAct } from "./application-actor.ts";
import { findCheck, findEarlierCheck } from "./checks.ts";
import { insertEvents, listApplicationEvents } from "./events.ts";
import type { VolunteerServices } from "./store.ts";

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
    .select(["asked_at as askedAt", "files_deleted_at as filesDeletedAt"])
    .where("id", "=", id)
    .where("erased_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const [check, earlierCheck] = [await findCheck(connection, id), await findEarlierCheck(connection, id)];
  return { ...row, check, earlierCheck, events: await listApplicationEvents(connection, id) };
}

/** What only some staff may see; each time it is shown is recorded. */
export const sensitiveDetails = { photo: "photo", signature: "signature", emergency: "emergency contact" } as const;
type SensitiveDetail = keyof typeof sensitiveDetails;
export const isSensitiveDetail = (text: string): text is SensitiveDetail => Object.hasOwn(sensitiveDetails, text);

export type ShownSensitiveDetail =
  | { readonly what: "photo" | "signature"; readonly dataUrl: string; readonly width: number; readonly height: number }
  /** The bucket that has it does not answer. */
  | { readonly what: "photo" | "signature"; readonly isAway: true }
  | { readonly what: "emergency"; readonly contact: EmergencyDetails };
export type EmergencyDetails = NonNullable<Awaited<ReturnType<typeof readEmergencyContact>>>;

type Sources = { readonly database: Connection; readonly files: Files };

/** Reads it; the caller must have recorded who sees it. Null if there is none, or it has been deleted. */
export async function readSensitiveDetail(
  sources: Sources,
  id: string,
  what: string,
): Promise<ShownSensitiveDetail | null> {
  if (!isSensitiveDetail(what)) return null;
  if (what === "emergency") {
    const contact = await readEmergencyContact(sources.database, id);
    return contact === undefined ? null : { what, contact };
  }
  const fileId = await findFileId(sources.database, id, what);
  if (fileId === null) return null;
  const file = await findPrivateFile(sources, fileId).catch((error: unknown) => {
    if (sources.files.isAway(error)) return "away" as const;
    throw error;
  });
  if (file === undefined) return null;
  if (file === "away") return { what, isAway: true };
  const dataUrl = `data:${file.media_type};base64,${file.bytes.toString("base64")}`;
  return { what, dataUrl, width: file.width, height: file.height };
}

function readEmergencyContact(connection: Connection, id: string) {
  return connection
    .selectFrom("volunteer_applications")
    .select(["emergency_name as name", "emergency_mobile as mobile", "emergency_email as email"])
    .select(["emergency_preferred_contact as preferredContact", "emergency_postcode as postcode"])
    .select(["emergency_city as city", "emergency_state as state", "emergency_country as country"])
    .where("id", "=", id)
    .where("erased_at", "is", null)
    .executeTakeFirst();
}

async function findFileId(connection: Connection, id: string, which: "photo" | "signature"): Promise<string | null> {
  const row = await connection
    .selectFrom("volunteer_applications")
    .select(which === "photo" ? "photo_file_id as fileId" : "signature_file_id as fileId")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.fileId ?? null;
}

/**
 * Records in the application's history, and in the audit trail, that somebody looks at something of it, and why. False,
 * with nothing recorded, if there is no such thing.
 */
export async function recordLook(
  { database, now }: Pick<VolunteerServices, "database" | "now">,
  { id, what, why, ...by }: { id: string; what: SensitiveDetail; why: string } & ApplicationActor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const seen =
      what === "emergency"
        ? ((await readEmergencyContact(transaction, id)) ?? null)
        : await findFileId(transaction, id, what);
    if (seen === null) return false;
    const at = now();
    const event =
      what === "emergency"
        ? { event: "emergency_contact_viewed", detail: { why } }
        : { event: "file_viewed", detail: { which: what, why } };
    await insertEvents(transaction, [{ applicationId: id, actor: by.actor, ...event }], at);
    await recordApplicationAct(transaction, by, { verb: "application.look", subjectId: id, after: { seen: what }, at });
    return true;
  });
}
