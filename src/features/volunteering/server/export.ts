import { sql } from "kysely";
import { dayInSydney } from "#shared/sydney.ts";
import { insertEvents } from "./events.ts";
import type { ApplicationRow, VolunteerServices } from "./store.ts";

type Column = readonly [heading: string, read: (row: ApplicationRow) => string];

const columns: readonly Column[] = [
  ["Reference", (row) => row.reference],
  ["Sent on", (row) => dayInSydney(row.created_at)],
  ["Stage", (row) => row.stage],
  ["Roles", (row) => row.roles.join("; ")],
  ["Name", (row) => row.name],
  ["Street address", (row) => row.street],
  ["State", (row) => row.state],
  ["Country", (row) => row.country],
  ["Post code", (row) => row.postcode],
  ["Mobile", (row) => row.mobile],
  ["Email", (row) => row.email],
  ["Preferred contact", (row) => row.preferred_contact],
  ["Skills", (row) => row.skills],
  ["Previous experience", (row) => row.experience],
  ["Availability", (row) => row.availability],
  ["Interests", (row) => row.interests.join("; ")],
];

const emergencyColumns: readonly Column[] = [
  ["Emergency name", (row) => row.emergency_name],
  ["Emergency mobile", (row) => row.emergency_mobile],
  ["Emergency email", (row) => row.emergency_email],
  ["Emergency preferred contact", (row) => row.emergency_preferred_contact],
  ["Emergency city", (row) => row.emergency_city],
  ["Emergency state", (row) => row.emergency_state],
  ["Emergency post code", (row) => row.emergency_postcode],
  ["Emergency country", (row) => row.emergency_country],
];

/** Excel takes a file for UTF-8 when it begins with this. */
const BYTE_ORDER_MARK = "\ufeff";
const CHUNK = 500;

type Wanted = {
  readonly actor: string;
  readonly why: string;
  /** Emergency contacts go along only for a reason, and each is written down as seen. */
  readonly withEmergencyContacts: boolean;
};

/**
 * All applications as CSV (RFC 4180, UTF-8), the oldest first, in pieces, so that a hundred thousand never stand in memory
 * together. Who took them out, and why, is written down with each, before its piece is given.
 */
export async function* exportApplications(
  { database, now }: VolunteerServices,
  wanted: Wanted,
): AsyncGenerator<string> {
  const chosen = wanted.withEmergencyContacts ? [...columns, ...emergencyColumns] : columns;
  yield BYTE_ORDER_MARK + line(chosen.map(([heading]) => heading));
  let edge: Pick<ApplicationRow, "created_at" | "id"> | undefined;
  for (;;) {
    const rows: ApplicationRow[] = await database
      .selectFrom("volunteer_applications")
      .selectAll()
      .$if(edge !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, id) > (${edge!.created_at}::timestamptz, ${edge!.id}::uuid)`),
      )
      .orderBy("created_at")
      .orderBy("id")
      .limit(CHUNK)
      .execute();
    if (rows.length === 0) return;
    const { actor, why, withEmergencyContacts } = wanted;
    const events = rows.map(({ id: applicationId }) => ({
      applicationId,
      event: "exported",
      actor,
      detail: { why, withEmergencyContacts },
    }));
    await insertEvents(database, events, now());
    yield rows.map((row) => line(chosen.map(([, read]) => read(row)))).join("");
    edge = rows.at(-1)!;
  }
}

function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** A cell that a spreadsheet would take for a formula gets an apostrophe before it, and every cell stands in quotes. */
function cell(text: string): string {
  const harmless = /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
