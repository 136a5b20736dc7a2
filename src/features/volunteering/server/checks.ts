import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/sydney.ts";
import { addMonths, type CheckFields, expiryFault } from "../checks.ts";
import { insertEvents } from "./events.ts";
import { lockApplication, type VolunteerServices } from "./store.ts";

/** The check that counts: the one that no other has replaced. */
export async function findCheck(connection: Connection, applicationId: string) {
  return connection
    .selectFrom("working_with_children_checks")
    .select(["id", "state", "number", "kind", "expires_on as expiresOn"])
    .select(["verified_by as verifiedBy", "verified_at as verifiedAt"])
    .where("application_id", "=", applicationId)
    .where("replaced_at", "is", null)
    .executeTakeFirst();
}

/**
 * Writes down somebody's check, not verified yet; an older one is replaced and stays on the books. Returns its id, or a
 * sentence that says what is wrong.
 */
export async function recordCheck(
  { database, now }: VolunteerServices,
  { applicationId, check, actor }: { applicationId: string; check: CheckFields; actor: string },
): Promise<{ ok: true; id: string } | { ok: false; says: string }> {
  const at = now();
  const fault = expiryFault(check.expiresOn, dayInSydney(at));
  if (fault !== null) return { ok: false, says: `${fault}.` };
  return database.transaction().execute(async (transaction) => {
    if ((await lockApplication(transaction, applicationId)) === undefined) {
      return { ok: false, says: "There is no such application." } as const;
    }
    await transaction
      .updateTable("working_with_children_checks")
      .set({ replaced_at: at })
      .where("application_id", "=", applicationId)
      .where("replaced_at", "is", null)
      .execute();
    const id = randomUUID();
    const { expiresOn, ...rest } = check;
    await transaction
      .insertInto("working_with_children_checks")
      .values({
        id,
        application_id: applicationId,
        ...rest,
        expires_on: expiresOn,
        verified_by: null,
        verified_at: null,
        created_at: at,
      })
      .execute();
    await insertEvents(transaction, [{ applicationId, event: "check_recorded", actor, detail: { check: id } }], at);
    return { ok: true, id } as const;
  });
}

/** Notes who held a check against the state's register, and when; false when it is gone, replaced, or verified already. */
export async function verifyCheck(
  { database, now }: VolunteerServices,
  { id, actor }: { id: string; actor: string },
): Promise<boolean> {
  const at = now();
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable("working_with_children_checks")
      .set({ verified_by: actor, verified_at: at })
      .where("id", "=", id)
      .where("replaced_at", "is", null)
      .where("verified_at", "is", null)
      .returning("application_id")
      .executeTakeFirst();
    if (row === undefined) return false;
    const event = { applicationId: row.application_id, event: "check_verified", actor, detail: { check: id } };
    await insertEvents(transaction, [event], at);
    return true;
  });
}

/** How many letters one tick may send on their way. */
const BATCH = 200;

/**
 * Reminds those who were taken on of a check that ends within three months, and once more when it has ended. Safe in any
 * number of processes. Returns how many were reminded.
 */
export async function remindOfChecks({ database, jobs, now }: VolunteerServices): Promise<number> {
  const at = now();
  const today = dayInSydney(at);
  return database.transaction().execute(async (transaction) => {
    const due = await transaction
      .selectFrom("working_with_children_checks as held")
      .innerJoin("volunteer_applications as application", "application.id", "held.application_id")
      .select(["held.id", "held.application_id", "held.expires_on"])
      .where("application.stage", "=", "approved")
      .where("held.replaced_at", "is", null)
      .where((where) =>
        where.or([
          where.and([where("held.expires_on", "<", today), where("held.lapse_told_at", "is", null)]),
          where.and([
            where("held.expires_on", ">=", today),
            where("held.expires_on", "<=", addMonths(today, 3)),
            where("held.reminded_at", "is", null),
            where("held.lapse_told_at", "is", null),
          ]),
        ]),
      )
      .orderBy("held.expires_on")
      .limit(BATCH)
      .forUpdate("held")
      .skipLocked()
      .execute();
    for (const { id, application_id: applicationId, expires_on } of due) {
      const hasLapsed = expires_on < today;
      await transaction
        .updateTable("working_with_children_checks")
        .set(hasLapsed ? { lapse_told_at: at } : { reminded_at: at })
        .where("id", "=", id)
        .execute();
      const detail = { check: id, hasLapsed };
      await insertEvents(transaction, [{ applicationId, event: "check_reminder", actor: "system", detail }], at);
      await jobs.send(transaction, "letters", { letter: "check-ends", checkId: id });
      await jobs.send(transaction, "letters", { letter: "volunteer-check-ends", checkId: id });
    }
    return due.length;
  });
}

/** Those who were taken on for a role that needs a check, and have none that counts today. */
export async function listNeedingAttention(connection: Connection, today: string) {
  return connection
    .selectFrom("volunteer_applications as application")
    .leftJoin("working_with_children_checks as held", (join) =>
      join.onRef("held.application_id", "=", "application.id").on("held.replaced_at", "is", null),
    )
    .select(["application.id", "application.reference", "application.name", "application.roles"])
    .select(["held.expires_on as expiresOn", "held.verified_at as verifiedAt"])
    .where("application.stage", "=", "approved")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("volunteer_roles")
          .select("title")
          .where("needs_check", "=", true)
          .where(sql<boolean>`title = any(application.roles)`),
      ),
    )
    .where((where) =>
      where.or([
        where("held.id", "is", null),
        where("held.verified_at", "is", null),
        where("held.expires_on", "<", today),
      ]),
    )
    .orderBy("application.created_at")
    .orderBy("application.id")
    .execute();
}
