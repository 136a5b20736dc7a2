import { createHash } from "node:crypto";
import type { Database } from "#shared/database/connect.ts";
import { formatDay, formatList } from "#shared/language.ts";
import { type DocumentLink, documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import { composeEmail, type EmailContent, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { type Block, paragraph, remark, typed } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { listApplicationEvents } from "./events.ts";
import type { ApplicationRow } from "./store.ts";

export type VolunteerEmailJob =
  /** To the applicant, and to the coordinator. */
  | { readonly template: "application-received" | "new-application"; readonly applicationId: string }
  /** To the applicant, once for each decision, which `stageVersion` identifies. */
  | { readonly template: "application-decided"; readonly applicationId: string; readonly stageVersion: number }
  /** To the coordinator: a volunteer has withdrawn. After a closed account only `reference` names them. */
  | { readonly template: "volunteer-withdrew"; readonly applicationId: string; readonly reference?: string }
  /** To the volunteer and the coordinator: a Working With Children Check expires. */
  | { readonly template: "check-expires" | "volunteer-check-expires"; readonly checkId: string };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    volunteering: VolunteerEmailJob;
  }
}

type VolunteerEmailContext = EmailContext<LinkConfig>;

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
    case "application-decided":
      // A later move sends its own email, or has made this one untrue.
      return row.stage_version === job.stageVersion
        ? decidedEmail(sender, row, linkMade(row.decided_at ?? row.created_at))
        : null;
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

function findApplicationRow(database: Database, id: string): Promise<ApplicationRow | undefined> {
  return database.selectFrom("volunteer_applications").selectAll().where("id", "=", id).executeTakeFirst();
}

function toApplicant(sender: Sender, email: string, content: EmailContent): EmailMessage {
  const replyTo = sender.organisation.volunteersEmail ?? sender.organisation.email;
  return composeEmail(sender, { ...content, to: { name: "", address: email }, replyTo });
}

/** Replies go to the person it is about. */
function toCoordinator(sender: Sender, replyTo: string | undefined, content: EmailContent): EmailMessage {
  const { name, volunteersEmail, email } = sender.organisation;
  return composeEmail(sender, { ...content, to: { name, address: volunteersEmail ?? email }, replyTo });
}

function pageBlocks({ publicUrl }: Sender, { path, lastDay }: DocumentLink): Block[] {
  return [
    { kind: "link", label: "See my application", url: publicUrl + path },
    remark(`Anyone with this link can open the page until ${lastDay}, so please keep this email to yourself.`),
  ];
}

function receivedEmail(sender: Sender, { id, email, reference }: ApplicationRow, link: DocumentLink): EmailMessage {
  const { organisation } = sender;
  // After a correction of the address, the id must differ.
  const address = createHash("sha256").update(email).digest("base64url").slice(0, 12);
  return toApplicant(sender, email, {
    id: `application-${id}-${address}`,
    subject: `${organisation.name} has your application`,
    title: "Thank you for offering your help",
    blocks: [
      paragraph("We have your application to volunteer. One of our team reads every one, and will be in touch."),
      { kind: "rows", rows: [["Reference", reference]] },
      paragraph("On its page you can check its status, correct your details or withdraw."),
      ...pageBlocks(sender, link),
      remark(
        `If you did not apply, someone entered your address by mistake. You do not need to do anything, or tell us on ${organisation.phone} or ${organisation.email} and we will remove it.`,
      ),
    ],
  });
}

function newApplicationEmail(sender: Sender, row: ApplicationRow): EmailMessage {
  const { id, name, email, skills, experience } = row;
  return toCoordinator(sender, email, {
    id: `new-application-${id}`,
    subject: `Application to volunteer from ${name}`,
    title: `${name} would like to volunteer`,
    blocks: [
      {
        kind: "rows",
        rows: [
          ...whoRows(row),
          ["Preferred contact", row.preferred_contact],
          ["Interests", formatList(row.interests, "comma")],
          ["Availability", row.availability],
        ],
      },
      ...(skills === "" ? [] : [remark("Skills"), typed(skills)]),
      ...(experience === "" ? [] : [remark("Previous experience"), typed(experience)]),
      remark(
        "Your reply to this email goes to the applicant. Address, emergency contact and pictures stay on the site.",
      ),
    ],
  });
}

function whoRows({ reference, name, mobile, email }: ApplicationRow): (readonly [string, string])[] {
  return [
    ["Reference", reference],
    ["Name", name],
    ["Mobile", mobile],
    ["Email", email],
  ];
}

