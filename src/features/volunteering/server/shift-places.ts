import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/language.ts";
import { describeShiftTimes, type OfferedShift, type ShiftHours } from "../shift.ts";
import { lockApplication, type VolunteerServices } from "./store.ts";

/** Why somebody cannot have a place: the names of the database's own constraints. */
const placeFaults = {
  shift_cancelled: "This shift is cancelled.",
  role_not_held: "This is not one of your roles at the moment.",
  check_not_valid: "This role needs a Working With Children Check that is verified and valid on the day of the shift.",
  shift_full: "Somebody else has just taken the last place.",
  shift_begun: "This shift has begun.",
  no_such_shift: "There is no such shift.",
} as const;
/** `inRole`: they have a place already, in this other role; `inShift`: in another shift at that time. */
type PlaceFault = keyof typeof placeFaults | { readonly inRole: string } | { readonly inShift: OtherShift };
type OtherShift = { readonly title: string; readonly startsAt: Date; readonly endsAt: Date };

export function describePlaceFault(fault: PlaceFault): string {
  if (typeof fault === "string") return placeFaults[fault];
  if ("inRole" in fault) {
    return `Already in this shift as ${fault.inRole}. To change the role, give up that place first.`;
  }
  const { title, ...times } = fault.inShift;
  return `Already in another shift at that time: ${title}, ${describeShiftTimes(times, "short")}. Give up that place first.`;
}

type Services = Pick<VolunteerServices, "database" | "now">;
type Taking = { readonly shiftId: string; readonly applicationId: string; readonly role: string };

/**
 * Gives a volunteer a place and emails them about it; null if they have it now, and also if they had it before. The
 * database's trigger decides, whatever happens at the same time. Staff may add somebody to a shift that has begun: they came.
 */
export async function takePlace(
  { database, jobs, now }: Services & { readonly jobs: Pick<VolunteerServices["jobs"], "send"> },
  { shiftId, applicationId, role }: Taking,
  actor: Actor | null = null,
): Promise<PlaceFault | null> {
  const at = now();
  try {
    return await database.transaction().execute(async (transaction) => {
      const shift = await transaction
        .selectFrom("volunteer_shifts")
        .innerJoin("volunteer_shift_roles", "shift_id", "id")
        .select(["starts_at", "ends_at"])
        .where("id", "=", shiftId)
        .where("role", "=", role)
        .executeTakeFirst();
      if (shift === undefined) return "no_such_shift";
      if (actor === null && shift.starts_at <= at) return "shift_begun";
      // Of two places at the same time the second waits until it can read the first.
      await lockApplication(transaction, applicationId);
      const inShift =
        shift.starts_at > at ? await findShiftAt(transaction, { shiftId, applicationId }, shift) : undefined;
      if (inShift !== undefined) return { inShift };
      const id = randomUUID();
      // The update changes nothing: it locks and returns the place that there is.
      const { rows } = await sql<{ id: string; role: string }>`
        insert into volunteer_shift_places as place (id, shift_id, role, application_id, taken_at)
        values (${id}, ${shiftId}, ${role}, ${applicationId}, ${at})
        on conflict (shift_id, application_id) where left_at is null do update set taken_at = place.taken_at
        returning id, role`.execute(transaction);
      const place = rows[0]!;
      if (place.role !== role) return { inRole: place.role };
      if (place.id !== id) return null;
      if (shift.starts_at > at) {
        await jobs.send(transaction, "emails", { template: "shift-place-taken", placeId: id });
      }
      const act = { verb: "shift.add", subject: "application", subjectId: applicationId, after: { shiftRole: role } };
      if (actor !== null) await recordAct(transaction, actor, act, at);
      return null;
    });
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint !== undefined && Object.hasOwn(placeFaults, constraint))
      return constraint as keyof typeof placeFaults;
    throw error;
  }
}

