import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Place } from "#admin/list-place.ts";
import type { Connection } from "#shared/database/connect.ts";
import { plural } from "#shared/language.ts";
import type { ShiftTimes } from "../shift.ts";
import { tellOfMove } from "./held-places.ts";
import type { CountedList } from "./listed-applications.ts";
import type { VolunteerServices } from "./store.ts";

/** A shift as staff write it; `wanted` is how many people by role. */
export type ShiftPlan = ShiftTimes & {
  readonly title: string;
  readonly place: string;
  readonly notes: string;
  readonly eventId: number | null;
  readonly wanted: Readonly<Record<string, number>>;
};

export type ListedShift = {
  readonly id: string;
  readonly title: string;
  readonly place: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly isCancelled: boolean;
  readonly wanted: number;
  readonly taken: number;
  /** How many of those who had a place have their hours recorded. */
  readonly recorded: number;
};

const counts = sql`
  (select coalesce(sum(wanted), 0)::integer from volunteer_shift_roles where shift_id = shift.id) as wanted,
  (select count(*)::integer from volunteer_shift_places where shift_id = shift.id and left_at is null) as taken,
  (select count(minutes)::integer from volunteer_shift_places where shift_id = shift.id and left_at is null) as recorded`;

/** Shifts that are not over, soonest first; or those that are, latest first. They follow `last`, if there is one. */
export async function listShifts(
  connection: Connection,
  { now, isOver, last, limit }: { now: Date; isOver: boolean; last: Place | null; limit: number },
): Promise<ListedShift[]> {
  const { rows } = await sql<ListedShift>`
    select shift.id, shift.title, shift.place, shift.starts_at as "startsAt", shift.ends_at as "endsAt",
           shift.cancelled_at is not null as "isCancelled", ${counts}
      from volunteer_shifts shift
     where ${isOver ? sql`shift.starts_at <= ${now} and shift.ends_at <= ${now}` : sql`shift.ends_at > ${now}`}
       and ${
         last === null
           ? sql`true`
           : sql`(shift.starts_at, shift.id) ${isOver ? sql`<` : sql`>`} (${last.at}::timestamptz, ${last.id}::uuid)`
}
     order by ${isOver ? sql`shift.starts_at desc, shift.id desc` : sql`shift.starts_at, shift.id`}
     limit ${limit}`.execute(connection);
  return rows;
}

/** Shifts that begin within a week and still want somebody, soonest first. */
export async function listShortShifts(
  connection: Connection,
  now: Date,
  limit: number,
): Promise<CountedList<{ readonly title: string; readonly startsAt: Date; readonly missing: number }>> {
  const { rows } = await sql<{ title: string; startsAt: Date; missing: number; count: number }>`
    select title, "startsAt", wanted - taken as missing, count(*) over ()::integer as count from (
      select shift.id, shift.title, shift.starts_at as "startsAt", ${counts} from volunteer_shifts shift
       where shift.cancelled_at is null and shift.starts_at > ${now}
         and shift.starts_at <= ${now}::timestamptz + interval '7 days') soon
     where taken < wanted order by "startsAt", id limit ${limit}`.execute(connection);
  return { count: rows[0]?.count ?? 0, first: rows };
}

export type ShiftDetails = NonNullable<Awaited<ReturnType<typeof findShift>>>;

/** A shift with its roles, and everybody who has or had a place in it. */
export async function findShift(connection: Connection, id: string) {
  const shift = await connection
    .selectFrom("volunteer_shifts")
    .select(["id", "title", "place", "notes", "event_id as eventId", "starts_at as startsAt", "ends_at as endsAt"])
    .select(["version", "cancelled_at as cancelledAt"])
    .select(({ selectFrom }) =>
      selectFrom("events").select("title").whereRef("events.id", "=", "event_id").as("eventTitle"),
    )
    .where("id", "=", id)
    .executeTakeFirst();
  if (shift === undefined) return undefined;
  const roles = await connection
    .selectFrom("volunteer_shift_roles as wanted")
    .innerJoin("volunteer_roles as role", "role.title", "wanted.role")
    .select(["wanted.role", "wanted.wanted", "role.needs_check as needsCheck"])
    .where("wanted.shift_id", "=", id)
    .orderBy("role.position")
    .orderBy("role.title")
    .execute();
  const places = await connection
    .selectFrom("volunteer_shift_places as place")
    .innerJoin("volunteer_applications as person", "person.id", "place.application_id")
    .select(["place.id", "place.role", "place.taken_at as takenAt", "place.left_at as leftAt", "place.minutes"])
    .select(["place.reminded_at as remindedAt", "place.left_because as leftBecause"])
    .select(["person.id as applicationId", "person.name", "person.mobile"])
    .where("place.shift_id", "=", id)
    .orderBy("person.name")
    .orderBy("place.id")
    .execute();
  return { ...shift, roles, places };
}

const columnsOf = ({ title, place, notes, eventId, startsAt, endsAt, lastDay }: ShiftPlan) => ({
  title,
  place,
  notes,
  event_id: eventId,
  starts_at: startsAt,
  ends_at: endsAt,
  last_day: lastDay,
});

