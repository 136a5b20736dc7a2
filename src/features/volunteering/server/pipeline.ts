import type { Connection } from "#shared/database/connect.ts";
import { deletePrivateFiles } from "#shared/images/private-files.ts";
import type { OwnWords } from "../own-words.ts";
import { decisions, type Stage, stageEventOf, stageNames } from "../stages.ts";
import { APPLICANT, type ApplicationActor, recordApplicationAct } from "./application-actor.ts";
import { insertEvents } from "./events.ts";
import { findRolesFault } from "./roles.ts";
import { leaveAllPlaces } from "./shift-places.ts";
import { type ApplicationRow, lockApplication, type VolunteerServices } from "./store.ts";

type Move = {
  readonly id: string;
  /** The version that the decision was based on; refused if it has changed since. Undefined: any version. */
  readonly version?: number;
  readonly to: Stage;
  readonly reason?: string;
  /** The approved roles; only for `approved`. */
  readonly roles?: readonly string[];
  /** What staff wrote in place of the email's own words. */
  readonly words?: OwnWords;
} & ApplicationActor;

type MoveRefusal = {
  readonly ok: false;
  readonly problem: "not_found" | "not_allowed" | "moved_meanwhile" | "roles_missing" | "check_missing";
  /** What to do about it, for the person who tried. */
  readonly text: string;
};
type Moved = { readonly ok: true; readonly stage: Stage; readonly version: number };

/**
 * Moves an application to another stage and records the event, in one transaction, which also queues the email about a
 * decision. Of two simultaneous moves, the second is told about the first. Withdrawing deletes photo and signature.
 */
export async function moveApplication(services: VolunteerServices, move: Move): Promise<Moved | MoveRefusal> {
  return services.database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, move.id);
    const refusal =
      row === undefined || row.erased_at !== null
        ? notFound
        : await findRefusal(transaction, row, move, services.now());
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
  if (move.to !== "approved") return null;
  const fault = await findRolesFault(transaction, { id: row.id, wanted: move.roles ?? [], now });
  return fault && { ok: false, ...fault };
}

/** The audit trail’s verbs, by the stage that an application is moved to. */
const moveVerbs = {
  received: "receive",
  in_review: "review",
  approved: "approve",
  waiting: "put-on-waiting-list",
  declined: "decline",
  withdrawn: "withdraw",
} as const satisfies Record<Stage, string>;

/** Whether the applicant gets an email about it: about decisions, and if it is withdrawn for them. */
const isTold = ({ to, actor }: Pick<Move, "to" | "actor">) =>
  decisions.includes(to) || (to === "withdrawn" && actor !== APPLICANT);

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
  // Before the application changes: then the database would free them as taken away.
  if (move.to === "withdrawn") await leaveAllPlaces(transaction, row.id, now);
  await transaction
    .updateTable("volunteer_applications")
    .set({ stage: move.to, stage_version: version, roles, decided_at: now, asked_at: null, updated_at: now })
    .where("id", "=", row.id)
    .execute();
  const detail = {
    from: row.stage,
    ...(move.reason === undefined ? {} : { reason: move.reason }),
    ...(move.words === undefined ? {} : { words: move.words }),
    ...(roles.length > 0 ? { roles } : {}),
  };
  const event = stageEventOf(row.stage, move.to)!;
  await insertEvents(transaction, [{ applicationId: row.id, event, actor: move.actor, detail }], now);
  await recordApplicationAct(transaction, move, {
    verb: `application.${moveVerbs[move.to]}`,
    subjectId: row.id,
    before: { stage: row.stage, ...(row.roles.length > 0 ? { volunteerRoles: row.roles } : {}) },
    after: { stage: move.to, ...(roles.length > 0 ? { volunteerRoles: roles } : {}) },
    at: now,
  });
  if (move.to === "withdrawn") await deleteFiles(transaction, row, { actor: move.actor, now });
  if (isTold(move)) {
    await services.jobs.send(transaction, "emails", {
      template: "application-decided",
      applicationId: row.id,
      stageVersion: version,
    });
  }
  if (row.stage === "approved" && move.actor === APPLICANT) {
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
