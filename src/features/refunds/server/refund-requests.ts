import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import {
  lockMembers,
  requireApprover,
  requireDecliner,
  requireOpen,
  requireRequester,
  requireRight,
  type StaffActor,
} from "#admin/two-people.ts";
import type { Attempt } from "#payments/attempts.ts";
import type { PaymentSubject } from "#payments/context.ts";
import type { Payments } from "#payments/payments.ts";
import type { Providers } from "#payments/provider.ts";
import { judgeRefund, roomOf } from "#payments/refunds/refund-rules.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { listRefunds } from "#payments/refunds/refund-store.ts";
import { requestRefund } from "#payments/refunds/request-refund.ts";
import type { Subject } from "#payments/subject.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { dayInSydney, formatDollars, startOfDayInSydney } from "#shared/language.ts";
import { needsSecondPerson } from "../refund-amounts.ts";
import { describeProblem, refundRule, refusals } from "./refund-refusals.ts";
import {
  findOpenRequest,
  findRequest,
  listRefunders,
  lockPaymentOf,
  lockRequest,
  type RefundRequest,
  subjectOf,
  sumRefundedAlone,
} from "./request-store.ts";
import { makeReversal, requireFinding, requireMissingCharge } from "./reversal.ts";

export type RefundServices = CoreServices<"database" | "jobs" | "now", "refunds"> & {
  readonly payments: { readonly refunds: Pick<Payments["refunds"], "run">; readonly crash: Payments["crash"] };
  readonly subject: Pick<Subject, "listParts" | "cancelParts" | "onRefunded">;
  readonly providers: Providers;
};

export type WantedRefund = {
  /** The id of the form, which the server made when it was shown: sent twice, it is one refund. */
  readonly id: string;
  readonly of: PaymentSubject;
  readonly amountCents: number;
  /** What could still be refunded when the form was shown. */
  readonly leftCents: number;
  readonly reason: string;
  /** The ids of the tickets that are cancelled when the refund is made. */
  readonly tickets: readonly string[];
  /** The payment is reversed because the provider doesn't have it: no money goes back. */
  readonly isReversal?: boolean;
};

/** `refund` is null while a request waits for a second person. */
type AskedRefund = { readonly requestId: string; readonly refund: Refund | null };

/** How long a screen waits for the provider's answer before it says that the refund is under way. */
const SOON_MS = 3000;

/**
 * Makes a refund immediately, or requests it if a second person must approve it. Locks, always in this order: staff,
 * payment, request. @throws Refusal, or AppError `invalid_input` for the amount; nothing has been changed then.
 */
export async function askForRefund(
  services: RefundServices,
  wanted: WantedRefund,
  actor: StaffActor,
): Promise<AskedRefund> {
  const { isReversal = false } = wanted;
  if (isReversal && (await findRequest(services.database, wanted.id)) === undefined) {
    await requireMissingCharge(services, wanted.of);
  }
  const refundId = await services.database.transaction().execute(async (transaction) => {
    const at = services.now();
    const [requester] = await lockMembers(transaction, [actor.staff.id], "to sum up");
    requireRight(requester, refundRule.requests, refundRule.refusals.mayNotDecide);
    const payment = await lockPaymentOf(transaction, wanted.of);
    const earlier = await findRequest(transaction, wanted.id);
    if (earlier !== undefined) return repeat(earlier, wanted, actor);
    if (payment === undefined) throw new Refusal(refusals[wanted.of.kind].notPaid);
    await requireRoom(transaction, payment, wanted);
    if (isReversal) await requireFinding(transaction, payment);
    const { twoPeopleCents: limitCents } = services.config.refunds;
    const aloneCents = await sumRefundedAlone(transaction, actor.staff.id, startOfDayInSydney(dayInSydney(at)));
    const isAlone = !needsSecondPerson(wanted.amountCents, { aloneCents, limitCents });
    const refund = isAlone
      ? await make(services, transaction, { payment, asked: wanted, by: actor.staff.id, at })
      : null;
    await writeRequest(transaction, { wanted, limitCents, refund, actor, at });
    if (refund === null) await tellOthers(services, transaction, wanted.id, actor.staff.id);
    return refund?.id ?? null;
  });
  return { requestId: wanted.id, refund: refundId === null ? null : await sendSoon(services, refundId) };
}

