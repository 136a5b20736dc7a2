import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import {
  listStaffWith,
  lockMembers,
  requireApprover,
  requireDecliner,
  requireOpen,
  requireRequester,
  requireRight,
  type StaffActor,
  type TwoPeopleRule,
} from "#admin/two-people.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";
import { AppError } from "#shared/errors.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { lockSeats } from "../seats.ts";
import type { CallOffDecision } from "../tables.ts";

export type CallOffRequest = Selectable<Tables["call_off_requests"]>;
export type CallOffServices = CoreServices<"database" | "jobs" | "now">;

/** Whoever cancels events requests it; whoever makes refunds decides, because it moves money. */
export const callOffRule: TwoPeopleRule = {
  requests: "events.change",
  decides: "refunds.make",
  refusals: {
    mayNotDecide: "Only somebody who may make refunds decides about calling off an event.",
    mayNotRequest: (requester) =>
      `${requester} may no longer plan events, so this would not be two people’s decision. Decline it. Somebody else can then ask again.`,
    approvesOwn: "You asked to call off this event, so someone else has to approve it.",
    declinesOwn: "You asked to call off this event. You can withdraw that, but someone else decides.",
    withdrawsAnothers: "Someone else asked to call off this event.",
    approved: "Calling off this event was approved already. It is done once.",
    declined: "This was declined in the meantime. The event takes place, and its tickets are on sale again.",
    withdrawn: "This was withdrawn in the meantime. The event takes place, and its tickets are on sale again.",
  },
};

type Subject = Pick<EventOfScreen, "id" | "screenId">;
const subjectOf = ({ screenId }: Subject) => ({ subject: "events", subjectId: String(screenId) });

/** The latest request of an event: only after one was declined or withdrawn can there be another. */
export function findCallOff(connection: Connection, eventId: number): Promise<CallOffRequest | undefined> {
  return connection
    .selectFrom("call_off_requests")
    .selectAll()
    .where("event_id", "=", eventId)
    .orderBy("requested_at", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

function findCallOffById(connection: Connection, id: string): Promise<CallOffRequest | undefined> {
  return connection.selectFrom("call_off_requests").selectAll().where("id", "=", id).executeTakeFirst();
}

type Wanted = { readonly id: string; readonly event: Subject; readonly reason: string };

/**
 * Asks to call off an event. Sales stop when this commits: it locks the seats first, as everybody does who holds some.
 * The same form sent twice is one request, unless that was declined or withdrawn in between. @throws Refusal if another
 * request waits or was approved.
 */
export async function requestCallOff(
  { database, jobs, now }: CallOffServices,
  { id, event, reason }: Wanted,
  actor: StaffActor,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const at = now();
    const [requester] = await lockMembers(transaction, [actor.staff.id], "to read");
    requireRight(requester, callOffRule.requests, "You may no longer call off events.");
    await lockSeats(transaction, event.id);
    const earlier = await findCallOffById(transaction, id);
    if (earlier?.decision === null && earlier.event_id === event.id && earlier.reason === reason) return;
    const callOffId = earlier === undefined ? id : randomUUID();
    const asked = { id: callOffId, event_id: event.id, reason, requested_by: actor.staff.id, requested_at: at };
    const written = await transaction
      .insertInto("call_off_requests")
      .values(asked)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (written === undefined) throw new Refusal("Somebody has asked to call off this event in the meantime.");
    await recordAct(transaction, actor, { verb: "events.request_call_off", ...subjectOf(event), reason }, at);
    const others = (await listStaffWith(transaction, callOffRule.decides)).filter(({ id }) => id !== actor.staff.id);
    if (others.length === 0) throw new Refusal("Nobody else may approve it. Nothing was changed, and sales go on.");
    const emails = others.map(({ id: staffId }) => ({
      template: "staff-call-off-to-approve" as const,
      callOffId,
      staffId,
    }));
    await jobs.sendAll(transaction, "emails", emails);
  });
}

type Deciding = { readonly id: string; readonly event: Subject };

/**
 * Approves a request: the event is called off, and `continueCallOffs` cancels and refunds its orders. Approving again
 * changes nothing. @throws Refusal as `requireApprover`, or if the request was decided otherwise.
 */
