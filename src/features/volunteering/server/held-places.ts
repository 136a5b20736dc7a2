import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { addDays, dayInSydney, hourInSydney, startOfDayInSydney } from "#shared/language.ts";
import type { PastShift } from "../applicant.ts";
import { describeShiftTimes } from "../shift.ts";
import type { VolunteerServices } from "./store.ts";

/**
 * Emails everybody who has a place in a shift that it has another time or place, of which they are reminded again; in the
 * caller's transaction.
 */
export async function tellOfMove(
  transaction: Connection,
  { jobs }: Pick<VolunteerServices, "jobs">,
  { shiftId, at }: { shiftId: string; at: Date },
): Promise<void> {
  const places = await transaction
    .updateTable("volunteer_shift_places")
    .set({ moved_at: at, reminded_at: null })
    .where("shift_id", "=", shiftId)
    .where("left_at", "is", null)
    .returning("id")
    .execute();
  const movedAt = at.toISOString();
  const emails = places.map(({ id }) => ({ template: "shift-moved", placeId: id, movedAt }) as const);
  await jobs.sendAll(transaction, "emails", emails);
}

/** Reminders sent in one run. */
const BATCH = 200;

/**
 * Reminds everybody who has a place in a shift, from 8 am to 8 pm in Sydney on the day before; on the day itself those
 * whom no process reminded in time. Not those who were emailed about the shift less than a day before that began. Once for
 * each time and place of the shift, in any number of processes. Returns how many were reminded.
 */
export async function remindOfShifts({ database, jobs, now }: VolunteerServices): Promise<number> {
  const at = now();
  const hour = hourInSydney(at);
  if (hour < 8 || hour >= 20) return 0;
  return database.transaction().execute(async (transaction) => {
    // The lock on the shift keeps it where it is; one that is moving at this moment is left to the next run.
    const due = await transaction
      .selectFrom("volunteer_shifts as shift")
      .innerJoin("volunteer_shift_places as place", "place.shift_id", "shift.id")
      .select("place.id")
      .where("shift.starts_at", ">", at)
      .where("shift.starts_at", "<", startOfDayInSydney(addDays(dayInSydney(at), 2)))
      .where("place.left_at", "is", null)
      .where("place.reminded_at", "is", null)
      .where(
        sql<boolean>`greatest(place.taken_at, place.moved_at)
          <= ((shift.starts_at at time zone 'Australia/Sydney')::date - 2 + time '08:00') at time zone 'Australia/Sydney'`,
      )
      .orderBy("shift.starts_at")
      .limit(BATCH)
      .forNoKeyUpdate(["shift", "place"])
      .skipLocked()
      .execute();
    if (due.length === 0) return 0;
    const ids = due.map(({ id }) => id);
    await transaction.updateTable("volunteer_shift_places").set({ reminded_at: at }).where("id", "in", ids).execute();
    const remindedAt = at.toISOString();
    const emails = ids.map((placeId) => ({ template: "shift-reminder", placeId, remindedAt }) as const);
    await jobs.sendAll(transaction, "emails", emails);
    return due.length;
  });
}

/** A year's, if somebody comes twice a week. */
const MAX_PAST = 100;

/** The shifts that have begun and that a volunteer had a place in, as long as no hours are recorded; latest first. */
export async function listPastShifts(connection: Connection, applicationId: string, now: Date): Promise<PastShift[]> {
  const rows = await connection
    .selectFrom("volunteer_shift_places as place")
    .innerJoin("volunteer_shifts as shift", "shift.id", "place.shift_id")
    .select(["place.id", "place.role", "shift.title", "shift.starts_at as startsAt", "shift.ends_at as endsAt"])
    .where("place.application_id", "=", applicationId)
    .where("place.left_at", "is", null)
    .where("place.minutes", "is", null)
    .where("shift.starts_at", "<=", now)
    .orderBy("shift.starts_at", "desc")
    .orderBy("place.id")
    .limit(MAX_PAST)
    .execute();
  return rows.map(({ id, title, role, ...times }) => ({ id, title, role, when: describeShiftTimes(times) }));
}
