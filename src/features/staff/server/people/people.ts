import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import type { Actor } from "#admin/audit.ts";
import type { Role } from "#admin/rights.ts";
import { AppError } from "#shared/errors.ts";
import { sendInvitation } from "../invitations.ts";
import { removeWaysToLogIn } from "../ways-to-log-in.ts";
import { askForAdministrator, endObsoleteRequests, needsApproval } from "./administrator-requests.ts";
import {
  changeStaff,
  listAdministrators,
  lockPerson,
  type PeopleServices,
  queuePersonEmails,
  refusals,
  refuseSelf,
  type StaffAccount,
  type StaffChange,
  selectPeople,
} from "./change-staff.ts";

/** @throws Refusal if this person is the last administrator who can log in. */
async function refuseLastAdministrator(step: StaffChange, { id, state, roles }: StaffAccount): Promise<void> {
  if (state !== "active" || !roles.includes("administrator")) return;
  if ((await listAdministrators(step, { except: id })).length === 0) throw new Refusal(refusals.lastAdministrator);
}

export type Invited = { readonly email: string; readonly name: string; readonly roles: readonly Role[] };

/** The result of a change that may have to wait for another administrator. */
export type Changed = { readonly staffId: number } | { readonly requestId: number };

/**
 * Invites somebody by email. If their account had ended, they get it back. A new administrator waits for another one's
 * approval, if there is another. @throws AppError `invalid_input` if somebody has that email.
 */
export function invite(services: PeopleServices, actor: Actor, invited: Invited): Promise<Changed> {
  return changeStaff(services, actor, async (step) => {
    if (invited.roles.includes("administrator") && (await needsApproval(step))) {
      refuseTaken(await findByEmail(step, invited.email));
      return { requestId: await askForAdministrator(services, step, { staffId: null, ...invited }) };
    }
    await endObsoleteRequests(step, invited);
    return { staffId: await addInvited(services, step, invited) };
  });
}

function findByEmail({ transaction }: StaffChange, email: string): Promise<StaffAccount | undefined> {
  return selectPeople(transaction).where(sql<boolean>`lower(email) = lower(${email})`).executeTakeFirst();
}

function refuseTaken(known: StaffAccount | undefined): void {
  if (known === undefined || known.state === "ended") return;
  throw new AppError("invalid_input", {
    fields: { email: [`${known.name} already has an account with this email.`] },
  });
}

/** Adds the person, sends the invitation, and tells all administrators of a new one. Returns the person's id. */
export async function addInvited(
  services: PeopleServices,
  step: StaffChange,
  { email, name, roles, requestedBy }: Invited & { readonly requestedBy?: string },
): Promise<number> {
  const { transaction, at, record } = step;
  const known = await findByEmail(step, email);
  refuseTaken(known);
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
  const after = { ...seen(values), ...(requestedBy !== undefined && { requestedBy }) };
  const actId = await record("staff.invite", { id }, { ...(known && { before: seen(known) }), after });
  if (roles.includes("administrator")) {
    const to = await listAdministrators(step, { except: id });
    await queuePersonEmails(services, step, "staff-administrator-added", { actId, to });
  }
  return id;
}

const seen = ({ email, name, roles, state }: Omit<StaffAccount, "id">) => ({ email, name, roles, state });

/**
 * Gives a person other roles, from their next request on. A new administrator waits for another one's approval, if
 * there is another; until then no role changes. @throws AppError `not_found`; Refusal with a sentence.
 */
export function changeRoles(
  services: PeopleServices,
  actor: Actor,
  { id, roles }: { readonly id: number; readonly roles: readonly Role[] },
): Promise<Changed> {
  return changeStaff(services, actor, async (step) => {
    const person = await lockPerson(step, id);
    refuseSelf(step, person);
    if (person.state === "ended") throw new Refusal(refusals.ended);
    const isSame = roles.length === person.roles.length && roles.every((role) => person.roles.includes(role));
    if (isSame) throw new Refusal("The person already has these roles.");
    if (!roles.includes("administrator")) await refuseLastAdministrator(step, person);
    const isNew = roles.includes("administrator") && !person.roles.includes("administrator");
    if (isNew && (await needsApproval(step))) {
      const { email, name } = person;
      return { requestId: await askForAdministrator(services, step, { staffId: id, email, name, roles }) };
    }
    await endObsoleteRequests(step, person);
    await giveRoles(services, step, person, { roles });
    return { staffId: id };
  });
}

