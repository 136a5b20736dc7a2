import type { Database } from "#shared/database/connect.ts";
import { documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import type { EmailContext } from "#shared/mail/compose-email.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import type { OwnWords } from "../own-words.ts";
import { moveEvents } from "../stages.ts";
import { checkExpiresEmail, decidedEmail, questionEmail, receivedEmail } from "./applicant-emails.ts";
import {
  erasedVolunteerLeftEmail,
  newApplicationEmail,
  volunteerCheckExpiresEmail,
  volunteerLeftEmail,
} from "./coordinator-emails.ts";
import { listApplicationEvents } from "./events.ts";
import { type ShiftEmailJob, writeShiftEmail } from "./shift-emails.ts";
import type { ApplicationRow } from "./store.ts";

export type VolunteerEmailJob =
  /** To the applicant, and to the coordinator. */
  | { readonly template: "application-received" | "new-application"; readonly applicationId: string }
  /** To the applicant, once for each decision, which `stageVersion` identifies. */
  | { readonly template: "application-decided"; readonly applicationId: string; readonly stageVersion: number }
  /** To the applicant: the question in the event with this id. */
  | { readonly template: "application-question"; readonly applicationId: string; readonly eventId: number }
  /** To the coordinator: a volunteer has withdrawn. Once they are erased, only `reference` names them. */
  | { readonly template: "volunteer-withdrew"; readonly applicationId: string; readonly reference?: string }
  | ShiftEmailJob
  /** To the volunteer and the coordinator: a Working With Children Check expires. */
  | { readonly template: "check-expires" | "volunteer-check-expires"; readonly checkId: string };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    volunteering: VolunteerEmailJob;
  }
}

type VolunteerEmailContext = EmailContext<LinkConfig> & { readonly now: () => Date };

// Emails to applicants repeat nothing that was typed, not even the name: anybody may enter anybody's address, and our
// emails must not carry their words there. Those to the coordinator contain what is needed to call the applicant, but
// no emergency contact and no pictures.

/** Null if the email is no longer true, or has no recipient. */
export async function writeVolunteerEmail(
  context: VolunteerEmailContext,
  job: VolunteerEmailJob,
): Promise<EmailMessage | null> {
  if ("checkId" in job) return writeCheckEmail(context, job);
  const { database, sender, config } = context;
  if ("placeId" in job) return writeShiftEmail(context, job);
  const row = await findApplicationRow(database, job.applicationId);
  if (row === undefined || row.erased_at !== null) {
    return job.template === "volunteer-withdrew" && job.reference !== undefined
      ? erasedVolunteerLeftEmail(sender, job.applicationId, job.reference)
      : null;
  }
  const linkMade = (madeAt: Date) => documentLink(config, { kind: "application", id: row.id }, madeAt);
  switch (job.template) {
    case "application-received":
      return receivedEmail(sender, row, linkMade(await findAddressedAt(database, row)));
    case "new-application":
      return newApplicationEmail(sender, row);
    case "application-decided": {
      const { version, words } = await findLastMove(database, row);
      // A later move sends its own email, or has made this one untrue.
      if (version !== job.stageVersion) return null;
      const link = linkMade(row.decided_at ?? row.created_at);
      return decidedEmail(sender, { ...row, stage_version: version }, link, words);
    }
    case "application-question": {
      const events = await listApplicationEvents(database, row.id);
      const asked = events.find(({ id }) => id === job.eventId);
      if (asked === undefined) return null;
      const { words } = asked.detail as { words: OwnWords };
      return questionEmail(sender, row, { id: job.eventId, link: linkMade(asked.at), words });
    }
    case "volunteer-withdrew": {
      const events = await listApplicationEvents(database, row.id);
      const approval = events.findLast(({ event }) => event === "approved")?.detail as { roles?: string[] } | null;
      return row.stage === "withdrawn" ? volunteerLeftEmail(sender, row, approval?.roles ?? []) : null;
    }
  }
}

/** When we got the applicant's current address: a corrected address gets a new link. */
async function findAddressedAt(database: Database, { id, created_at }: ApplicationRow): Promise<Date> {
  const events = await listApplicationEvents(database, id);
  const change = events.findLast(
    ({ event, detail }) => event === "details_changed" && (detail as { fields: string[] }).fields.includes("email"),
  );
  return change?.at ?? created_at;
}

/** The version that the last move made, and what staff wrote in place of the words about it; null if nothing. */
async function findLastMove(database: Database, { id, stage_version }: ApplicationRow) {
  const events = await listApplicationEvents(database, id);
  const last = events.findLastIndex(({ event }) => moveEvents.has(event));
  // A change of roles makes a version too, but no email.
  const changes = events.slice(last + 1).filter(({ event }) => event === "roles_changed");
  const words = (events[last]?.detail as { words?: OwnWords } | null | undefined)?.words ?? null;
  return { version: stage_version - changes.length, words };
}

function findApplicationRow(database: Database, id: string): Promise<ApplicationRow | undefined> {
  return database.selectFrom("volunteer_applications").selectAll().where("id", "=", id).executeTakeFirst();
}

/** About a check that expires or has expired. Null if it has been replaced, or the person no longer volunteers. */
async function writeCheckEmail(
  { database, sender }: VolunteerEmailContext,
  { template, checkId }: Extract<VolunteerEmailJob, { checkId: string }>,
): Promise<EmailMessage | null> {
  const check = await database
    .selectFrom("working_with_children_checks")
    .select(["application_id", "state", "number", "expires_on", "expiry_notice_sent_at"])
    .where("id", "=", checkId)
    .where("replaced_at", "is", null)
    .executeTakeFirst();
  const row = check && (await findApplicationRow(database, check.application_id));
  if (check === undefined || row?.stage !== "approved") return null;
  const write = template === "check-expires" ? checkExpiresEmail : volunteerCheckExpiresEmail;
  return write(sender, row, { id: checkId, ...check, hasExpired: check.expiry_notice_sent_at !== null });
}
