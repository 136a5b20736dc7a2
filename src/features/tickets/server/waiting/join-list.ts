import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import { undecidedStates } from "#payments/states.ts";
import { type Captcha, findSolved, spendEffort } from "#shared/captcha/captcha.ts";
import { accepted, type Reply, refused } from "#shared/contract/envelope.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { findEventFacts } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { plural } from "#shared/language.ts";
import { countMessage, mayBeAnswered } from "#shared/limits/message-limits.ts";
import { requireDocumentKey } from "#shared/links/document-links.ts";
import type { joinWaitingListCall } from "../../contract.ts";
import { ticketProblems } from "../../problems.ts";
import { typeState } from "../sale.ts";
import { isOffered, lapseHolds, leftOf, readTypes, type TicketTypeRow } from "../seats.ts";
import { type OfferServices, offerSeatsOf } from "./offer-seats.ts";

type WaitingServices = CoreServices<"database" | "jobs" | "now", "secretKey" | "tickets"> & {
  /** The captcha that is asked for only on suspicion. */
  readonly work: Captcha;
};

type Joining = z.output<typeof joinWaitingListCall.body>;

const JOINED = "You are on the waiting list. We have sent you an email.";

/** Of one network address, and under one email without a harder captcha. */
const limits = {
  kind: "waiting",
  perAddress: 30,
  perEmail: 3,
  windowSeconds: 3600,
  tooMany: ticketProblems.too_many_entries,
};

/**
 * Puts somebody on the waiting list of a type that is sold out, and sends an email about it. Whoever is on the list
 * keeps their place, and the answer does not say so.
 * @throws AppError `not_found`, `invalid_input`, `captcha_dearer`, `too_many_entries`
 */
export async function joinWaitingList(
  services: WaitingServices,
  joining: Joining,
  { address, userId }: { readonly address: string; readonly userId: number | null },
): Promise<Reply<Record<string, never>>> {
  const { database, now, work } = services;
  const at = now();
  const event = await findEventFacts(database, joining.event, at);
  if (event === undefined) throw new AppError("not_found");
  if (event.isOver) return refused(ticketProblems.not_on_sale, { message: "This event has ended." });
  if (event.calledOffAt !== null) {
    return refused(ticketProblems.sales_stopped, { message: "This event has been called off." });
  }
  const solved = await findSolved(work, joining.captcha, { action: "hold", address, now: at });
  return database.transaction().execute(async (transaction) => {
    await lapseHolds(transaction, event.id, at);
    const type = findType(await readTypes(transaction, event.id), joining);
    const state = typeState(type, leftOf(type), at);
    if (state === "on_sale") return refused(ticketProblems.not_sold_out);
    if (state !== "sold_out") return refused(ticketProblems.not_on_sale);
    const { secretKey } = services.config;
    const effort = await countMessage(transaction, { address, email: joining.email }, { ...limits, secretKey }, at);
    // Also for the first, because each entry may have seats held for a day.
    await spendEffort(transaction, solved, { effort, now: at });
    await addEntry(transaction, services, { joining, userId, type, at });
    return accepted({}, JOINED);
  });
}

/** @throws AppError `invalid_input` */
function findType(types: readonly TicketTypeRow[], { type: code, access, quantity }: Joining): TicketTypeRow {
  const type = types.find((row) => row.code === code);
  if (type === undefined || !isOffered(type, access)) {
    throw new AppError("invalid_input", { fields: { type: ["Choose from the tickets of this event"] } });
  }
  if (quantity > type.limit_per_order) {
    throw new AppError("invalid_input", {
      fields: { quantity: [`At most ${type.limit_per_order} tickets in one order`] },
    });
  }
  // A type without seats may get some later.
  if (type.capacity > 0 && quantity > type.capacity) {
    const fault = plural(type.capacity, {
      one: `There is only 1 ${type.title} ticket in all`,
      other: `There are only ${type.capacity} ${type.title} tickets in all`,
    });
    throw new AppError("invalid_input", { fields: { quantity: [fault] } });
  }
  return type;
}

type Adding = {
  readonly joining: Joining;
  readonly userId: number | null;
  readonly type: TicketTypeRow;
  readonly at: Date;
};

/** The event's types are locked, so nobody joins twice. Who is on the list gets the email again, once an hour. */
async function addEntry(
  transaction: Connection,
  { jobs, config }: Pick<WaitingServices, "jobs" | "config">,
  { joining, userId, type, at }: Adding,
): Promise<void> {
  const mayAnswer = await mayBeAnswered(transaction, joining.email, config, at);
  const earlier = await findActive(transaction, type.id, joining.email);
  if (earlier !== undefined) {
    if (mayAnswer) await jobs.send(transaction, "emails", { template: earlier.template, entryId: earlier.id });
    return;
  }
  const id = randomUUID();
  await transaction
    .insertInto("waiting_entries")
    .values({
      id,
      event_id: type.event_id,
      type_id: type.id,
      quantity: joining.quantity,
      joined_at: at,
      user_id: userId,
      email: joining.email,
      first_name: joining.firstName,
      last_name: joining.lastName,
    })
    .execute();
  await transaction.updateTable("ticket_types").set({ keeps_seats: true }).where("id", "=", type.id).execute();
  await jobs.send(transaction, "emails", { template: "waiting-joined", entryId: id });
}

/** The entry under this address that waits or has an offer now, and the email that says so. */
async function findActive(connection: Connection, typeId: number, email: string) {
  const { rows } = await sql<{ id: string; template: "waiting-joined" | "waiting-offer" }>`
    select entry.id, case when offered_at is null then 'waiting-joined' else 'waiting-offer' end as template
      from waiting_entries entry left join ticket_orders offer on offer.id = entry.order_id
     where entry.type_id = ${typeId} and lower(entry.email) = lower(${email}) and left_at is null
       and (offered_at is null or offer.state = 'held')`.execute(connection);
  return rows[0];
}

/** @throws AppError `not_found` without the right key */
export async function leaveWaitingList(
  services: WaitingServices,
  id: string,
  { key }: { readonly key: string },
): Promise<void> {
  await requireDocumentKey(services, { kind: "waiting_entry", id }, key);
  await services.database.transaction().execute((transaction) => takeOffList(transaction, services, { id }));
}

/**
 * Ends an entry, gives back seats that were offered to it, and offers them to the next. False if it had ended before.
 * Seats that are being paid for stay.
 */
export async function takeOffList(
  transaction: Connection,
  services: Pick<OfferServices, "jobs" | "now" | "config">,
  { id, staffId, eventId }: { readonly id: string; readonly staffId?: number; readonly eventId?: number },
): Promise<boolean> {
  const at = services.now();
  const found = transaction.selectFrom("waiting_entries").selectAll().where("id", "=", id);
  const entry = await found
    .$if(eventId !== undefined, (query) => query.where("event_id", "=", eventId!))
    .executeTakeFirst();
  if (entry === undefined) throw new AppError("not_found");
  await lapseHolds(transaction, entry.event_id, at);
  const { numUpdatedRows } = await transaction
    .updateTable("waiting_entries")
    .set({ left_at: at, ...(staffId !== undefined && { removed_by: staffId }) })
    .where("id", "=", id)
    .where("left_at", "is", null)
    .executeTakeFirst();
  // Read under the lock: it may have been made an offer in the meantime.
  await sql`select release_hold(order_id, ${undecidedStates}::text[], ${at}) from waiting_entries
             where id = ${id} and order_id is not null`.execute(transaction);
  await offerSeatsOf(transaction, services, entry.event_id);
  return numUpdatedRows === 1n;
}
