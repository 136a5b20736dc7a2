import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney, formatList } from "#shared/language.ts";
import { checkFault } from "../checks.ts";
import { type ApplicationActor, recordApplicationAct } from "./application-actor.ts";
import { findCheck } from "./checks.ts";
import { insertEvents } from "./events.ts";
import { lockApplication, type VolunteerServices } from "./store.ts";

export type VolunteerRole = { readonly title: string; readonly needsCheck: boolean };

/** What volunteers can do, in the order of the form. */
export async function listRoles(connection: Connection): Promise<VolunteerRole[]> {
  return connection
    .selectFrom("volunteer_roles")
    .select(["title", "needs_check as needsCheck"])
    .orderBy("position")
    .orderBy("title")
    .execute();
}

/** Why a person cannot have these roles; null if they can. One that needs a check needs a valid one today. */
export async function findRolesFault(
  transaction: Connection,
  { id, wanted, now }: { id: string; wanted: readonly string[]; now: Date },
): Promise<{ readonly problem: "roles_missing" | "check_missing"; readonly text: string } | null> {
  const roles = await listRoles(transaction);
  const unknown = wanted.find((title) => !roles.some((role) => role.title === title));
  if (wanted.length === 0 || unknown !== undefined) {
    const text = unknown === undefined ? "Choose at least one role." : `There is no role '${unknown}'.`;
    return { problem: "roles_missing", text };
  }
  const guarded = roles.flatMap(({ title, needsCheck }) => (needsCheck && wanted.includes(title) ? title : []));
  if (guarded.length === 0) return null;
  const fault = checkFault(await findCheck(transaction, id), dayInSydney(now));
  return fault === null ? null : { problem: "check_missing", text: `${formatList(guarded, "and")}: ${fault}.` };
}

/** Changes what a volunteer is approved for. */
export async function changeRoles(
  { database, now }: VolunteerServices,
  { id, version, roles, ...by }: { id: string; version: number; roles: readonly string[] } & ApplicationActor,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly text: string }> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, id);
    if (row?.stage !== "approved") return { ok: false, text: "Only volunteers who are approved have roles." } as const;
    if (row.stage_version !== version) {
      const text = "Someone else has changed this application in the meantime. Reload the page.";
      return { ok: false, text } as const;
    }
    const at = now();
    const fault = await findRolesFault(transaction, { id, wanted: roles, now: at });
    if (fault !== null) return { ok: false, text: fault.text } as const;
    const after = [...new Set(roles)];
    await transaction
      .updateTable("volunteer_applications")
      .set({ roles: after, stage_version: version + 1, updated_at: at })
      .where("id", "=", id)
      .execute();
    const event = { applicationId: id, event: "roles_changed", actor: by.actor, detail: { roles: after } };
    await insertEvents(transaction, [event], at);
    const changes = { before: { volunteerRoles: row.roles }, after: { volunteerRoles: after } };
    await recordApplicationAct(transaction, by, { verb: "application.roles", subjectId: id, ...changes, at });
    return { ok: true } as const;
  });
}
