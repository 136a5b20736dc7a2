import { sql } from "kysely";
import { BYTE_ORDER_MARK, csvLine } from "#shared/csv.ts";
import { dayInSydney } from "#shared/language.ts";
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

const CHUNK = 500;

type Wanted = {
  readonly actor: string;
  readonly why: string;
  /** Emergency contacts are included only for a reason, and each access is recorded. */
  readonly withEmergencyContacts: boolean;
};

/**
 * All applications as CSV (RFC 4180, UTF-8), oldest first, in chunks, so that they need not fit into memory. Each
 * application's history records who exported it and why, before its chunk is yielded.
 */
export async function* exportApplications(
  { database, now }: VolunteerServices,
  wanted: Wanted,
): AsyncGenerator<string> {
  const chosen = wanted.withEmergencyContacts ? [...columns, ...emergencyColumns] : columns;
  yield BYTE_ORDER_MARK + csvLine(chosen.map(([heading]) => heading));
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
    yield rows.map((row) => csvLine(chosen.map(([, read]) => read(row)))).join("");
    edge = rows.at(-1)!;
  }
}
