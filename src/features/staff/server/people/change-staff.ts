import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { type Act, type Actor, recordAct } from "#admin/audit.ts";
import { hasRight, type Role } from "#admin/rights.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { isAdministrator } from "./administrators.ts";
import type { PersonEmail } from "./people-emails.ts";

export type PeopleServices = CoreServices<"database" | "jobs" | "now", "secretKey"> & {
  readonly staffSessions: StaffSessions;
};

export type StaffAccount = {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly state: "invited" | "active" | "ended";
};

export const refusals = {
  self: "You cannot do this to your own account. Another administrator can.",
  lastAdministrator:
    "This is the only administrator who can log in. Make somebody else an administrator first, and wait until they have logged in.",
  actorChanged: "Your own account has just been changed, so nothing was done.",
  gone: "There is no such account.",
  ended: "This account has ended. Invite the person again from the list of staff, with the same email.",
  alreadyEnded: "This account has already ended.",
} as const;

/** One change of who works here. No other account changes in the meantime, in any process. */
export type StaffChange = {
  readonly transaction: Connection;
  readonly actor: Actor;
  readonly at: Date;
  /** Adds to the audit trail, and returns the act’s id. */
  readonly record: (verb: string, person: Pick<StaffAccount, "id">, act: Recorded) => Promise<number>;
};
type Recorded = Pick<Act, "before" | "after" | "reason">;

/**
 * Runs one change of who works here. Changes wait for each other: whether somebody is the last administrator depends on
 * everybody. @throws Refusal if whoever acts has lost the right while the change waited.
 */
export function changeStaff<Result>(
  { database, now }: Pick<PeopleServices, "database" | "now">,
  actor: Actor,
  change: (step: StaffChange) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(transaction);
    const at = now();
    if (actor.staff !== null && !(await mayChangeStaff(transaction, actor.staff.id))) {
      throw new Refusal(refusals.actorChanged);
    }
    return change({
      transaction,
      actor,
      at,
      record: (verb, { id }, act) =>
        recordAct(transaction, actor, { verb, subject: "staff", subjectId: String(id), ...act }, at),
    });
  });
}

/** Whether this person is still here and may change staff: they may have lost the right since they loaded the page. */
export async function mayChangeStaff(transaction: Connection, id: number): Promise<boolean> {
  const row = await selectPeople(transaction).where("id", "=", id).executeTakeFirst();
  return row?.state === "active" && hasRight(row, "staff.change");
}

/** A query for the callers to narrow down, and to lock. */
export function selectPeople(connection: Connection) {
  return connection.selectFrom("staff").select(["id", "name", "email", "roles", "state"]);
}

/**
 * Locks the person; before that, their invitations, in the same order as accepting one does. @throws AppError
 * `not_found`
 */
export async function lockPerson({ transaction }: StaffChange, id: number): Promise<StaffAccount> {
  await transaction
    .selectFrom("staff_invitations")
    .select("token_hash")
    .where("staff_id", "=", id)
    .orderBy("token_hash")
    .forUpdate()
    .execute();
  const person = await selectPeople(transaction).where("id", "=", id).forUpdate().executeTakeFirst();
  if (person === undefined) throw new AppError("not_found");
  return person;
}

/** @throws Refusal if the person acts on their own account. Commands on the server may. */
export function refuseSelf({ actor }: StaffChange, { id }: Pick<StaffAccount, "id">): void {
  if (actor.staff?.id === id) throw new Refusal(refusals.self);
}

/** The administrators who can log in, all but one person. */
export async function listAdministrators(
  { transaction }: Pick<StaffChange, "transaction">,
  { except }: { except: number | null },
): Promise<number[]> {
  const rows = await transaction
    .selectFrom("staff")
    .select("id")
    .where("state", "=", "active")
    .$if(except !== null, (query) => query.where("id", "!=", except!))
    .where(isAdministrator)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Queues an email about an act to people, each by their id. */
export async function queuePersonEmails(
  { jobs }: Pick<PeopleServices, "jobs">,
  { transaction }: Pick<StaffChange, "transaction">,
  template: PersonEmail,
  { actId, to }: { actId: number; to: readonly number[] },
): Promise<void> {
  await jobs.sendAll(
    transaction,
    "emails",
    to.map((toId) => ({ template, actId, toId })),
  );
}
