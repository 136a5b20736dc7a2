import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordAct } from "#admin/audit.ts";
import { rolesWith } from "#admin/rights.ts";
import { readBase32 } from "#shared/base32.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { EventOfScreen } from "#shared/events/event.ts";
import { hashToken, makeToken } from "#shared/sessions/tokens.ts";
import { ticketNumber } from "../../ticket-token.ts";

/** How long a code to pair a phone works. */
export const CODE_MS = 15 * 60_000;
/** A door closes this long after its event, and the passes of its phones end. */
const OPEN_AFTER_MS = 48 * 3_600_000;

export const isDoorClosed = ({ endsAt }: Pick<EventOfScreen, "endsAt">, now: Date) =>
  endsAt.getTime() + OPEN_AFTER_MS <= now.getTime();

/** A phone with a valid pass. */
export type DoorPhone = { readonly id: string; readonly eventId: number; readonly name: string };

type Adding = { readonly event: EventOfScreen; readonly name: string };

/** Adds a phone, which its code can pair for fifteen minutes. */
export async function addPhone(transaction: Connection, { event, name }: Adding, actor: Actor, now: Date) {
  const id = randomUUID();
  await transaction
    .insertInto("door_phones")
    .values({ id, event_id: event.id, name, added_by: actor.staff!.id, added_at: now })
    .execute();
  const about = { subject: "events", subjectId: String(event.screenId) };
  await recordAct(transaction, actor, { verb: "events.add_door_phone", ...about, after: { doorPhone: name } }, now);
  return id;
}

/** The code that pairs a phone: 40 bits, 'K7Q2-M9XW'. Derived, so that it is stored nowhere and staff can see it again. */
export const pairingCode = (secretKey: string, phoneId: string): string =>
  ticketNumber(createHmac("sha256", secretKey).update(`door code ${phoneId}`).digest());

/** Pairs the phone that the code names, and returns its pass. Null if the code is wrong, used or too old. */
export async function pairByCode(
  transaction: Connection,
  { secretKey, eventId, typed }: { readonly secretKey: string; readonly eventId: number; readonly typed: string },
  now: Date,
): Promise<string | null> {
  const waiting = await transaction
    .selectFrom("door_phones")
    .select("id")
    .where("event_id", "=", eventId)
    .where("pass_hash", "is", null)
    .where("ended_at", "is", null)
    .where("added_at", ">", new Date(now.getTime() - CODE_MS))
    .forUpdate()
    .execute();
  const code = Buffer.from(readBase32(typed));
  const isOf = ({ id }: { id: string }) => {
    const expected = Buffer.from(readBase32(pairingCode(secretKey, id)));
    return code.length === expected.length && timingSafeEqual(code, expected);
  };
  const phone = waiting.find(isOf);
  return phone === undefined ? null : pairPhone(transaction, phone.id, now);
}

/** Gives a phone its pass. */
export async function pairPhone(transaction: Connection, id: string, now: Date): Promise<string> {
  const pass = makeToken();
  await transaction
    .updateTable("door_phones")
    .set({ pass_hash: hashToken(pass), paired_at: now, last_seen_at: now })
    .where("id", "=", id)
    .execute();
  return pass;
}

/**
 * The phone with this pass. Null once it was ended, two days after its event, or if whoever added it has left or may not
 * open doors any more.
 */
export async function findPhone(connection: Connection, pass: string, now: Date): Promise<DoorPhone | null> {
  const { rows } = await sql<DoorPhone>`
    select phone.id, phone.event_id as "eventId", phone.name
      from door_phones phone join events event on event.id = phone.event_id
      join staff on staff.id = phone.added_by and staff.state = 'active' and staff.roles && ${rolesWith("door.open")}::text[]
     where phone.pass_hash = ${hashToken(pass)} and phone.ended_at is null
       and event.ends_at > ${new Date(now.getTime() - OPEN_AFTER_MS)}`.execute(connection);
  return rows[0] ?? null;
}

/** Ends a phone's pass, or its code. False if it had ended already. */
export async function endPhone(
  transaction: Connection,
  { event, id }: { readonly event: EventOfScreen; readonly id: string },
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const ended = await transaction
    .updateTable("door_phones")
    .set({ ended_at: now })
    .where("id", "=", id)
    .where("event_id", "=", event.id)
    .where("ended_at", "is", null)
    .returning("name")
    .executeTakeFirst();
  if (ended === undefined) return false;
  const about = { subject: "events", subjectId: String(event.screenId) };
  const act = { verb: "events.end_door_phone", ...about, before: { doorPhone: ended.name } };
  await recordAct(transaction, actor, act, now);
  return true;
}
