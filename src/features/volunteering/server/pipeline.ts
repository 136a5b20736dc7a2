import type { Connection } from "#shared/database/connect.ts";
import { deletePrivateFiles } from "#shared/images/private-files.ts";
import { dayInSydney, formatList } from "#shared/language.ts";
import { checkFault } from "../checks.ts";
import { decisions, type Stage, stageEventOf, stageNames } from "../stages.ts";
import { findCheck } from "./checks.ts";
import { insertEvents } from "./events.ts";
import { type ApplicationRow, lockApplication, type VolunteerServices } from "./store.ts";

export type Move = {
  readonly id: string;
  /** The version that the decision was based on; refused if it has changed since. Undefined: any version. */
  readonly version?: number;
  readonly to: Stage;
  /** `applicant`, or a member of staff by name. */
  readonly actor: string;
  readonly reason?: string;
  /** The approved roles; only for `approved`. */
  readonly roles?: readonly string[];
};

export type MoveRefusal = {
  readonly ok: false;
  readonly problem: "not_found" | "not_allowed" | "moved_meanwhile" | "roles_missing" | "check_missing";
  /** What to do about it, for the person who tried. */
  readonly text: string;
};
export type Moved = { readonly ok: true; readonly stage: Stage; readonly version: number };

/**
 * Moves an application to another stage and records the event, in one transaction, which also queues the email about a
 * decision. Of two simultaneous moves, the second is told about the first. Withdrawing deletes photo and signature.
 */
export async function moveApplication(services: VolunteerServices, move: Move): Promise<Moved | MoveRefusal> {
  return services.database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, move.id);
    const refusal = row === undefined ? notFound : await findRefusal(transaction, row, move, services.now());
    if (row === undefined || refusal !== null) return refusal ?? notFound;
    return carryOut(services, transaction, row, move);
  });
}

const notFound: MoveRefusal = { ok: false, problem: "not_found", text: "There is no such application." };

async function findRefusal(
  transaction: Connection,
  row: ApplicationRow,
  move: Move,
  now: Date,
): Promise<MoveRefusal | null> {
  if (move.version !== undefined && row.stage_version !== move.version) {
    const text = `Someone else has moved this application: it is now ${stageNames[row.stage]}. Please check it again.`;
    return { ok: false, problem: "moved_meanwhile", text };
  }
  if (stageEventOf(row.stage, move.to) === undefined) {
    const text = `An application that is ${stageNames[row.stage]} cannot become ${stageNames[move.to]}.`;
    return { ok: false, problem: "not_allowed", text };
  }
  return move.to === "approved" ? findApprovalFault(transaction, row, move.roles ?? [], now) : null;
}

/** An approval needs a role, and a valid check if one of its roles needs that. */
async function findApprovalFault(
  transaction: Connection,
  row: ApplicationRow,
  wanted: readonly string[],
  now: Date,
): Promise<MoveRefusal | null> {
  const roles = await transaction.selectFrom("volunteer_roles").selectAll().execute();
  const unknown = wanted.find((title) => !roles.some((role) => role.title === title));
  if (wanted.length === 0 || unknown !== undefined) {
    const text = unknown === undefined ? "Choose at least one role." : `There is no role '${unknown}'.`;
    return { ok: false, problem: "roles_missing", text };
  }
  const guarded = roles.filter(({ title, needs_check }) => needs_check && wanted.includes(title));
  if (guarded.length === 0) return null;
  const fault = checkFault(await findCheck(transaction, row.id), dayInSydney(now));
  if (fault === null) return null;
  const titles = formatList(
    guarded.map(({ title }) => title),
    "and",
  );
  return { ok: false, problem: "check_missing", text: `${titles}: ${fault}.` };
}

/** Makes a permitted move; the row must be locked. */
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
    await services.jobs.send(transaction, "emails", {
      template: "application-decided",
      applicationId: row.id,
      stageVersion: version,
    });
  }
  if (row.stage === "approved" && move.actor === "applicant") {
    const { id: applicationId, reference } = row;
    await services.jobs.send(transaction, "emails", { template: "volunteer-withdrew", applicationId, reference });
  }
  return { ok: true, stage: move.to, version };
}

/** Deletes an application's photo and signature; does nothing if they are gone. */
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

/** Adds a note for staff; false if there is no such application. */
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