/** Adds shifts, all or none. Returns their ids. */
export async function planShifts(
  { database, now }: Pick<VolunteerServices, "database" | "now">,
  plans: readonly ShiftPlan[],
  actor: Actor,
): Promise<string[]> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const ids: string[] = [];
    for (const plan of plans) {
      const id = randomUUID();
      await transaction
        .insertInto("volunteer_shifts")
        .values({ id, ...columnsOf(plan), created_at: at })
        .execute();
      await setWanted(transaction, id, plan.wanted);
      const { title: shiftTitle, startsAt, endsAt } = plan;
      const act = { verb: "shift.plan", subject: "shift", subjectId: id };
      await recordAct(transaction, actor, { ...act, after: { shiftTitle, startsAt, endsAt } }, at);
      ids.push(id);
    }
    return ids;
  });
}

async function setWanted(transaction: Connection, id: string, wanted: ShiftPlan["wanted"]): Promise<void> {
  const rows = Object.entries(wanted).map(([role, count]) => ({ shift_id: id, role, wanted: count }));
  if (rows.length === 0) return;
  await transaction
    .insertInto("volunteer_shift_roles")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["shift_id", "role"]).doUpdateSet({ wanted: sql`excluded.wanted` }))
    .execute();
}

/**
 * Changes a shift. If it moves to another day, those whose check does not reach that far lose their place; the others
 * are emailed its new time or place. Returns what is wrong, or null.
 */
export async function changeShift(
  { database, jobs, now }: VolunteerServices,
  { id, version, plan, actor }: { id: string; version: number; plan: ShiftPlan; actor: Actor },
): Promise<string | null> {
  return database.transaction().execute(async (transaction) => {
    const found = await lockShift(transaction, id);
    if (found === undefined || found.cancelled_at !== null) return "This shift is cancelled.";
    if (found.version !== version) return "Somebody has changed this shift in the meantime. Check it, then save again.";
    // People with hours keep their places, and a later day might need a check that nobody asked them for.
    if (plan.startsAt > now() && (await hasHours(transaction, id))) {
      return "Hours are recorded for this shift, so it cannot move to a later day. Plan a new shift instead.";
    }
    for (const [role, wanted] of Object.entries(plan.wanted)) {
      const taken = await countTaken(transaction, id, role);
      if (wanted < taken) {
        return plural(taken, {
          one: `${role}: 1 person has signed up. Enter at least 1, or remove them from the shift first.`,
          other: `${role}: ${taken} people have signed up. Enter at least ${taken}, or remove somebody first.`,
        });
      }
    }
    await setWanted(transaction, id, plan.wanted);
    await transaction
      .updateTable("volunteer_shifts")
      .set({ ...columnsOf(plan), version: version + 1 })
      .where("id", "=", id)
      .execute();
    const act = { verb: "shift.change", subject: "shift", subjectId: id };
    const was = {
      before: { shiftTitle: found.title, startsAt: found.starts_at, endsAt: found.ends_at },
      after: { shiftTitle: plan.title, startsAt: plan.startsAt, endsAt: plan.endsAt },
    };
    const at = now();
    await recordAct(transaction, actor, { ...act, ...was }, at);
    // The times of a past shift are only corrected.
    const isAhead = found.starts_at > at || plan.startsAt > at;
    if (isAhead && hasMoved(found, plan)) await tellOfMove(transaction, { jobs }, { shiftId: id, at });
    return null;
  });
}

const hasMoved = (found: { place: string; starts_at: Date; ends_at: Date }, plan: ShiftPlan) =>
  found.place !== plan.place || +found.starts_at !== +plan.startsAt || +found.ends_at !== +plan.endsAt;

/** Cancels a shift; who has a place is emailed. False if it is gone, cancelled or over. */
export async function cancelShift(
  { database, now }: Pick<VolunteerServices, "database" | "now">,
  { id, actor }: { id: string; actor: Actor },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const shift = await lockShift(transaction, id);
    const at = now();
    if (shift === undefined || shift.cancelled_at !== null || shift.ends_at <= at) return false;
    await transaction.updateTable("volunteer_shifts").set({ cancelled_at: at }).where("id", "=", id).execute();
    await recordAct(transaction, actor, { verb: "shift.cancel", subject: "shift", subjectId: id }, at);
    return true;
  });
}

function lockShift(transaction: Connection, id: string) {
  return transaction
    .selectFrom("volunteer_shifts")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

async function hasHours(transaction: Connection, shiftId: string): Promise<boolean> {
  const places = transaction.selectFrom("volunteer_shift_places").select("id").where("shift_id", "=", shiftId);
  return (await places.where("minutes", "is not", null).limit(1).executeTakeFirst()) !== undefined;
}

async function countTaken(transaction: Connection, shiftId: string, role: string): Promise<number> {
  const { count } = await transaction
    .selectFrom("volunteer_shift_places")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("shift_id", "=", shiftId)
    .where("role", "=", role)
    .where("left_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
