import type { OwnWords } from "../own-words.ts";
import { isClosed } from "../stages.ts";
import { type ApplicationActor, recordApplicationAct } from "./application-actor.ts";
import { insertEvents } from "./events.ts";
import { lockApplication, type VolunteerServices } from "./store.ts";

/** Adds a note for staff; false if there is no such application. */
export async function addNote(
  { database, now }: Pick<VolunteerServices, "database" | "now">,
  { id, text, ...by }: { id: string; text: string } & ApplicationActor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, id);
    if (row === undefined || row.erased_at !== null) return false;
    const at = now();
    await insertEvents(transaction, [{ applicationId: id, event: "note", actor: by.actor, detail: { text } }], at);
    await recordApplicationAct(transaction, by, { verb: "application.note", subjectId: id, at });
    return true;
  });
}

/**
 * Emails the applicant a question. The application stays where it is, and waits for the applicant from now on. False if
 * it is closed or gone.
 */
export async function askApplicant(
  { database, jobs, now }: VolunteerServices,
  { id, words, ...by }: { id: string; words: OwnWords } & ApplicationActor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, id);
    if (row === undefined || row.erased_at !== null || isClosed(row.stage)) return false;
    const at = now();
    await transaction
      .updateTable("volunteer_applications")
      .set({ asked_at: at, updated_at: at })
      .where("id", "=", id)
      .execute();
    const event = { applicationId: id, event: "asked", actor: by.actor, detail: { words } };
    const [eventId] = await insertEvents(transaction, [event], at);
    await recordApplicationAct(transaction, by, { verb: "application.ask", subjectId: id, at });
    await jobs.send(transaction, "emails", { template: "application-question", applicationId: id, eventId: eventId! });
    return true;
  });
}