/** Sets a person's roles. They, and for a new administrator all others, are told. */
export async function giveRoles(
  services: PeopleServices,
  step: StaffChange,
  person: StaffAccount,
  { roles, requestedBy }: { readonly roles: readonly Role[]; readonly requestedBy?: string },
): Promise<void> {
  const { id } = person;
  await step.transaction
    .updateTable("staff")
    .set({ roles: [...roles] })
    .where("id", "=", id)
    .execute();
  const after = { roles, ...(requestedBy !== undefined && { requestedBy }) };
  const actId = await step.record("staff.change-roles", person, { before: { roles: person.roles }, after });
  await queuePersonEmails(services, step, "staff-roles-changed", { actId, to: [id] });
  if (roles.includes("administrator") && !person.roles.includes("administrator")) {
    const to = await listAdministrators(step, { except: id });
    await queuePersonEmails(services, step, "staff-administrator-added", { actId, to });
  }
}

/**
 * Ends an account: nobody can log in with it any more. The name stays on what was done. @throws AppError `not_found`;
 * Refusal with a sentence.
 */
export function endAccount(
  services: PeopleServices,
  actor: Actor,
  { id, reason }: { readonly id: number; readonly reason: string },
): Promise<void> {
  return changeStaff(services, actor, async (step) => {
    const person = await lockPerson(step, id);
    refuseSelf(step, person);
    if (person.state === "ended") throw new Refusal(refusals.alreadyEnded);
    await refuseLastAdministrator(step, person);
    await endObsoleteRequests(step, person);
    await forgetWaysToLogIn(services, step, person);
    await step.transaction.deleteFrom("saved_filters").where("staff_id", "=", id).execute();
    await step.transaction
      .updateTable("staff")
      .set({ state: "ended", ended_at: step.at })
      .where("id", "=", id)
      .execute();
    const act = { before: { state: person.state }, after: { state: "ended" }, reason };
    const actId = await step.record("staff.end", person, act);
    await queuePersonEmails(services, step, "staff-account-ended", { actId, to: [id] });
  });
}

/**
 * Invites somebody again. If they cannot log in yet, they get a new link and the earlier one stops working. Otherwise
 * their passkeys, password and codes are removed, and all administrators are told. @throws AppError `not_found`;
 * Refusal with a sentence.
 */
export function inviteAgain(services: PeopleServices, actor: Actor, { id }: { readonly id: number }): Promise<void> {
  return changeStaff(services, actor, async (step) => {
    const person = await lockPerson(step, id);
    refuseSelf(step, person);
    if (person.state === "ended") throw new Refusal(refusals.ended);
    const hadWayToLogIn = await forgetWaysToLogIn(services, step, person);
    const isReset = person.state === "active" || hadWayToLogIn;
    // A command on the server may reset the only administrator, who would otherwise be locked out after losing their
    // devices.
    if (actor.staff !== null) await refuseLastAdministrator(step, person);
    if (isReset) await endObsoleteRequests(step, person);
    await step.transaction.updateTable("staff").set({ state: "invited" }).where("id", "=", id).execute();
    const kind = isReset || (await wasReset(step, person)) ? "reset" : "invitation";
    await sendInvitation(step.transaction, services, { staffId: id, kind }, step.at);
    const act = { before: { state: person.state }, after: { state: "invited" } };
    const actId = await step.record(isReset ? "staff.reset" : "staff.invite-again", person, act);
    if (!isReset) return;
    const to = await listAdministrators(step, { except: id });
    await queuePersonEmails(services, step, "staff-reset", { actId, to });
  });
}

/** Whether the person had a way to log in before, which a reset removed. */
async function wasReset({ transaction }: StaffChange, { id }: StaffAccount): Promise<boolean> {
  const last = await transaction
    .selectFrom("audit_trail")
    .select("verb")
    .where("subject", "=", "staff")
    .where("subject_id", "=", String(id))
    .where("verb", "in", ["staff.invite", "staff.reset"])
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.verb === "staff.reset";
}

/**
 * Removes the person's passkeys, password and codes, and ends their sessions. True if there was a passkey or a
 * password.
 */
async function forgetWaysToLogIn(
  { staffSessions }: PeopleServices,
  { transaction }: StaffChange,
  { id }: StaffAccount,
): Promise<boolean> {
  const found = await transaction
    .selectFrom("staff")
    .select("id")
    .where("id", "=", id)
    .where(sql<boolean>`password_hash is not null or exists (select from staff_passkeys where staff_id = staff.id)`)
    .executeTakeFirst();
  await removeWaysToLogIn(transaction, id);
  await staffSessions.endAll(transaction, id);
  await transaction.deleteFrom("staff_invitations").where("staff_id", "=", id).execute();
  return found !== undefined;
}
