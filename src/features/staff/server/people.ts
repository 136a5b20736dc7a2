import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import { hasRight, type Role } from "#admin/rights.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { isAdministrator } from "./administrators.ts";
import { sendInvitation } from "./invitations.ts";
import type { PersonEmail } from "./people-emails.ts";
import { removeWaysIn } from "./ways-in.ts";

export type PeopleServices = CoreServices<"database" | "jobs" | "now", "secretKey"> & {
  readonly staffSessions: StaffSessions;
};

type Person = {
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

/** What is done to one person at a time: nobody else’s account changes in the meantime, in any process. */
type Step = {
  readonly transaction: Connection;
  readonly actor: Actor;
  readonly at: Date;
  /** Adds to the audit trail, and returns the act’s id. */
  readonly record: (verb: string, person: Pick<Person, "id">, act: Recorded) => Promise<number>;
};
type Recorded = { readonly before?: object; readonly after?: object; readonly reason?: string };

/**
 * Runs one change of who works here. Changes wait for each other: whether somebody is the last administrator depends on
 * everybody. @throws Refusal if whoever acts has lost the right while the change waited.
 */
function changeStaff<Result>(
  { database, now }: PeopleServices,
  actor: Actor,
  change: (step: Step) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(transaction);
    const at = now();
    if (actor.staff !== null) await requireRight(transaction, actor.staff.id);
    return change({
      ...{ transaction, actor, at },
      record: (verb, { id }, act) =>
        recordAct(transaction, actor, { verb, subject: "staff", subjectId: String(id), ...act }, at),
    });
  });
}

async function requireRight(transaction: Connection, id: number): Promise<void> {
  const row = await selectPeople(transaction).where("id", "=", id).executeTakeFirst();
  if (row?.state !== "active" || !hasRight(row, "staff.change")) throw new Refusal(refusals.actorChanged);
}

function selectPeople(connection: Connection) {
  return connection.selectFrom("staff").select(["id", "name", "email", "roles", "state"]);
}

