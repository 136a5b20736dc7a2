import type { Connection } from "#shared/database/connect.ts";

type VolunteerEvent = {
  readonly applicationId: string;
  readonly event: string;
  /** `applicant`, `system`, or a member of staff by name. */
  readonly actor: string;
  readonly detail?: object;
};

/** Adds to the history of applications, in the caller's transaction. Returns the ids, in the same order. */
export async function insertEvents(
  transaction: Connection,
  events: readonly VolunteerEvent[],
  now: Date,
): Promise<number[]> {
  if (events.length === 0) return [];
  const rows = await transaction
    .insertInto("volunteer_events")
    .values(
      events.map(({ applicationId, event, actor, detail }) => ({
        application_id: applicationId,
        event,
        actor,
        detail: detail === undefined ? null : JSON.stringify(detail),
        at: now,
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The id of the last question to the applicant in this history; 0 if there is none. */
export const lastAskedOf = (events: readonly { readonly id: number; readonly event: string }[]): number =>
  events.findLast(({ event }) => event === "asked")?.id ?? 0;

/** The history of an application, oldest first. */
export async function listApplicationEvents(connection: Connection, applicationId: string) {
  return connection
    .selectFrom("volunteer_events")
    .select(["id", "event", "actor", "detail", "at"])
    .where("application_id", "=", applicationId)
    .orderBy("id")
    .execute();
}
