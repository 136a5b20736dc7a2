import { sql } from "kysely";
import { commandLine } from "#admin/audit.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import { listOfferedShifts, recordHours, takePlace } from "../server/shift-places.ts";
import { findShift, planShifts } from "../server/shifts.ts";
import { shiftTimes } from "../shift.ts";

type Services = Parameters<typeof recordHours>[0];

/** Title, place, days from now, begins, ends, and how many are wanted in each role. */
const shifts = [
  ["Newsletter evening", "Office, Auburn", -20, "18:00", "20:30", { "Newsletter Production": 2, Administration: 1 }],
  ["Street stall", "Auburn Road", -6, "09:00", "13:00", { Fundraising: 4, Events: 1 }],
  ["Street stall", "Auburn Road", 5, "09:00", "13:00", { Fundraising: 4, Events: 2 }],
  ["Winter coats: sorting", "Warehouse, Granville", 12, "10:00", "14:30", { "Field Work": 3, Events: 2 }],
  ["Newsletter evening", "Office, Auburn", 19, "18:00", "20:30", { "Newsletter Production": 2, Administration: 1 }],
] as const;

/** Plans shifts behind and ahead; volunteers sign up as far as their roles and checks permit, and some have come. */
export async function addShifts(services: Services, now: Date): Promise<void> {
  const { database } = services;
  // Nobody gets an email about an invented past.
  const jobs = { send: async () => undefined };
  const earlier = { database, jobs, now: () => new Date(now.getTime() - 40 * DAY_MS) };
  const plans = shifts.map(([title, place, inDays, from, until, wanted]) => ({
    title,
    place,
    notes: "",
    eventId: null,
    wanted,
    ...shiftTimes({ day: addDays(dayInSydney(now), inDays), from, until }),
  }));
  const ids = await planShifts(earlier, plans, commandLine);
  const { rows: people } = await sql<{ id: string }>`
    select id from volunteer_applications
     where stage = 'approved' and decided_at < ${earlier.now()} order by created_at`.execute(database);
  for (const [index, { id: applicationId }] of people.entries()) {
    for (const [place, shift] of (await listOfferedShifts(database, applicationId, earlier.now())).entries()) {
      // A refusal would undo the whole year, so nobody tries what is not free for them.
      const role = shift.roles.find(({ free, fault }) => free > 0 && fault === null)?.role;
      // Nobody signs up for everything.
      if (role !== undefined && (index + place) % 3 > 0)
        await takePlace(earlier, { shiftId: shift.id, applicationId, role });
    }
  }
  for (const [index, shiftId] of ids.entries()) {
    if (plans[index]!.endsAt > now) continue;
    const { places } = (await findShift(database, shiftId))!;
    const minutes = new Map(places.map(({ id }, place) => [id, place === 2 ? 0 : 150]));
    await recordHours(services, { shiftId, minutes, actor: commandLine });
  }
}