/** Another shift that somebody has a place in, and that lasts into these times. */
function findShiftAt(
  transaction: Connection,
  { shiftId, applicationId }: Omit<Taking, "role">,
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
): Promise<OtherShift | undefined> {
  return transaction
    .selectFrom("volunteer_shift_places as place")
    .innerJoin("volunteer_shifts as shift", "shift.id", "place.shift_id")
    .select(["shift.title", "shift.starts_at as startsAt", "shift.ends_at as endsAt"])
    .where("place.application_id", "=", applicationId)
    .where("place.left_at", "is", null)
    .where("shift.id", "<>", shiftId)
    .where("shift.starts_at", "<", ends_at)
    .where("shift.ends_at", ">", starts_at)
    .orderBy("shift.starts_at")
    .executeTakeFirst();
}

/** Gives up a place in a shift that has not begun; staff may at any time until hours are recorded. False if there is none. */
export async function leavePlace(
  { database, now }: Services,
  { shiftId, applicationId }: Omit<Taking, "role">,
  actor: Actor | null = null,
): Promise<boolean> {
  const at = now();
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      update volunteer_shift_places place set left_at = ${at}, left_because = 'withdrew'
        from volunteer_shifts shift
       where shift.id = place.shift_id and shift.id = ${shiftId} and place.application_id = ${applicationId}
         and place.left_at is null and place.minutes is null and (${actor !== null} or shift.starts_at > ${at})
      returning place.id`.execute(transaction);
    const act = { verb: "shift.take-out", subject: "application", subjectId: applicationId };
    if (rows.length > 0 && actor !== null) await recordAct(transaction, actor, act, at);
    return rows.length > 0;
  });
}

/** Gives up all places in shifts that have not begun, for somebody who stops volunteering: they get no email about each. */
export async function leaveAllPlaces(transaction: Connection, applicationId: string, at: Date): Promise<void> {
  // Before the places, as the database does when it frees them itself.
  await sql`select lock_places_of(${applicationId}::uuid)`.execute(transaction);
  await sql`
    update volunteer_shift_places place set left_at = ${at}, left_because = 'withdrew'
      from volunteer_shifts shift
     where shift.id = place.shift_id and place.application_id = ${applicationId}
       and place.left_at is null and place.minutes is null and shift.starts_at > ${at}`.execute(transaction);
}

/** By the id of a place. */
type Minutes = ReadonlyMap<string, number | null>;

/**
 * Records how long people stayed, 0 for those who did not come; null takes it back. Returns how many are recorded; null if
 * the shift has not begun or is cancelled: hours keep a place that is lost otherwise. Records nothing and returns what
 * `others` have recorded, if that is not what was `shown` to whoever records it.
 */
export async function recordHours(
  { database, now }: Services,
  { shiftId, minutes, shown = new Map(), actor }: { shiftId: string; minutes: Minutes; shown?: Minutes; actor: Actor },
): Promise<number | { readonly others: Minutes } | null> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const shift = await transaction
      .selectFrom("volunteer_shifts")
      .select(["starts_at", "cancelled_at"])
      .where("id", "=", shiftId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (shift === undefined || shift.starts_at > at || shift.cancelled_at !== null) return null;
    const others = await findOthersHours(transaction, { shiftId, minutes, shown });
    if (others.size > 0) return { others };
    let recorded = 0;
    for (const [placeId, value] of minutes) {
      const { numUpdatedRows } = await transaction
        .updateTable("volunteer_shift_places")
        .set({ minutes: value })
        .where("id", "=", placeId)
        .where("shift_id", "=", shiftId)
        .where("left_at", "is", null)
        .executeTakeFirst();
      if (value !== null) recorded += Number(numUpdatedRows);
    }
    await recordAct(
      transaction,
      actor,
      { verb: "shift.hours", subject: "shift", subjectId: shiftId, after: { people: recorded } },
      at,
    );
    return recorded;
  });
}

/** What is recorded, where it is neither what was shown nor what is to be recorded; in the order of `shown`. */
async function findOthersHours(
  transaction: Connection,
  { shiftId, minutes, shown }: { shiftId: string; minutes: Minutes; shown: Minutes },
): Promise<Minutes> {
  const places = await transaction
    .selectFrom("volunteer_shift_places")
    .select(["id", "minutes"])
    .where("shift_id", "=", shiftId)
    .where("left_at", "is", null)
    .execute();
  const recorded = new Map(places.map((place) => [place.id, place.minutes]));
  const others = [...shown].flatMap(([id, was]) => {
    const now = recorded.get(id);
    return now === undefined || now === was || now === minutes.get(id) ? [] : [[id, now] as const];
  });
  return new Map(others);
}

/** The most shifts that a volunteer's page shows. */
const MAX_OFFERED = 100;

/** The shifts that a volunteer has a place in, and the next ones in which they may take one, soonest first. */
export async function listOfferedShifts(
  connection: Connection,
  applicationId: string,
  now: Date,
): Promise<OfferedShift[]> {
  type Row = Omit<OfferedShift, "roles"> & { readonly roles: OfferedShift["roles"] | null };
  const { rows } = await sql<Row>`
    select shift.id, shift.title, shift.place, shift.notes, shift.starts_at as "startsAt", shift.ends_at as "endsAt",
           own.role as taken, offered.roles
      from volunteer_shifts shift
      join volunteer_applications person on person.id = ${applicationId} and person.stage = 'approved'
      left join volunteer_shift_places own
        on own.shift_id = shift.id and own.application_id = person.id and own.left_at is null
      cross join lateral (
        select json_agg(json_build_object('role', wanted.role,
            'free', wanted.wanted - (select count(*) from volunteer_shift_places place
               where place.shift_id = shift.id and place.role = wanted.role and place.left_at is null),
            'fault', case when kind.needs_check and not has_valid_check(person.id, shift.last_day)
               then 'check_not_valid' end) order by kind.position, kind.title) as roles
          from volunteer_shift_roles wanted join volunteer_roles kind on kind.title = wanted.role
         where wanted.shift_id = shift.id and wanted.wanted > 0 and wanted.role = any (person.roles)) offered
     where shift.cancelled_at is null and shift.starts_at > ${now}
       and (own.role is not null or offered.roles is not null)
     order by own.role is null, shift.starts_at, shift.id limit ${MAX_OFFERED}`.execute(connection);
  return rows
    .map(({ roles, ...shift }) => ({ ...shift, roles: roles ?? [] }))
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
}

/** The shifts in which somebody came, oldest first. */
export async function listHours(connection: Connection, applicationId: string): Promise<ShiftHours[]> {
  const rows = await connection
    .selectFrom("volunteer_shift_places as place")
    .innerJoin("volunteer_shifts as shift", "shift.id", "place.shift_id")
    .select(["shift.title", "place.role", "place.minutes", "shift.starts_at as startsAt"])
    .where("place.application_id", "=", applicationId)
    .where("place.minutes", ">", 0)
    .orderBy("shift.starts_at")
    .orderBy("place.id")
    .execute();
  return rows.map(({ title, role, minutes, startsAt }) => ({
    title,
    role,
    day: dayInSydney(startsAt),
    minutes: minutes ?? 0,
  }));
}

/** Emails sent in one run. */
const BATCH = 100;

/** Emails people who have lost a place by no act of their own, once each, in any number of processes. */
export async function tellOfLostPlaces({ database, jobs, now }: VolunteerServices): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const lost = await transaction
      .selectFrom("volunteer_shift_places")
      .select("id")
      .where("left_because", "in", ["unfit", "cancelled"])
      .where("told_at", "is", null)
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { id } of lost) {
      await transaction.updateTable("volunteer_shift_places").set({ told_at: now() }).where("id", "=", id).execute();
      await jobs.send(transaction, "emails", { template: "shift-place-lost", placeId: id });
    }
    return lost.length;
  });
}
