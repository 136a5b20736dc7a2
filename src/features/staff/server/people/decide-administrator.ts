import { Refusal } from "#admin/actions.ts";
import type { Actor } from "#admin/audit.ts";
import { AppError } from "#shared/errors.ts";
import {
  type AdministratorRequest,
  closeAdministratorRequest,
  findAdministratorRequest,
  queueAdministratorEmails,
  recordStaffAct,
} from "./administrator-requests.ts";
import { changeStaff, lockPerson, mayChangeStaff, type PeopleServices, type StaffChange } from "./change-staff.ts";
import { addInvited, giveRoles } from "./people.ts";

export const decisionRefusals = {
  decided: "Somebody has decided this in the meantime. Nothing was changed.",
  overtaken: "The account of one of the two has been changed meanwhile, so this request no longer counts. Ask again.",
  own: "You asked for this, so another administrator has to approve or decline it. You can withdraw it.",
  others: "Somebody else asked for this. You can approve or decline it.",
} as const;

/** Runs a decision on a request that still waits. @throws AppError `not_found`; Refusal with a sentence. */
function decide(
  services: PeopleServices,
  actor: Actor,
  id: number,
  run: (step: StaffChange, request: AdministratorRequest) => Promise<void>,
): Promise<AdministratorRequest> {
  return changeStaff(services, actor, async (step) => {
    const request = await findAdministratorRequest(step.transaction, id);
    if (request === null) throw new AppError("not_found");
    if (request.decision === "overtaken") throw new Refusal(decisionRefusals.overtaken);
    if (request.decision !== null) throw new Refusal(decisionRefusals.decided);
    await run(step, request);
    return request;
  });
}

function refuseOwn({ actor }: StaffChange, { requestedBy, staffId }: AdministratorRequest): void {
  const own = actor.staff?.id;
  if (own === undefined || own === requestedBy.id || own === staffId) throw new Refusal(decisionRefusals.own);
}

/**
 * Makes the person an administrator: with their new roles, or by an invitation. All administrators are told.
 * `invitedId`: who was invited, if somebody was. @throws AppError `not_found`; Refusal with a sentence.
 */
export async function approveAdministrator(
  services: PeopleServices,
  actor: Actor,
  id: number,
): Promise<{ readonly name: string; readonly invitedId: number | null }> {
  let invitedId: number | null = null;
  const { name } = await decide(services, actor, id, async (step, request) => {
    const { staffId, email, name, roles, requestedBy } = request;
    refuseOwn(step, request);
    if (!(await mayChangeStaff(step.transaction, requestedBy.id))) throw new Refusal(decisionRefusals.overtaken);
    await closeAdministratorRequest(step, id, { decision: "approved" });
    await recordStaffAct(step, id, "administrator.approve");
    const given = { roles, requestedBy: requestedBy.name };
    if (staffId === null) invitedId = await addInvited(services, step, { email, name, ...given });
    else await giveRoles(services, step, await lockPerson(step, staffId), given);
  });
  return { name, invitedId };
}

/** Changes only the request. All administrators are told, with the reason. */
export function declineAdministrator(
  services: PeopleServices,
  actor: Actor,
  { id, reason }: { readonly id: number; readonly reason: string },
): Promise<AdministratorRequest> {
  return decide(services, actor, id, async (step, request) => {
    refuseOwn(step, request);
    await closeAdministratorRequest(step, id, { decision: "declined", reason });
    await recordStaffAct(step, id, "administrator.decline", { reason });
    await queueAdministratorEmails(services, step, "staff-administrator-declined", id);
  });
}

/** Takes back one's own request. @throws AppError `not_found`; Refusal with a sentence. */
export function withdrawAdministrator(
  services: PeopleServices,
  actor: Actor,
  id: number,
): Promise<AdministratorRequest> {
  return decide(services, actor, id, async (step, { requestedBy }) => {
    if (actor.staff?.id !== requestedBy.id) throw new Refusal(decisionRefusals.others);
    await closeAdministratorRequest(step, id, { decision: "withdrawn" });
    await recordStaffAct(step, id, "administrator.withdraw");
  });
}
