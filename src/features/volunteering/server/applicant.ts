import pLimit from "p-limit";
import type { Config } from "#shared/config/config.ts";
import { accepted, type Reply } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { AppError } from "#shared/errors.ts";
import { signPath } from "#shared/http/signed-link.ts";
import { findPrivateFile } from "#shared/images/private-files.ts";
import { count } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { opensDocument } from "#shared/links/document-links.ts";
import { applicationPhotoPath } from "#shared/paths.ts";
import type { ApplicantReads, Change, OwnApplication } from "../applicant.ts";
import type { Application } from "../application.ts";
import { volunteeringProblems } from "../problems.ts";
import { describeShiftTimes } from "../shift.ts";
import { isClosed } from "../stages.ts";
import { insertEvents } from "./events.ts";
import { listPastShifts } from "./held-places.ts";
import { moveApplication } from "./pipeline.ts";
import { describePlaceFault, leavePlace, listHours, listOfferedShifts, takePlace } from "./shift-places.ts";
import { type ApplicationRow, applicationOf, columnsOf, lockApplication, type VolunteerServices } from "./store.ts";

export type ApplicantServices = VolunteerServices & {
  readonly files: Files;
  readonly config: Pick<Config, "secretKey" | "limits" | "retention">;
};

const PHOTO_LINK_MS = 10 * 60_000;
const PREVIEW_PIXELS = 320;
/** Changes of one application that are allowed within a quarter of an hour. */
const CHANGES = { max: 20, windowSeconds: 900 } as const;

export function applicantReads(services: Omit<ApplicantServices, "jobs" | "files">): ApplicantReads {
  const { database, config, now } = services;
  return {
    async findOwnApplication(id, key) {
      if (!(await opensDocument(services, { kind: "application", id }, key))) return null;
      const row = await database
        .selectFrom("volunteer_applications")
        .selectAll()
        .where("id", "=", id)
        .where("erased_at", "is", null)
        .executeTakeFirst();
      if (row === undefined) return null;
      const at = now();
      const [shifts, pastShifts, hours] = await Promise.all([
        listOfferedShifts(database, id, at),
        listPastShifts(database, id, at),
        listHours(database, id),
      ]);
      return {
        ...ownApplicationOf(row, config, at),
        shifts: shifts.map(({ id, title, place, notes, taken, roles, ...times }) => ({
          id,
          title,
          place,
          notes,
          taken,
          when: describeShiftTimes(times),
          roles: roles.map(({ role, free, fault }) => ({ role, free, needsValidCheck: fault !== null })),
        })),
        pastShifts,
        hasHours: hours.length > 0,
      };
    },
  };
}

function ownApplicationOf(
  row: ApplicationRow,
  { secretKey, retention }: ApplicantServices["config"],
  now: Date,
): Omit<OwnApplication, "shifts" | "pastShifts" | "hasHours"> {
  const { id, reference, stage, roles } = row;
  const { name, country, emergencyName, emergencyMobile, ...rest } = applicationOf(row);
  const { street, state, postcode, mobile, email, preferredContact, skills, experience, availability, interests } =
    rest;
  const times = { madeAt: now, until: new Date(now.getTime() + PHOTO_LINK_MS) };
  const hasFiles = row.photo_file_id !== null || row.signature_file_id !== null;
  const isLeaving = stage === "declined" && hasFiles && row.decided_at !== null;
  return {
    id,
    reference,
    stage,
    roles,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    askedAt: isClosed(stage) ? null : row.asked_at,
    name,
    country,
    details: { street, state, postcode, mobile, email, preferredContact, skills, experience, availability, interests },
    emergency: { name: emergencyName, mobileEnd: emergencyMobile.replace(/\D/g, "").slice(-3) },
    hasSignature: row.signature_file_id !== null,
    photoUrl: row.photo_file_id === null ? null : signPath(secretKey, applicationPhotoPath(id), times),
    filesGoneAt: isLeaving ? new Date(row.decided_at!.getTime() + retention.volunteerFilesDays * DAY_MS) : null,
  };
}

/**
 * Corrects an open application. The history names the changed fields but not their values. A new email address is sent
 * the link to the page.
 * @throws AppError `not_found`, `application_closed`, `too_many_tries`, or `too_many_emails` for an address that had
 * several.
 */
