import type { Connection } from "#shared/database/connect.ts";
import { deletePrivateFiles } from "#shared/files/private-files.ts";
import { dayInSydney } from "#shared/sydney.ts";
import { checkFault } from "../checks.ts";
import { decisions, type Stage, stageEventOf, stageNames } from "../stages.ts";
import { findCheck } from "./checks.ts";
import { insertEvents } from "./events.ts";
import { type ApplicationRow, lockApplication, type VolunteerServices } from "./store.ts";

export type Move = {
  readonly id: string;
  /** The version that the decision was made on; another one means that somebody was quicker. None: whatever the stage is now. */
  readonly version?: number;
  readonly to: Stage;
  /** `applicant`, or a member of staff by name. */
  readonly actor: string;
  readonly reason?: string;
  /** What the person is taken on for; needed for `approved` alone. */
  readonly roles?: readonly string[];
};

export type Refusal = {
  readonly ok: false;
  readonly problem: "not_found" | "not_allowed" | "moved_meanwhile" | "roles_missing" | "check_missing";
  /** What to do about it, for who tried. */
  readonly says: string;
};
export type Moved = { readonly ok: true; readonly stage: Stage; readonly version: number };

/**
 * Moves an application to another stage, with its event and, for a decision, its letter, in one transaction. Of two people
 * at once the second is told what the first did. Withdrawing deletes photo and signature.
 */
export async function moveApplication(services: VolunteerServices, move: Move): Promise<Moved | Refusal> {
  return services.database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, move.id);
    const refusal = row === undefined ? notFound : await findRefusal(transaction, row, move, services.now());
    if (row === undefined || refusal !== null) return refusal ?? notFound;
    return carryOut(services, transaction, row, move);
  });
}

const notFound: Refusal = { ok: false, problem: "not_found", says: "There is no such application." };

async function findRefusal(
  transaction: Connection,
  row: ApplicationRow,
  move: Move,
  now: Date,
): Promise<Refusal | null> {
  if (move.version !== undefined && row.stage_version !== move.version) {
    const says = `Somebody was quicker: this application is ${stageNames[row.stage]} now. Please look at it again.`;
    return { ok: false, problem: "moved_meanwhile", says };
  }
  if (stageEventOf(row.stage, move.to) === undefined) {
    const says = `An application that is ${stageNames[row.stage]} cannot become ${stageNames[move.to]}.`;
    return { ok: false, problem: "not_allowed", says };
  }
  return move.to === "approved" ? findApprovalFault(transaction, row, move.roles ?? [], now) : null;
}

/** Nobody is taken on for nothing, and nobody for a role that needs a check without a valid one. */
async function findApprovalFault(
  transaction: Connection,
  row: ApplicationRow,
  wanted: readonly string[],
  now: Date,
): Promise<Refusal | null> {
  const roles = await transaction.selectFrom("volunteer_roles").selectAll().execute();
  const unknown = wanted.find((title) => !roles.some((role) => role.title === title));
  if (wanted.length === 0 || unknown !== undefined) {
    const says = unknown === undefined ? "Choose at least one role." : `There is no role '${unknown}'.`;
    return { ok: false, problem: "roles_missing", says };
  }
  const guarded = roles.filter(({ title, needs_check }) => needs_check && wanted.includes(title));
  if (guarded.length === 0) return null;
  const fault = checkFault(await findCheck(transaction, row.id), dayInSydney(now));
  if (fault === null) return null;
  const titles = guarded.map(({ title }) => title).join(", ");
  return { ok: false, problem: "check_missing", says: `${titles}: ${fault}.` };
}

/** Makes a move that is allowed; the row must be locked. */
export async function carryOut(
  services: Pick<VolunteerServices, "jobs" | "now">,
  transaction: Connection,
  row: ApplicationRow,
  move: Move,
): Promise<Moved> {
  const now = services.now();
  const version = row.stage_version + 1;
  const roles = move.to === "approved" ? [...new Set(move.roles)] : [];
  await transaction
    .updateTable("volunteer_applications")
    .set({ stage: move.to, stage_version: version, roles, decided_at: now, updated_at: now })
    .where("id", "=", row.id)
    .execute();
  const detail = {
    from: row.stage,
    ...(move.reason === undefined ? {} : { reason: move.reason }),
    ...(roles.length > 0 ? { roles } : {}),
  };
  const event = stageEventOf(row.stage, move.to)!;
  await insertEvents(transaction, [{ applicationId: row.id, event, actor: move.actor, detail }], now);
  if (move.to === "withdrawn") await deleteFiles(transaction, row, { actor: move.actor, now });
  if (decisions.includes(move.to)) {
    await services.jobs.send(transaction, "letters", {
      letter: "application-decided",
      applicationId: row.id,
      stageVersion: version,
    });
  }
  if (row.stage === "approved" && move.actor === "applicant") {
    const { id: applicationId, reference } = row;
    await services.jobs.send(transaction, "letters", { letter: "volunteer-left", applicationId, reference });
  }
  return { ok: true, stage: move.to, version };
}

/** Removes photo and signature of an application for good; does nothing where they are gone. */
export async function deleteFiles(
  transaction: Connection,
  { id, photo_file_id, signature_file_id }: Pick<ApplicationRow, "id" | "photo_file_id" | "signature_file_id">,
  { actor, now }: { actor: string; now: Date },
): Promise<void> {
  const files = [photo_file_id, signature_file_id].filter((file) => file !== null);
  if (files.length === 0) return;
  await transaction
    .updateTable("volunteer_applications")
    .set({ photo_file_id: null, signature_file_id: null, files_deleted_at: now })
    .where("id", "=", id)
    .execute();
  await deletePrivateFiles(transaction, files);
  await insertEvents(transaction, [{ applicationId: id, event: "files_deleted", actor }], now);
}

/** Writes a note for colleagues; false when there is no such application. */
export async function addNote(
  { database, now }: VolunteerServices,
  { id, actor, text }: { id: string; actor: string; text: string },
): Promise<boolean> {
  const exists = await database
    .selectFrom("volunteer_applications")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (exists === undefined) return false;
  await insertEvents(database, [{ applicationId: id, event: "note", actor, detail: { text } }], now());
  return true;
}