function decidedEmail(sender: Sender, row: ApplicationRow, link: DocumentLink): EmailMessage | null {
  const { phone } = sender.organisation;
  const id = `application-decided-${row.id}-${row.stage_version}`;
  const email = (subject: string, title: string, blocks: Block[]) =>
    toApplicant(sender, row.email, {
      ...{ id, subject, title },
      blocks: [...blocks, { kind: "rows", rows: [["Reference", row.reference]] }, ...pageBlocks(sender, link)],
    });
  switch (row.stage) {
    case "approved":
      return email("Welcome to our volunteers", "Welcome to our volunteers", [
        paragraph(`We are glad to have you with us. Your roles: ${formatList(row.roles, "and")}.`),
        paragraph(
          `Our volunteer coordinator will tell you what happens next. Questions? Call ${phone} or reply to this email.`,
        ),
      ]);
    case "waiting":
      return email("Your application to volunteer: the waiting list", "You are on our waiting list", [
        paragraph(
          "We would like to have you with us, but have no place at the moment. We will be in touch when we do.",
        ),
        paragraph("You do not need to do anything. If you would rather not wait, you can withdraw on the page below."),
      ]);
    case "declined":
      return email("Your application to volunteer", "Thank you for offering your help", [
        paragraph("We have read your application carefully, but cannot take you on this time."),
        paragraph(
          `You can apply again at any time. If you would like to talk about it, call ${phone} or reply to this email.`,
        ),
      ]);
    default:
      return null;
  }
}

function volunteerLeftEmail(sender: Sender, row: ApplicationRow, roles: readonly string[]): EmailMessage {
  return toCoordinator(sender, row.email, {
    id: `volunteer-withdrew-${row.id}`,
    subject: `${row.name} has withdrawn`,
    title: `${row.name} no longer volunteers`,
    blocks: [
      paragraph("They withdrew the application on their own page. The photo and signature are deleted."),
      { kind: "rows", rows: [...whoRows(row), ["Roles", formatList(roles, "comma")]] },
    ],
  });
}

/** A closed account is erased before this is sent, so only the reference is left. */
function erasedVolunteerLeftEmail(sender: Sender, id: string, reference: string): EmailMessage {
  return toCoordinator(sender, undefined, {
    id: `volunteer-withdrew-${id}`,
    subject: `Volunteer ${reference} has withdrawn`,
    title: "A volunteer has withdrawn",
    blocks: [
      paragraph(
        "A volunteer has closed their account. Their application is deleted; a verified Working With Children Check is kept for seven years. The email you received when the application arrived says whose it was.",
      ),
      { kind: "rows", rows: [["Reference", reference]] },
    ],
  });
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
  const day = formatDay(check.expires_on);
  const hasExpired = check.expiry_notice_sent_at !== null;
  const id = `${template === "check-expires" ? "check" : "volunteer-check"}-${hasExpired ? "expired" : "expires"}-${checkId}`;
  if (template === "volunteer-check-expires") {
    return toCoordinator(sender, row.email, {
      id,
      ...(hasExpired
        ? {
            subject: `Working With Children Check of ${row.name} has expired`,
            title: `The Working With Children Check of ${row.name} expired on ${day}`,
          }
        : {
            subject: `Working With Children Check of ${row.name} expires soon`,
            title: `The Working With Children Check of ${row.name} expires on ${day}`,
          }),
      blocks: [
        paragraph(
          hasExpired
            ? "Until a new check is recorded and verified, do not give them work that needs one."
            : "We have emailed them a reminder. When they have the new check, record it and verify it with the state.",
        ),
        {
          kind: "rows",
          rows: [
            ...whoRows(row),
            ["Roles", formatList(row.roles, "comma")],
            ["Check", `${check.state} ${check.number}`],
          ],
        },
      ],
    });
  }
  return toApplicant(sender, row.email, {
    id,
    subject: hasExpired
      ? "Your Working With Children Check has expired"
      : "Your Working With Children Check expires soon",
    title: hasExpired
      ? `Your Working With Children Check expired on ${day}`
      : `Your Working With Children Check expires on ${day}`,
    blocks: [
      paragraph(
        hasExpired
          ? "Until we have a new one, we cannot give you work that needs a check."
          : "Please renew it in good time: without it, we cannot give you work that needs a check. It is free for volunteers.",
      ),
      paragraph(
        `When you have the new one, reply to this email or call ${sender.organisation.phone} with its number and expiry date.`,
      ),
      { kind: "rows", rows: [["Issued by", check.state]] },
    ],
  });
}
