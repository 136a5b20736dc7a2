import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { AppError } from "#shared/errors.ts";
import { publishedEvents } from "#shared/events/find-event.ts";
import { dayInSydney, formatDay, isDay, plural } from "#shared/language.ts";
import { listRoles } from "../../server/roles.ts";
import { describePlaceFault, leavePlace, recordHours, takePlace } from "../../server/shift-places.ts";
import { cancelShift, changeShift, findShift, planShifts, type ShiftPlan } from "../../server/shifts.ts";
import { MAX_WEEKS, readHours, ShiftFields, shiftTimes, weeklyDays, writeHours } from "../../shift.ts";
import { requireId } from "../application/application-actions.ts";
import type { VolunteerAdminServices } from "../volunteer-admin-services.ts";

export const shiftsPath = "/admin/volunteers/shifts";
const shiftPath = `${shiftsPath}/:id`;

/** How many of a role are wanted: the field 'wanted.Events'. Hours, and those that were shown: 'hours.{id of the place}'. */
export const wantedField = (role: string) => `wanted.${role}`;
export const hoursField = (placeId: string) => `hours.${placeId}`;
export const shownField = (placeId: string) => `shown.${placeId}`;

const PlanFields = z.looseObject({
  ...ShiftFields.shape,
  event: z
    .string()
    .regex(/^\d{0,15}$/)
    .default(""),
  repeat: z
    .string()
    .default("")
    .refine((text) => text === "" || isDay(text), "Enter a day, or leave it empty"),
});
type PlanFields = z.output<typeof PlanFields>;

/** What staff do about shifts. */
export function shiftActions(services: VolunteerAdminServices): readonly Action[] {
  return [
    planAction(services),
    changeAction(services),
    cancelAction(services),
    addAction(services),
    takeOutAction(services),
    hoursAction(services),
  ];
}

async function readPlan(
  services: VolunteerAdminServices,
  fields: PlanFields,
  ownEvent: number | null = null,
): Promise<ShiftPlan> {
  const wanted: Record<string, number> = {};
  const faults: Record<string, readonly string[]> = {};
  const texts: Readonly<Record<string, unknown>> = fields;
  for (const { title } of await listRoles(services.database)) {
    const typed = String(texts[wantedField(title)] ?? "").trim();
    if (/^\d{0,3}$/.test(typed) && Number(typed) <= 500) wanted[title] = Number(typed);
    else faults[wantedField(title)] = ["Enter a number from 0 to 500"];
  }
  const times = shiftTimes(fields);
  // Also where clocks go forward: a time that does not exist.
  if (fields.until === fields.from || times.endsAt <= times.startsAt) faults.until = ["Enter a later time"];
  const eventId = fields.event === "" ? null : Number(fields.event);
  if (eventId !== null && eventId !== ownEvent) {
    const event = await publishedEvents(services.database).where("id", "=", eventId).executeTakeFirst();
    if (event === undefined) faults.event = ["Choose an event from the list"];
  }
  if (Object.keys(faults).length > 0) throw new AppError("invalid_input", { fields: faults });
  if (Object.values(wanted).every((count) => count === 0)) {
    throw new Refusal("Enter how many people you need in at least one role.");
  }
  const { title, place, notes } = fields;
  return { title, place, notes, eventId, wanted, ...times };
}

const pastDay = () => new AppError("invalid_input", { fields: { day: ["Enter today or a later day"] } });

function planAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${shiftsPath}/new`,
    right: "applications.change",
    screen: `${shiftsPath}/new`,
    fields: PlanFields,
    async run({ fields, actor }) {
      const plan = await readPlan(services, fields);
      if (fields.day < dayInSydney(services.now())) throw pastDay();
      if (fields.repeat !== "" && fields.repeat < fields.day) {
        throw new AppError("invalid_input", { fields: { repeat: ["Enter a day after the first shift"] } });
      }
      const days = weeklyDays(fields.day, fields.repeat);
      if (days.length > MAX_WEEKS) {
        throw new AppError("invalid_input", { fields: { repeat: ["Enter a day within a year of the first shift"] } });
      }
      const plans = days.map((day) => ({ ...plan, ...shiftTimes({ ...fields, day }) }));
      const lost = plans.find(({ startsAt, endsAt }) => endsAt <= startsAt);
      if (lost !== undefined) {
        const until = [`Enter a later time: on ${formatDay(lost.lastDay)} clocks go forward over this shift`];
        throw new AppError("invalid_input", { fields: { until } });
      }
      const [first] = await planShifts(services, plans, actor);
      const toast = plural(days.length, { one: "1 shift is planned.", other: `${days.length} shifts are planned.` });
      return { to: fields.repeat === "" ? `${shiftsPath}/${first}` : shiftsPath, toast };
    },
  });
}

function changeAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${shiftPath}/change`,
    right: "applications.change",
    screen: shiftPath,
    fields: PlanFields.extend({ version: z.coerce.number().int().min(1) }),
    async run({ params, fields, actor }) {
      const id = requireId(params.id);
      const shift = await findShift(services.database, id);
      const plan = await readPlan(services, fields, shift?.eventId ?? null);
      // The day of a past shift may be corrected.
      const now = services.now();
      if (shift !== undefined && shift.startsAt > now && fields.day < dayInSydney(now)) throw pastDay();
      const fault = await changeShift(services, { id, version: fields.version, plan, actor });
      if (fault !== null) throw new Refusal(fault);
      return { to: `${shiftsPath}/${id}`, toast: "Saved." };
    },
  });
}

function cancelAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${shiftPath}/cancel`,
    right: "applications.change",
    screen: shiftPath,
    fields: z.object({}),
    async run({ params, actor }) {
      const id = requireId(params.id);
      if (!(await cancelShift(services, { id, actor }))) throw new Refusal("This shift is over or already cancelled.");
      return { to: `${shiftsPath}/${id}`, toast: "The shift is cancelled. We email everybody who signed up." };
    },
  });
}

function addAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${shiftPath}/add`,
    right: "applications.change",
    screen: shiftPath,
    fields: z.object({ person: z.uuid("Choose a volunteer."), role: z.string().min(1, "Choose a role.").max(100) }),
    async run({ params, fields: { person, role }, actor }) {
      const id = requireId(params.id);
      const fault = await takePlace(services, { shiftId: id, applicationId: person, role }, actor);
      if (fault !== null) throw new Refusal(describePlaceFault(fault));
      return { to: `${shiftsPath}/${id}`, toast: "Added." };
    },
  });
}

function takeOutAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${shiftPath}/take-out`,
    right: "applications.change",
    screen: shiftPath,
    fields: z.object({ person: z.uuid() }),
    async run({ params, fields: { person }, actor }) {
      const id = requireId(params.id);
      if (!(await leavePlace(services, { shiftId: id, applicationId: person }, actor))) {
        throw new Refusal("They are no longer in this shift, or their hours are recorded.");
      }
      return { to: `${shiftsPath}/${id}`, toast: "Removed. We have not emailed them." };
    },
  });
}

function hoursAction(services: VolunteerAdminServices): Action {
  return action({
    path: `${shiftPath}/hours`,
    right: "applications.change",
    screen: shiftPath,
    fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    async run({ params, fields, actor }) {
      const id = requireId(params.id);
      const minutes = new Map<string, number | null>();
      const shown = new Map<string, number | null>();
      const faults: Record<string, readonly string[]> = {};
      for (const [name, typed] of Object.entries(fields)) {
        const placeId = name.startsWith("hours.") ? name.slice("hours.".length) : "";
        if (!z.uuid().safeParse(placeId).success) continue;
        const text = String(typed).trim();
        const read = text === "" ? null : readHours(text);
        if (text !== "" && read === null) faults[name] = ["Enter hours, such as 3 or 2:30, or 0"];
        minutes.set(placeId, read);
        const was = fields[shownField(placeId)];
        if (typeof was === "string") shown.set(placeId, readHours(was));
      }
      if (Object.keys(faults).length > 0) throw new AppError("invalid_input", { fields: faults });
      const recorded = await recordHours(services, { shiftId: id, minutes, shown, actor });
      if (recorded === null) throw new Refusal("Hours can be recorded once the shift has begun.");
      if (typeof recorded !== "number") {
        const others = [...recorded.others].map(([placeId, value]) => [
          hoursField(placeId),
          [describeOthersHours(value)],
        ]);
        throw new AppError("invalid_input", { fields: Object.fromEntries(others) });
      }
      return {
        to: `${shiftsPath}/${id}`,
        toast: plural(recorded, { one: "Recorded for 1 person.", other: `Recorded for ${recorded} people.` }),
      };
    },
  });
}

function describeOthersHours(minutes: number | null): string {
  return `Somebody else has ${minutes === null ? "emptied this" : `entered ${writeHours(minutes)}`} in the meantime`;
}
