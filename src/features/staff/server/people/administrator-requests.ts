import { Refusal } from "#admin/actions.ts";
import { type Act, recordAct } from "#admin/audit.ts";
import type { Role } from "#admin/rights.ts";
import type { Connection } from "#shared/database/connect.ts";
import { listAdministrators, type PeopleServices, type StaffAccount, type StaffChange } from "./change-staff.ts";

export type AdministratorDecision = "approved" | "declined" | "withdrawn" | "overtaken";

/** Somebody asked that a person becomes an administrator. */
export type AdministratorRequest = {
  readonly id: number;
  /** Null for somebody who is not invited yet. */
  readonly staffId: number | null;
  readonly email: string;
  readonly name: string;
  /** All the roles that the person would have. */
  readonly roles: readonly Role[];
  readonly requestedBy: { readonly id: number; readonly name: string };
  readonly requestedAt: Date;
  /** Null while the request waits. */
  readonly decision: AdministratorDecision | null;
  /** Null also for a command on the server. */
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly decisionReason: string;
};

function selectRequests(connection: Connection) {
  return connection
    .selectFrom("administrator_requests as r")
    .innerJoin("staff as asker", "asker.id", "r.requested_by")
    .leftJoin("staff as decider", "decider.id", "r.decided_by")
    .select(["r.id", "r.staff_id", "r.email", "r.name", "r.roles", "r.requested_at", "r.decision", "r.decided_at"])
    .select(["r.decision_reason", "asker.id as askerId", "asker.name as askerName", "decider.name as deciderName"])
    .orderBy("r.id");
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRequests>["executeTakeFirstOrThrow"]>>;

const toRequest = (row: Row): AdministratorRequest => ({
  id: row.id,
  staffId: row.staff_id,
  email: row.email,
  name: row.name,
  roles: row.roles,
  requestedBy: { id: row.askerId, name: row.askerName },
  requestedAt: row.requested_at,
  decision: row.decision,
  decidedBy: row.deciderName,
  decidedAt: row.decided_at,
  decisionReason: row.decision_reason,
});

export async function findAdministratorRequest(
  connection: Connection,
  id: number,
): Promise<AdministratorRequest | null> {
  const row = await selectRequests(connection).where("r.id", "=", id).executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** The requests that wait, oldest first. */
export async function listOpenAdministratorRequests(connection: Connection): Promise<AdministratorRequest[]> {
  return (await selectRequests(connection).where("r.decision", "is", null).execute()).map(toRequest);
}

/** All requests that were ever made for a person. */
export async function listAdministratorRequestsOf(
  connection: Connection,
  staffId: number,
): Promise<AdministratorRequest[]> {
  return (await selectRequests(connection).where("r.staff_id", "=", staffId).execute()).map(toRequest);
}

/** The names in requests by their ids as texts, for the audit trail. */
export async function listAdministratorRequestNames(
  connection: Connection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  if (wanted.length === 0) return new Map();
  const query = connection.selectFrom("administrator_requests").select(["id", "name"]).where("id", "in", wanted);
  return new Map((await query.execute()).map(({ id, name }) => [String(id), name]));
}

/**
 * Whether whoever acts needs another administrator. Commands on the server do not: whoever runs them can do anything.
 */
export async function needsApproval(step: StaffChange): Promise<boolean> {
  if (step.actor.staff === null) return false;
  return (await listAdministrators(step, { except: step.actor.staff.id })).length > 0;
}

type Wanted = Pick<StaffAccount, "email" | "name" | "roles"> & { readonly staffId: number | null };

/**
 * Asks for another administrator's approval, and tells all administrators, also whoever asks: somebody else may be
 * using their session. Returns the request's id. @throws Refusal while another request for the person waits.
 */
export async function askForAdministrator(
  { jobs }: Pick<PeopleServices, "jobs">,
  step: StaffChange,
  { staffId, email, name, roles }: Wanted,
): Promise<number> {
  const { transaction, actor, at } = step;
  const waiting = (await listOpenAdministratorRequests(transaction)).find((one) => isFor(one, { staffId, email }));
  if (waiting !== undefined) {
    throw new Refusal(
      `${waiting.requestedBy.name} has already asked to make ${name} an administrator. Approve, decline or withdraw that first.`,
    );
  }
  const { id } = await transaction
    .insertInto("administrator_requests")
    .values({
      staff_id: staffId,
      email,
      name,
      roles: [...roles],
      requested_by: actor.staff!.id,
      requested_at: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await recordStaffAct(step, id, "administrator.request", { after: { email, roles } });
  await queueAdministratorEmails({ jobs }, step, "staff-administrator-asked", id);
  return id;
}

const isFor = (request: AdministratorRequest, { staffId, email }: Pick<Wanted, "staffId" | "email">) =>
  (staffId !== null && request.staffId === staffId) || request.email.toLowerCase() === email.toLowerCase();

/** Adds an act on the request with this id to the audit trail. */
export function recordStaffAct(
  { transaction, actor, at }: StaffChange,
  id: number,
  verb: string,
  act: Pick<Act, "after" | "reason"> = {},
): Promise<number> {
  return recordAct(transaction, actor, { verb, subject: "administrator", subjectId: String(id), ...act }, at);
}

/** Queues this email to every administrator who can log in, whoever asked included. */
export async function queueAdministratorEmails(
  { jobs }: Pick<PeopleServices, "jobs">,
  step: StaffChange,
  template: "staff-administrator-asked" | "staff-administrator-declined",
  requestId: number,
): Promise<void> {
  const to = await listAdministrators(step, { except: null });
  await jobs.sendAll(
    step.transaction,
    "emails",
    to.map((toId) => ({ template, requestId, toId })),
  );
}

/**
 * Writes the decision on a waiting request. Changes of staff happen one after the other, so nobody else has decided it.
 */
export async function closeAdministratorRequest(
  { transaction, actor, at }: StaffChange,
  id: number,
  { decision, reason = "" }: { readonly decision: AdministratorDecision; readonly reason?: string },
): Promise<void> {
  await transaction
    .updateTable("administrator_requests")
    .set({ decision, decided_by: actor.staff?.id ?? null, decided_at: at, decision_reason: reason })
    .where("id", "=", id)
    .where("decision", "is", null)
    .returning("id")
    .executeTakeFirstOrThrow();
}

/**
 * Ends the requests that a change of this account makes obsolete: those for the person, and those that they made.
 * Somebody has to ask again.
 */
export async function endObsoleteRequests(
  step: StaffChange,
  person: Pick<StaffAccount, "email"> & { id?: number },
): Promise<void> {
  const open = await listOpenAdministratorRequests(step.transaction);
  for (const request of open) {
    const isOver =
      isFor(request, { staffId: person.id ?? null, email: person.email }) || request.requestedBy.id === person.id;
    if (!isOver) continue;
    await closeAdministratorRequest(step, request.id, { decision: "overtaken" });
    await recordStaffAct(step, request.id, "administrator.overtake");
  }
}
