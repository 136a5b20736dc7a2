import type { Connection } from "#shared/database/connect.ts";
import type { OwnWords } from "../own-words.ts";
import { isClosed, stageNames } from "../stages.ts";
import { type ApplicationActor, recordApplicationAct } from "./application-actor.ts";
import { insertEvents, lastAskedOf, listApplicationEvents } from "./events.ts";
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

type Question = {
  readonly id: string;
  /** The version of the application, and its last question (0 for none), that the question was based on. */
  readonly version: number;
  readonly lastAsked: number;
  readonly words: OwnWords;
} & ApplicationActor;

/**
 * Emails the applicant a question. The application stays where it is, and waits for the applicant from now on. Returns what
 * is wrong, or null.
 */
export async function askApplicant(
  { database, jobs, now }: VolunteerServices,
  { id, version, lastAsked, words, ...by }: Question,
): Promise<string | null> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, id);
    if (row === undefined || row.erased_at !== null || isClosed(row.stage)) {
      return "This application is closed, so nothing was sent. Reload the page.";
    }
    if (row.stage_version !== version) {
      return `Someone else has moved this application: it is now ${stageNames[row.stage]}. Nothing was sent.`;
    }
    if ((await findLastAsked(transaction, id)) !== lastAsked) {
      return "The applicant has been asked something in the meantime, so nothing was sent. That question is under ‘What happened’. If you still need yours, send it again.";
    }
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
    return null;
  });
}

/**
 * Notes that the answer to a question has come, such as by email: from now on the application waits for us. False if it is
 * not the last question any more, or none is open.
 */
export async function recordAnswer(
  { database, now }: Pick<VolunteerServices, "database" | "now">,
  { id, lastAsked, ...by }: Pick<Question, "id" | "lastAsked"> & ApplicationActor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockApplication(transaction, id);
    if (row === undefined || row.erased_at !== null || row.asked_at === null) return false;
    if ((await findLastAsked(transaction, id)) !== lastAsked) return false;
    const at = now();
    await transaction
      .updateTable("volunteer_applications")
      .set({ asked_at: null, updated_at: at })
      .where("id", "=", id)
      .execute();
    const note = { event: "note", detail: { text: "The answer to our question has come." } };
    await insertEvents(transaction, [{ applicationId: id, actor: by.actor, ...note }], at);
    await recordApplicationAct(transaction, by, { verb: "application.answered", subjectId: id, at });
    return true;
  });
}

const findLastAsked = async (transaction: Connection, id: string) =>
  lastAskedOf(await listApplicationEvents(transaction, id));
