import { randomUUID } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/language.ts";
import { addMonths, type CheckFields, expiryFault } from "../checks.ts";
import { type ApplicationActor, recordApplicationAct } from "./application-actor.ts";
import { insertEvents } from "./events.ts";
import { lockApplication, type VolunteerServices } from "./store.ts";

const checksOf = (connection: Connection, applicationId: string) =>
  connection
    .selectFrom("working_with_children_checks")
    .select(["id", "state", "number", "kind", "expires_on as expiresOn"])
    .select(["verified_by as verifiedBy", "verified_at as verifiedAt"])
    .select(["revoked_by as revokedBy", "revoked_at as revokedAt"])
    .where("application_id", "=", applicationId);

/** The current check: the one that has not been replaced. */
export function findCheck(connection: Connection, applicationId: string) {
  return checksOf(connection, applicationId).where("replaced_at", "is", null).executeTakeFirst();
}

/**
 * The check that was verified last and, because the one that replaced it is not verified, still decides about shifts, as
 * `has_valid_check` does; undefined if there is none, or if it was revoked.
 */
export async function findEarlierCheck(connection: Connection, applicationId: string) {
  const last = await checksOf(connection, applicationId)
    .select("replaced_at")
    .where("verified_at", "is not", null)
    .orderBy("verified_at", "desc")
    .orderBy("id")
    .executeTakeFirst();
  return last === undefined || last.replaced_at === null || last.revokedAt !== null ? undefined : last;
}

type NewCheck = {
  readonly applicationId: string;
  readonly check: CheckFields;
  /** The check that it replaces, null for none: refused if it is another by now. Undefined: whichever there is. */
  readonly replaces?: string | null | undefined;
} & ApplicationActor;
type NotRecorded = {
  readonly ok: false;
  readonly problem: "expiry" | "not_found" | "recorded_meanwhile";
  readonly text: string;
};

/** Records a check as unverified; it replaces the older one, which is kept. Returns its id, or what is wrong. */
export async function recordCheck(
  { database, now }: VolunteerServices,
  { applicationId, check, replaces, ...by }: NewCheck,
): Promise<{ readonly ok: true; readonly id: string } | NotRecorded> {
  const at = now();
  const fault = expiryFault(check.expiresOn, dayInSydney(at));
  if (fault !== null) return { ok: false, problem: "expiry", text: `${fault}.` };
  return database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, applicationId);
    if (row === undefined || row.erased_at !== null) {
      return { ok: false, problem: "not_found", text: "There is no such application." } as const;
    }
    if (replaces !== undefined && replaces !== ((await findCheck(transaction, applicationId))?.id ?? null)) {
      const text = "Somebody has recorded a check in the meantime, so nothing was recorded. Look at it first.";
      return { ok: false, problem: "recorded_meanwhile", text } as const;
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
    await recordCheckAct(transaction, { ...by, event: "check_recorded", applicationId, check: id }, at);
    return { ok: true, id } as const;
  });
}

/** Records who verified a check with the state's register. False if it is gone, replaced or already verified. */
export async function verifyCheck(
  { database, now }: Pick<VolunteerServices, "database" | "now">,
  { id, ...by }: { id: string } & ApplicationActor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockCheck(transaction, id);
    if (row === undefined || row.replaced_at !== null || row.verified_at !== null) return false;
    const at = now();
    await transaction
      .updateTable("working_with_children_checks")
      .set({ verified_by: by.actor, verified_at: at })
      .where("id", "=", id)
      .execute();
    await recordCheckAct(
      transaction,
      { ...by, event: "check_verified", applicationId: row.applicationId, check: id },
      at,
    );
    return true;
  });
}

/**
 * Records that the register no longer shows a verified check as valid. False if it is gone, not verified, or decides
 * nothing.
 */
export async function revokeCheck(
  { database, now }: VolunteerServices,
  { id, ...by }: { id: string } & ApplicationActor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockCheck(transaction, id);
    if (row === undefined || row.verified_at === null || row.revoked_at !== null) return false;
    if (row.replaced_at !== null && (await findEarlierCheck(transaction, row.applicationId))?.id !== id) return false;
    const at = now();
    await transaction
      .updateTable("working_with_children_checks")
      .set({ revoked_by: by.actor, revoked_at: at })
      .where("id", "=", id)
      .execute();
    await recordCheckAct(
      transaction,
      { ...by, event: "check_revoked", applicationId: row.applicationId, check: id },
      at,
    );
    return true;
  });
}

/** A check, whose application is locked first, as everywhere. */
async function lockCheck(transaction: Connection, id: string) {
  const held = transaction.selectFrom("working_with_children_checks").where("id", "=", id);
  const found = await held.select("application_id").executeTakeFirst();
  if (found === undefined) return undefined;
  await lockApplication(transaction, found.application_id);
  return held
    .select(["application_id as applicationId", "verified_at", "revoked_at", "replaced_at"])
    .executeTakeFirst();
}

const checkVerbs = { check_recorded: "record", check_verified: "verify", check_revoked: "revoke" } as const;

async function recordCheckAct(
  transaction: Connection,
  {
    event,
    applicationId,
    check,
    ...by
  }: ApplicationActor & {
    readonly event: keyof typeof checkVerbs;
    readonly applicationId: string;
    readonly check: string;
  },
  at: Date,
): Promise<void> {
  await insertEvents(transaction, [{ applicationId, event, actor: by.actor, detail: { check } }], at);
  await recordApplicationAct(transaction, by, { verb: `check.${checkVerbs[event]}`, subjectId: applicationId, at });
}

/** Reminders sent in one run. */
const BATCH = 200;

/**
 * Reminds volunteers of checks that expire within three months, and again once they have expired. Safe to run in
 * several processes. Returns how many were reminded.
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
      .where("held.revoked_at", "is", null)
      .where((where) =>
        where.or([
          where.and([where("held.expires_on", "<", today), where("held.expiry_notice_sent_at", "is", null)]),
          where.and([
            where("held.expires_on", ">=", today),
            where("held.expires_on", "<=", addMonths(today, 3)),
            where("held.reminder_sent_at", "is", null),
            where("held.expiry_notice_sent_at", "is", null),
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
        .set(hasLapsed ? { expiry_notice_sent_at: at } : { reminder_sent_at: at })
        .where("id", "=", id)
        .execute();
      const detail = { check: id, hasLapsed };
      await insertEvents(transaction, [{ applicationId, event: "check_reminder_sent", actor: "system", detail }], at);
      await jobs.send(transaction, "emails", { template: "check-expires", checkId: id });
      await jobs.send(transaction, "emails", { template: "volunteer-check-expires", checkId: id });
    }
    return due.length;
  });
}
