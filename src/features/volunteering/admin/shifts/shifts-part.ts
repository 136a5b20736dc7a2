import type { FastifyInstance } from "fastify";
import { MAX_NAMED, nameFirst } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { type Place, readPlace, writePlace } from "#admin/list-place.ts";
import type { AdminReads } from "#admin/screen.ts";
import type { Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { publishedEvents } from "#shared/events/find-event.ts";
import { dayInSydney, formatDay, plural } from "#shared/language.ts";
import { drawCertificate, sendCertificate } from "../../server/hours-certificate.ts";
import { listRoles, type VolunteerRole } from "../../server/roles.ts";
import { findShift, type ListedShift, listShifts, listShortShifts, type ShiftDetails } from "../../server/shifts.ts";
import { isId } from "../application/find-application.ts";
import type { VolunteerAdminServices } from "../volunteer-admin-services.ts";
import { shiftActions, shiftsPath } from "./shift-actions.ts";

export type ShiftChoices = {
  readonly roles: readonly VolunteerRole[];
  /** Published events that are not over. */
  readonly events: readonly { readonly id: number; readonly title: string; readonly startsAt: Date }[];
};
/** A page of shifts, and the place in the address at which the next one begins; null if it is the last. */
type ShiftPage = { readonly rows: readonly ListedShift[]; readonly next: string | null };
export type ShiftList = {
  readonly ahead: ShiftPage;
  readonly over: ShiftPage;
  /** False on later pages, which have only coming or only past shifts. */
  readonly isFirst: boolean;
};
export type ShiftScreenData = {
  readonly shift: ShiftDetails;
  readonly choices: ShiftChoices;
  /** Volunteers who could be added. */
  readonly people: readonly { readonly id: string; readonly name: string; readonly roles: readonly string[] }[];
  readonly now: Date;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listVolunteerShifts: (query: Readonly<Record<string, string>>) => Promise<ShiftList>;
    readonly readShiftChoices: () => Promise<ShiftChoices & { readonly now: Date }>;
    readonly findVolunteerShift: (id: string) => Promise<ShiftScreenData | null>;
  }
}

const ROWS = 50;
const MAX_EVENTS = 50;

/** Shifts: their list, each with who comes, and the sentence on the dashboard. */
export function shiftsPart(services: VolunteerAdminServices): AdminPart {
  const { database, now } = services;
  const reads: Partial<AdminReads> = {
    listVolunteerShifts: (query: Readonly<Record<string, string>>) => readShiftList(database, now(), query),
    readShiftChoices: async () => ({ ...(await readChoices(database, now())), now: now() }),
    async findVolunteerShift(id) {
      const shift = isId(id) ? await findShift(database, id) : undefined;
      if (shift === undefined) return null;
      const at = now();
      return { shift, choices: await readChoices(database, at), people: await listPeople(database, shift), now: at };
    },
  };
  return {
    reads,
    actions: shiftActions(services),
    routes: (admin) => addCertificate(admin, services),
    dashboard: [
      {
        right: "applications.change",
        async listWaiting() {
          const { count, first } = await listShortShifts(database, now(), MAX_NAMED);
          if (count === 0) return [];
          const sentence = plural(count, {
            one: "A shift within a week still needs people",
            other: `${count} shifts within a week still need people`,
          });
          const shifts = first.map(
            ({ title, startsAt, missing }) => `${title} on ${formatDay(dayInSydney(startsAt))} (${missing} missing)`,
          );
          const text = nameFirst(sentence, shifts, count);
          return [{ text, linkText: "Find people for shifts", path: shiftsPath, look: "warn" }];
        },
      },
    ],
    auditWords: shiftAuditWords,
    auditSubjects: {
      shift: {
        label: "shift",
        group: "Shifts of volunteers",
        path: (id) => `${shiftsPath}/${id}`,
        listNames: (ids) => listShiftNames(database, ids),
      },
    },
  };
}

/** Both on the first page; then the rest of one of them. */
async function readShiftList(
  database: Database,
  now: Date,
  query: Readonly<Record<string, string>>,
): Promise<ShiftList> {
  const [aheadFrom, overFrom] = [readPlace(query.ahead), readPlace(query.over)];
  const read = async (isOver: boolean, from: Place | null): Promise<ShiftPage> => {
    const found = await listShifts(database, { now, isOver, last: from, limit: ROWS + 1 });
    const rows = found.slice(0, ROWS);
    const last = found.length > ROWS ? rows.at(-1)! : null;
    return { rows, next: last && writePlace({ at: last.startsAt, id: last.id }) };
  };
  const none: ShiftPage = { rows: [], next: null };
  return {
    ahead: overFrom === null ? await read(false, aheadFrom) : none,
    over: aheadFrom === null ? await read(true, overFrom) : none,
    isFirst: aheadFrom === null && overFrom === null,
  };
}

async function listShiftNames(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await database
    .selectFrom("volunteer_shifts")
    .select(["id", "title", "starts_at"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, title, starts_at }) => [id, `${title}, ${formatDay(dayInSydney(starts_at))}`]));
}

/** The certificate of a volunteer’s hours, for staff. */
function addCertificate(admin: FastifyInstance, services: VolunteerAdminServices): void {
  const options = { config: { access: "applications.see" }, schema: { hide: true } as object } as const;
  admin.get<{ Params: { id: string } }>("/admin/volunteers/:id/hours.pdf", options, async (request, reply) => {
    const { id } = request.params;
    const drawn = isId(id)
      ? await drawCertificate(services, { id, organisation: services.organisation.current(), now: services.now() })
      : undefined;
    if (drawn === undefined) throw new AppError("not_found");
    return sendCertificate(reply, drawn);
  });
}

async function readChoices(database: Database, now: Date): Promise<ShiftChoices> {
  const [roles, events] = await Promise.all([
    listRoles(database),
    publishedEvents(database).where("ends_at", ">", now).orderBy("ends_at").limit(MAX_EVENTS).execute(),
  ]);
  return { roles, events: events.map(({ id, title, startsAt }) => ({ id, title, startsAt })) };
}

/** Approved volunteers with a role that the shift wants, who have no place in it. */
async function listPeople(database: Database, { id, roles }: ShiftDetails): Promise<ShiftScreenData["people"]> {
  const wanted = roles.filter((role) => role.wanted > 0).map(({ role }) => role);
  const people = await database
    .selectFrom("volunteer_applications as person")
    .select(["person.id", "person.name", "person.roles"])
    .where("person.stage", "=", "approved")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("volunteer_shift_places")
            .select("id")
            .where("shift_id", "=", id)
            .whereRef("application_id", "=", "person.id")
            .where("left_at", "is", null),
        ),
      ),
    )
    .orderBy("person.name")
    .orderBy("person.id")
    .execute();
  return people.filter((person) => person.roles.some((role) => wanted.includes(role)));
}

const shiftAuditWords = {
  "shift.plan": "planned",
  "shift.change": "changed",
  "shift.cancel": "cancelled",
  "shift.hours": "recorded who came to",
  "shift.add": "added to a shift the volunteer of",
  "shift.take-out": "removed from a shift the volunteer of",
} as const;