/** The refund of an earlier copy of the same form. */
function repeat(earlier: RefundRequest, wanted: WantedRefund, { staff }: StaffActor): string | null {
  const isSame =
    subjectOf(earlier).id === wanted.of.id &&
    earlier.amount_cents === wanted.amountCents &&
    earlier.is_reversal === (wanted.isReversal ?? false) &&
    earlier.requested_by === staff.id;
  if (!isSame) throw new Refusal("This form was already sent for another refund. Nothing more was done.");
  return earlier.refund_id;
}

/**
 * @throws Refusal, or AppError for the amount, if this can't be refunded, or the donation has changed since the form
 * was shown.
 */
async function requireRoom(transaction: Connection, payment: Attempt, wanted: WantedRefund): Promise<void> {
  const open = await findOpenRequest(transaction, wanted.of);
  if (open !== undefined) throw new Refusal(refusals[wanted.of.kind].waits(formatDollars(open.amount_cents)));
  const refunds = await listRefunds(transaction, payment.id);
  const judged = judgeRefund(payment, refunds, wanted.amountCents);
  if (!judged.ok && judged.problem !== "too_much") throw new Refusal(describeProblem(judged, wanted.of.kind, payment));
  const left = roomOf(payment.amount_cents, refunds);
  if (left !== wanted.leftCents) {
    throw new Refusal(refusals[wanted.of.kind].changed(formatDollars(left)));
  }
  if (!judged.ok) throw tooMuch(left);
}

const tooMuch = (leftCents: number) =>
  new AppError("invalid_input", { fields: { amount: [`Only ${formatDollars(leftCents)} can still be refunded.`] } });

type Asked = Pick<WantedRefund, "id" | "of" | "amountCents" | "reason" | "tickets" | "isReversal">;
type Making = { readonly payment: Attempt; readonly asked: Asked; readonly by: number; readonly at: Date };

function make(services: RefundServices, transaction: Connection, making: Making): Promise<Refund> {
  return making.asked.isReversal
    ? makeReversal(services.subject, transaction, making)
    : makeRefund(services, transaction, making);
}

/** Records the refund, and cancels the tickets that it pays for. */
async function makeRefund(
  { subject }: Pick<RefundServices, "subject">,
  transaction: Connection,
  { payment, asked: { id, of, amountCents, reason, tickets }, at }: Making,
): Promise<Refund> {
  const requestKey = `request:${id}`;
  const facts = { attemptId: payment.id, amountCents, requestKey, requestedBy: "staff", reason } as const;
  const reply = await requestRefund(transaction, facts, at);
  if (!reply.ok) throw new Refusal(describeProblem(reply, of.kind, payment));
  const { refund } = reply;
  if (tickets.length === 0) return refund;
  const isDone = await subject.cancelParts?.(transaction, payment, { ids: tickets, refundId: refund.id, now: at });
  if (!isDone) {
    throw new Refusal(
      "Some of these tickets were cancelled in the meantime, so nothing was refunded. Read what is left, then decide again.",
    );
  }
  return refund;
}