export async function changeDetails(
  services: ApplicantServices,
  id: string,
  change: Change,
): Promise<Reply<Record<string, never>>> {
  const { database, jobs, now } = services;
  const at = now();
  await database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, id);
    if (row === undefined) throw new AppError("not_found");
    if (isClosed(row.stage)) throw new AppError(volunteeringProblems.application_closed);
    const before = applicationOf(row);
    const after = { ...before, ...change } as Application;
    const fields = changedFields(before, after);
    if (fields.length === 0) return;
    await countChange(services, transaction, { id, email: fields.includes("email") ? after.email : undefined }, at);
    await transaction
      .updateTable("volunteer_applications")
      .set({ ...columnsOf(after), asked_at: null, updated_at: at })
      .where("id", "=", id)
      .execute();
    const event = { applicationId: id, event: "details_changed", actor: "applicant", detail: { fields } };
    await insertEvents(transaction, [event], at);
    if (fields.includes("email")) {
      await jobs.send(transaction, "emails", { template: "application-received", applicationId: id });
    }
  });
  return accepted({}, "Your details have been changed.");
}

function changedFields(before: Application, after: Application): (keyof Application)[] {
  const names = Object.keys(before) as (keyof Application)[];
  return names.filter((name) => String(before[name]) !== String(after[name]));
}

/** Limits entries in the history, and our emails to one address. */
async function countChange(
  { config }: ApplicantServices,
  transaction: Connection,
  { id, email }: { id: string; email: string | undefined },
  now: Date,
): Promise<void> {
  const changes = limitKey(config.secretKey, "change", "application", id);
  const tooMany = await count(transaction, changes, { ...CHANGES, now });
  if (tooMany !== null) throw new AppError("too_many_tries", tooMany);
  if (email === undefined) return;
  const { perEmail, windowSeconds } = config.limits.applications;
  // The link says nothing about who owns the address: another application may name it too.
  const emails = limitKey(config.secretKey, "email", "application", `${id} ${email.trim().toLowerCase()}`);
  const refusal = await count(transaction, emails, { max: perEmail, windowSeconds, now });
  if (refusal !== null) throw new AppError("too_many_emails", refusal);
}

/**
 * Withdraws an application at any stage and deletes its photo and signature. A repeated request gets the same answer.
 * @throws AppError `not_found`, or `application_closed` if it was declined.
 */
export async function withdrawApplication(
  services: ApplicantServices,
  id: string,
): Promise<Reply<Record<string, never>>> {
  const moved = await moveApplication(services, { id, to: "withdrawn", actor: "applicant" });
  if (!moved.ok && moved.problem === "not_found") throw new AppError("not_found");
  if (!moved.ok) {
    const { stage } = await services.database
      .selectFrom("volunteer_applications")
      .select("stage")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (stage !== "withdrawn") throw new AppError(volunteeringProblems.application_closed);
  }
  return accepted({}, "We have withdrawn your application and deleted your photo and signature.");
}

/** @throws AppError `no_place` with why. */
export async function takeShift(
  services: ApplicantServices,
  { applicationId, shiftId, role }: { applicationId: string; shiftId: string; role: string },
): Promise<Reply<Record<string, never>>> {
  const fault = await takePlace(services, { applicationId, shiftId, role });
  if (fault !== null) throw new AppError({ ...volunteeringProblems.no_place, text: describePlaceFault(fault) });
  return accepted({}, "You are signed up. Thank you.");
}

/** @throws AppError `no_place` if the shift has begun, or they have no place in it. */
export async function leaveShift(
  services: ApplicantServices,
  place: { applicationId: string; shiftId: string },
): Promise<Reply<Record<string, never>>> {
  if (!(await leavePlace(services, place))) throw new AppError(volunteeringProblems.no_place);
  return accepted({}, "You are no longer signed up. Thank you for telling us.");
}

const oneByOne = pLimit(1);

/** A small JPEG of the photo; undefined if there is none, or it has been deleted. */
export async function findPhotoPreview(
  { database, files }: Pick<ApplicantServices, "database" | "files">,
  id: string,
): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom("volunteer_applications")
    .select("photo_file_id as fileId")
    .where("id", "=", id)
    .executeTakeFirst();
  const file = row?.fileId ? await findPrivateFile({ database, files }, row.fileId) : undefined;
  if (file === undefined) return undefined;
  const size = { width: PREVIEW_PIXELS, height: PREVIEW_PIXELS, fit: "inside", withoutEnlargement: true } as const;
  const { sharp } = await import("#shared/images/sharp.ts");
  return oneByOne(() => sharp(file.bytes).resize(size).jpeg({ quality: 80 }).toBuffer());
}
