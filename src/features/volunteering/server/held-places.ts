import type { Connection } from "#shared/database/connect.ts";
import type { PastShift } from "../applicant.ts";
import { describeShiftTimes } from "../shift.ts";
import type { VolunteerServices } from "./store.ts";

/** Emails everybody who has a place in a shift that it has another time or place; in the caller's transaction. */
export async function tellOfMove(
  transaction: Connection,
  { jobs }: Pick<VolunteerServices, "jobs">,
  { shiftId, at }: { shiftId: string; at: Date },
): Promise<void> {
  const places = await transaction
    .selectFrom("volunteer_shift_places")
    .select("id")
    .where("shift_id", "=", shiftId)
    .where("left_at", "is", null)
    .execute();
  const movedAt = at.toISOString();
  const emails = places.map(({ id }) => ({ template: "shift-moved", placeId: id, movedAt }) as const);
  await jobs.sendAll(transaction, "emails", emails);
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