async function writeRequest(
  transaction: Connection,
  made: { wanted: WantedRefund; limitCents: number; refund: Refund | null; actor: StaffActor; at: Date },
): Promise<void> {
  const { wanted, limitCents, refund, actor, at } = made;
  const { id, of, amountCents, leftCents, reason, tickets, isReversal = false } = wanted;
  const written = await transaction
    .insertInto("refund_requests")
    .values({
      id,
      reason,
      amount_cents: amountCents,
      left_cents: leftCents,
      ticket_ids: [...tickets],
      is_reversal: isReversal,
      ...(of.kind === "donation" ? { donation_id: of.id } : { donation_id: null, ticket_order_id: of.id }),
      requested_by: actor.staff.id,
      requested_at: at,
      limit_cents: limitCents,
      ...(refund && { decision: "alone", decided_by: actor.staff.id, decided_at: at, refund_id: refund.id }),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  // The same form was sent at the same time for something else.
  if (written === undefined) throw new Refusal("This form was already sent for another refund. Nothing more was done.");
  const verb = verbOf({ isReversal, isMade: refund !== null });
  const after = {
    request: id,
    amountCents,
    leftCents,
    ...(refund && { refund: refund.order_reference }),
    ...(tickets.length > 0 && { cancelledTickets: tickets.length }),
  };
  await recordAct(transaction, actor, { verb, subject: of.kind, subjectId: of.id, after, reason }, at);
}

const verbOf = ({ isReversal, isMade }: { isReversal: boolean; isMade: boolean }) =>
  isReversal ? (isMade ? "refund.reverse" : "refund.request-reversal") : isMade ? "refund.make" : "refund.request";

/** Emails everybody else who may decide. */
async function tellOthers(
  { jobs }: Pick<RefundServices, "jobs">,
  transaction: Connection,
  requestId: string,
  requesterId: number,
): Promise<void> {
  const others = (await listRefunders(transaction)).filter(({ id }) => id !== requesterId);
  const emails = others.map(({ id: staffId }) => ({
    template: "staff-refund-to-approve" as const,
    requestId,
    staffId,
  }));
  await jobs.sendAll(transaction, "emails", emails);
}

/**
 * Approves a request and makes its refund, in one transaction. Approving again returns the same refund. @throws Refusal
 * if the person requested it, it was declined or withdrawn, or the money is no longer there.
 */
export async function approveRefund(
  services: RefundServices,
  requestId: string,
  actor: StaffActor,
): Promise<{ readonly request: RefundRequest; readonly refund: Refund }> {
  const asked = await findRequest(services.database, requestId);
  if (asked?.is_reversal && asked.decision === null) await requireMissingCharge(services, subjectOf(asked));
  const decided = await services.database.transaction().execute(async (transaction) => {
    const at = services.now();
    const seen = await requireRequest(transaction, requestId);
    await requireApprover(transaction, seen, actor, refundRule);
    const of = subjectOf(seen);
    const payment = await lockPaymentOf(transaction, of);
    const request = await lockRequest(transaction, requestId);
    if (request.decision === "approved" && request.decided_by === actor.staff.id) return request;
    requireOpen(request, refundRule);
    if (payment === undefined) throw new Refusal(refusals[of.kind].notPaidAnyMore);
    const { amount_cents: amountCents, reason, ticket_ids: tickets, is_reversal: isReversal } = request;
    const wanted = { id: requestId, of, amountCents, reason, tickets, isReversal };
    const refund = await make(services, transaction, { payment, asked: wanted, by: actor.staff.id, at });
    return decide(transaction, request, { decision: "approved", refund, actor, at });
  });
  return { request: decided, refund: await sendSoon(services, decided.refund_id!) };
}

/** @throws AppError `not_found`. */
async function requireRequest(transaction: Connection, id: string): Promise<RefundRequest> {
  const request = await findRequest(transaction, id);
  if (request === undefined) throw new AppError("not_found");
  return request;
}

/** @throws Refusal as `approveRefund`. */
export function declineRefund(
  services: Pick<RefundServices, "database" | "now">,
  requestId: string,
  { actor, reason }: { actor: StaffActor; reason: string },
): Promise<RefundRequest> {
  return services.database.transaction().execute(async (transaction) => {
    await requireDecliner(transaction, await requireRequest(transaction, requestId), actor, refundRule);
    const request = await lockRequest(transaction, requestId);
    requireOpen(request, refundRule);
    return decide(transaction, request, { decision: "declined", reason, actor, at: services.now() });
  });
}

/** @throws Refusal if somebody else requested it, or it is decided. */
export function withdrawRefund(
  services: Pick<RefundServices, "database" | "now">,
  requestId: string,
  actor: StaffActor,
): Promise<RefundRequest> {
  return services.database.transaction().execute(async (transaction) => {
    await requireRequest(transaction, requestId);
    const request = await lockRequest(transaction, requestId);
    requireRequester(request, actor, refundRule);
    requireOpen(request, refundRule);
    return decide(transaction, request, { decision: "withdrawn", actor, at: services.now() });
  });
}

type Decided = {
  readonly decision: "approved" | "declined" | "withdrawn";
  readonly refund?: Refund;
  readonly reason?: string;
  readonly actor: StaffActor;
  readonly at: Date;
};

const verbs = { approved: "refund.approve", declined: "refund.decline", withdrawn: "refund.withdraw" } as const;

async function decide(
  transaction: Connection,
  request: RefundRequest,
  { decision, refund, reason = "", actor, at }: Decided,
): Promise<RefundRequest> {
  const decided = await transaction
    .updateTable("refund_requests")
    .set({ decision, decided_by: actor.staff.id, decided_at: at, decision_reason: reason })
    .$if(refund !== undefined, (query) => query.set({ refund_id: refund!.id }))
    .where("id", "=", request.id)
    .where("decision", "is", null)
    .returningAll()
    .executeTakeFirstOrThrow();
  const { id, amount_cents: amountCents } = decided;
  const of = subjectOf(decided);
  const after = { request: id, amountCents, ...(refund && { refund: refund.order_reference }) };
  const act = { verb: verbs[decision], subject: of.kind, subjectId: of.id, after, reason };
  await recordAct(transaction, actor, act, at);
  return decided;
}

/** Sends a committed refund, and waits a moment for the answer; otherwise `payments.tick` sends and settles it. */
async function sendSoon({ database, payments }: RefundServices, refundId: string): Promise<Refund> {
  payments.crash("refund_requested");
  await Promise.race([
    payments.refunds.run(refundId).catch(() => undefined),
    sleep(SOON_MS, undefined, { ref: false }),
  ]);
  return database.selectFrom("refunds").selectAll().where("id", "=", refundId).executeTakeFirstOrThrow();
}

/**
 * Notes that a person has dealt with a refund that failed, such as by a bank transfer. The ledger stays as it is.
 * @throws Refusal unless the refund failed and nobody has noted it yet.
 */
export function noteByHand(
  services: Pick<RefundServices, "database" | "now">,
  refundId: string,
  { actor, note }: { actor: StaffActor; note: string },
): Promise<void> {
  return services.database.transaction().execute(async (transaction) => {
    const at = services.now();
    const [member] = await lockMembers(transaction, [actor.staff.id], "to read");
    requireRight(member, refundRule.decides, refundRule.refusals.mayNotDecide);
    const refund = await transaction
      .selectFrom("refunds")
      .innerJoin("payment_attempts", "payment_attempts.id", "refunds.attempt_id")
      .select(["refunds.state", "refunds.order_reference", "refunds.amount_cents", "donation_id", "ticket_order_id"])
      .where("refunds.id", "=", refundId)
      .executeTakeFirst();
    if (refund === undefined) throw new AppError("not_found");
    if (refund.state !== "failed") throw new Refusal("This refund has not failed, so there is nothing to do by hand.");
    const written = await transaction
      .insertInto("refunds_by_hand")
      .values({ refund_id: refundId, done_by: actor.staff.id, done_at: at, note })
      .onConflict((conflict) => conflict.doNothing())
      .returning("refund_id")
      .executeTakeFirst();
    if (written === undefined) throw new Refusal("Somebody has already noted that this was dealt with.");
    const after = { refund: refund.order_reference, amountCents: refund.amount_cents };
    const of = subjectOf(refund);
    const act = { verb: "refund.by_hand", subject: of.kind, subjectId: of.id, after, reason: note };
    await recordAct(transaction, actor, act, at);
  });
}