/** The person, locked: first their invitations, as whoever accepts one does. @throws AppError `not_found` */
async function takePerson({ transaction }: Step, id: number): Promise<Person> {
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

function refuseSelf({ actor }: Step, { id }: Pick<Person, "id">): void {
  if (actor.staff?.id === id) throw new Refusal(refusals.self);
}

const isActiveAdministrator = ({ state, roles }: Pick<Person, "state" | "roles">) =>
  state === "active" && roles.includes("administrator");

/** @throws Refusal if nobody who can log in would be an administrator without this person. */
async function refuseLastAdministrator({ transaction }: Step, person: Person): Promise<void> {
  if (!isActiveAdministrator(person)) return;
  const other = await transaction
    .selectFrom("staff")
    .select("id")
    .where("state", "=", "active")
    .where("id", "!=", person.id)
    .where(isAdministrator)
    .executeTakeFirst();
  if (other === undefined) throw new Refusal(refusals.lastAdministrator);
}

/** Sends an email about an act to people, each by their id. */
async function tell(
  { jobs }: PeopleServices,
  { transaction }: Step,
  template: PersonEmail,
  { actId, to }: { actId: number; to: readonly number[] },
): Promise<void> {
  if (to.length === 0) return;
  await jobs.sendAll(
    transaction,
    "emails",
    to.map((toId) => ({ template, actId, toId })),
  );
}

async function listAdministrators({ transaction }: Step, { except }: { except: number }): Promise<number[]> {
  const rows = await transaction
    .selectFrom("staff")
    .select("id")
    .where("state", "=", "active")
    .where("id", "!=", except)
    .where(isAdministrator)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

export type Invited = { readonly email: string; readonly name: string; readonly roles: readonly Role[] };

/**
 * Invites somebody by email, and returns their id. Somebody whose account has ended comes back to it. Administrators
 * learn of a new one. @throws AppError `invalid_input` if somebody has that email.
 */
export function invite(services: PeopleServices, actor: Actor, { email, name, roles }: Invited): Promise<number> {
  return changeStaff(services, actor, async (step) => {
    const { transaction, at, record } = step;
    const known = await selectPeople(transaction)
      .where(sql<boolean>`lower(email) = lower(${email})`)
      .executeTakeFirst();
    if (known !== undefined && known.state !== "ended") {
      throw new AppError("invalid_input", {
        fields: { email: [`${known.name} already has an account with this email.`] },
      });
    }
    const values = { email, name, roles: [...roles], state: "invited" as const, ended_at: null };
    const { id } =
      known === undefined
        ? await transaction
            .insertInto("staff")
            .values({ ...values, created_at: at })
            .returning("id")
            .executeTakeFirstOrThrow()
        : known;
    if (known !== undefined) await transaction.updateTable("staff").set(values).where("id", "=", id).execute();
    await sendInvitation(transaction, services, { staffId: id, kind: "invitation" }, at);
    const actId = await record("staff.invite", { id }, { ...(known && { before: seen(known) }), after: seen(values) });
    if (roles.includes("administrator")) {
      const to = await listAdministrators(step, { except: id });
      await tell(services, step, "staff-administrator-added", { actId, to });
    }
    return id;
  });
}

const seen = ({ email, name, roles, state }: Omit<Person, "id">) => ({ email, name, roles, state });

/** Gives a person other roles, from their next request on. They, and for a new administrator all others, are told. */
export function changeRoles(
  services: PeopleServices,
  actor: Actor,
  { id, roles }: { readonly id: number; readonly roles: readonly Role[] },
): Promise<void> {
  return changeStaff(services, actor, async (step) => {
    const person = await takePerson(step, id);
    refuseSelf(step, person);
    if (person.state === "ended") throw new Refusal(refusals.ended);
    const isSame = roles.length === person.roles.length && roles.every((role) => person.roles.includes(role));
    if (isSame) throw new Refusal("These are the roles that the person has.");
    if (!roles.includes("administrator")) await refuseLastAdministrator(step, person);
    await step.transaction
      .updateTable("staff")
      .set({ roles: [...roles] })
      .where("id", "=", id)
      .execute();
    const act = { before: { roles: person.roles }, after: { roles } };
    const actId = await step.record("staff.change-roles", person, act);
    await tell(services, step, "staff-roles-changed", { actId, to: [id] });
    if (roles.includes("administrator") && !person.roles.includes("administrator")) {
      const to = await listAdministrators(step, { except: id });
      await tell(services, step, "staff-administrator-added", { actId, to });
    }
  });
}

/** Ends an account: nothing of it logs in any more. The name stays with what was done. */
export function endAccount(
  services: PeopleServices,
  actor: Actor,
  { id, reason }: { readonly id: number; readonly reason: string },
): Promise<void> {
  return changeStaff(services, actor, async (step) => {
    const person = await takePerson(step, id);
    refuseSelf(step, person);
    if (person.state === "ended") throw new Refusal(refusals.alreadyEnded);
    await refuseLastAdministrator(step, person);
    await forgetWaysIn(services, step, person);
    await step.transaction
      .updateTable("staff")
      .set({ state: "ended", ended_at: step.at })
      .where("id", "=", id)
      .execute();
    const act = { before: { state: person.state }, after: { state: "ended" }, reason };
    const actId = await step.record("staff.end", person, act);
    await tell(services, step, "staff-account-ended", { actId, to: [id] });
  });
}

/**
 * Invites somebody again. Without a way in yet, they get a new link and the earlier one stops working. Otherwise their
 * passkeys, password and codes are removed, and all administrators learn of it.
 */
export function inviteAgain(services: PeopleServices, actor: Actor, { id }: { readonly id: number }): Promise<void> {
  return changeStaff(services, actor, async (step) => {
    const person = await takePerson(step, id);
    refuseSelf(step, person);
    if (person.state === "ended") throw new Refusal(refusals.ended);
    const hadWayIn = await forgetWaysIn(services, step, person);
    const isReset = person.state === "active" || hadWayIn;
    // A command on the server may: it is the way back in for an only administrator who has lost their devices.
    if (actor.staff !== null) await refuseLastAdministrator(step, person);
    await step.transaction.updateTable("staff").set({ state: "invited" }).where("id", "=", id).execute();
    const kind = isReset ? "reset" : "invitation";
    await sendInvitation(step.transaction, services, { staffId: id, kind }, step.at);
    const act = { before: { state: person.state }, after: { state: "invited" } };
    const actId = await step.record(isReset ? "staff.reset" : "staff.invite-again", person, act);
    if (!isReset) return;
    const to = await listAdministrators(step, { except: id });
    await tell(services, step, "staff-reset", { actId, to });
  });
}

/** Removes whatever lets the person in, and ends their sessions. True if there was a passkey or a password. */
async function forgetWaysIn(
  { staffSessions }: PeopleServices,
  { transaction }: Step,
  { id }: Person,
): Promise<boolean> {
  const wayIn = await transaction
    .selectFrom("staff")
    .select("id")
    .where("id", "=", id)
    .where(sql<boolean>`password_hash is not null or exists (select from staff_passkeys where staff_id = staff.id)`)
    .executeTakeFirst();
  await removeWaysIn(transaction, id);
  await staffSessions.endAll(transaction, id);
  await transaction.deleteFrom("staff_invitations").where("staff_id", "=", id).execute();
  return wayIn !== undefined;
}