export function approveCallOff(services: CallOffServices, { id, event }: Deciding, actor: StaffActor): Promise<void> {
  return services.database.transaction().execute(async (transaction) => {
    const at = services.now();
    await requireApprover(transaction, await requireRequest(transaction, { id, event }), actor, callOffRule);
    // A payment that settles now finds the event either on, and its order is cancelled later, or called off.
    await lockSeats(transaction, event.id);
    const request = await lockRequest(transaction, id);
    if (request.decision === "approved" && request.decided_by === actor.staff.id) return;
    requireOpen(request, callOffRule);
    await transaction.updateTable("events").set({ called_off_at: at }).where("id", "=", event.id).execute();
    await decide(transaction, event, { request, decision: "approved", actor, at });
  });
}

/** Sales go on. @throws Refusal */
export function declineCallOff(
  { database, now }: Pick<CallOffServices, "database" | "now">,
  { id, event, reason }: Deciding & { readonly reason: string },
  actor: StaffActor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await requireDecliner(transaction, await requireRequest(transaction, { id, event }), actor, callOffRule);
    const request = await lockRequest(transaction, id);
    requireOpen(request, callOffRule);
    await decide(transaction, event, { request, decision: "declined", reason, actor, at: now() });
  });
}

/** Sales go on. @throws Refusal */
export function withdrawCallOff(
  { database, now }: Pick<CallOffServices, "database" | "now">,
  { id, event }: Deciding,
  actor: StaffActor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    requireRequester(await requireRequest(transaction, { id, event }), actor, callOffRule);
    const request = await lockRequest(transaction, id);
    requireOpen(request, callOffRule);
    await decide(transaction, event, { request, decision: "withdrawn", actor, at: now() });
  });
}

/** @throws AppError `not_found` */
async function requireRequest(transaction: Connection, { id, event }: Deciding): Promise<CallOffRequest> {
  const request = await findCallOffById(transaction, id);
  if (request?.event_id !== event.id) throw new AppError("not_found");
  return request;
}

function lockRequest(transaction: Connection, id: string): Promise<CallOffRequest> {
  return transaction
    .selectFrom("call_off_requests")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

type Decided = {
  readonly request: CallOffRequest;
  readonly decision: CallOffDecision;
  readonly reason?: string;
  readonly actor: StaffActor;
  readonly at: Date;
};

const verbs = {
  approved: "events.approve_call_off",
  declined: "events.decline_call_off",
  withdrawn: "events.withdraw_call_off",
} as const satisfies Record<CallOffDecision, string>;

async function decide(
  transaction: Connection,
  event: Subject,
  { request, decision, reason = "", actor, at }: Decided,
): Promise<void> {
  await transaction
    .updateTable("call_off_requests")
    .set({ decision, decided_by: actor.staff.id, decided_at: at, decision_reason: reason })
    .where("id", "=", request.id)
    .where("decision", "is", null)
    .returning("id")
    .executeTakeFirstOrThrow();
  await recordAct(transaction, actor, { verb: verbs[decision], ...subjectOf(event), reason }, at);
}

type WaitingCallOff = {
  readonly event: string;
  readonly requester: string;
  readonly requesterId: number;
  readonly screenId: number;
};

/** The events for which a request waits, the oldest request first; or that of one request. */
export async function listCallOffsToApprove(connection: Connection, id: string | null = null) {
  const { rows } = await sql<WaitingCallOff>`
    select event.title as event, requester.name as requester, requester.id as "requesterId", item.id as "screenId"
      from call_off_requests request
      join events event on event.id = request.event_id
      join staff requester on requester.id = request.requested_by
      join content_items item on item.kind = 'events' and item.live_key = event.id::text
     where request.decision is null and (${id}::uuid is null or request.id = ${id}::uuid)
     order by request.requested_at`.execute(connection);
  return rows;
}

/** A request that waits; undefined once it is decided. */
export const findCallOffToApprove = async (connection: Connection, id: string): Promise<WaitingCallOff | undefined> =>
  (await listCallOffsToApprove(connection, id))[0];
