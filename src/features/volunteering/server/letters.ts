import { createHash } from "node:crypto";
import type { Database } from "#shared/database/connect.ts";
import { type DocumentLink, documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import { idAndSubject, type Sender } from "#shared/mail/letter-heading.ts";
import { type Block, layOutLetter, remark, said } from "#shared/mail/letter-layout.ts";
import type { Letter } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import { formatDay } from "#shared/sydney.ts";
import { listEvents } from "./events.ts";
import type { ApplicationRow } from "./store.ts";

export type VolunteerLetterJob =
  /** To the applicant, and to the coordinator. */
  | { readonly letter: "application-received" | "new-application"; readonly applicationId: string }
  /** To the applicant: `stageVersion` names the decision, so that each is told once. */
  | { readonly letter: "application-decided"; readonly applicationId: string; readonly stageVersion: number }
  /** To the coordinator: somebody who was taken on has withdrawn. `reference` is what is left to name them by where they closed their account. */
  | { readonly letter: "volunteer-left"; readonly applicationId: string; readonly reference?: string }
  /** To the volunteer, and to the coordinator: a Working With Children Check that ends. */
  | { readonly letter: "check-ends" | "volunteer-check-ends"; readonly checkId: string };

declare module "#shared/jobs/queues.ts" {
  interface LetterJobs {
    volunteering: VolunteerLetterJob;
  }
}

export type VolunteerLetterContext = {
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly config: LinkConfig & { readonly publicUrl: string };
};

// Letters to applicants say nothing that was typed, not even the name: anybody may enter anybody's address, and our
// letter must not carry their words there. Those to the coordinator say what one needs to ring the person up: no
// emergency contact, no pictures.

/** The letter of one job. Null: it is no longer true, or nobody is there to have it. */
export async function writeVolunteerLetter(
  context: VolunteerLetterContext,
  job: VolunteerLetterJob,
): Promise<Letter | null> {
  if ("checkId" in job) return writeCheckLetter(context, job);
  const { database, organisation, config } = context;
  const row = await findApplicationRow(database, job.applicationId);
  const sender = { organisation: organisation(), publicUrl: config.publicUrl };
  if (row === undefined || row.erased_at !== null) {
    return job.letter === "volunteer-left" && job.reference !== undefined
      ? erasedVolunteerLeftLetter(sender, job.applicationId, job.reference)
      : null;
  }
  const linkMade = (madeAt: Date) => documentLink(config, { kind: "application", id: row.id }, madeAt);
  switch (job.letter) {
    case "application-received":
      return receivedLetter(sender, row, linkMade(await findAddressedAt(database, row)));
    case "new-application":
      return newApplicationLetter(sender, row);
    case "application-decided":
      // A later move has a letter of its own, or has made this one untrue.
      return row.stage_version === job.stageVersion
        ? decidedLetter(sender, row, linkMade(row.decided_at ?? row.created_at))
        : null;
    case "volunteer-left": {
      const events = await listEvents(database, row.id);
      const approval = events.findLast(({ event }) => event === "approved")?.detail as { roles?: string[] } | null;
      return row.stage === "withdrawn" ? volunteerLeftLetter(sender, row, approval?.roles ?? []) : null;
    }
  }
}

/** Since when we have had the applicant's present address: a corrected one is sent a link of its own. */
async function findAddressedAt(database: Database, { id, created_at }: ApplicationRow): Promise<Date> {
  const events = await listEvents(database, id);
  const change = events.findLast(
    ({ event, detail }) => event === "details_changed" && (detail as { fields: string[] }).fields.includes("email"),
  );
  return change?.at ?? created_at;
}

function findApplicationRow(database: Database, id: string): Promise<ApplicationRow | undefined> {
  return database.selectFrom("volunteer_applications").selectAll().where("id", "=", id).executeTakeFirst();
}

type Content = { readonly word: string; readonly subject: string; readonly title: string; readonly blocks: Block[] };

function toApplicant({ organisation, publicUrl }: Sender, email: string, content: Content): Letter {
  const { word, subject, title, blocks } = content;
  return {
    ...idAndSubject(publicUrl, word, subject),
    to: { name: "", address: email },
    replyTo: organisation.volunteersEmail ?? organisation.email,
    ...layOutLetter(organisation, { title, blocks }),
    attachments: [],
  };
}

/** Answering it answers the person it is about. */
function toCoordinator({ organisation, publicUrl }: Sender, email: string | null, content: Content): Letter {
  const { word, subject, title, blocks } = content;
  return {
    ...idAndSubject(publicUrl, word, subject),
    to: { name: organisation.name, address: organisation.volunteersEmail ?? organisation.email },
    ...(email === null ? {} : { replyTo: email }),
    ...layOutLetter(organisation, { title, blocks }),
    attachments: [],
  };
}

function pageBlocks({ publicUrl }: Sender, { path, lastDay }: DocumentLink): Block[] {
  return [
    { kind: "link", label: "See my application", url: publicUrl + path },
    remark(`Until ${lastDay} the page opens for whoever has this link, so please keep this letter to yourself.`),
  ];
}

function receivedLetter(sender: Sender, { id, email, reference }: ApplicationRow, link: DocumentLink): Letter {
  const { organisation } = sender;
  // One that goes to another address, after the first was corrected, is another letter.
  const address = createHash("sha256").update(email).digest("base64url").slice(0, 12);
  return toApplicant(sender, email, {
    word: `application-${id}-${address}`,
    subject: `${organisation.name} has your application`,
    title: "Thank you for offering your help",
    blocks: [
      said("We have your application to volunteer. One of our team reads every one, and will be in touch."),
      { kind: "rows", rows: [["Reference", reference]] },
      said("On its own page you see where it stands. You can correct a detail there, or withdraw."),
      ...pageBlocks(sender, link),
      remark(
        `You did not apply? Then somebody entered your address by mistake: you need not do anything. If you tell us, on ${organisation.phone} or ${organisation.email}, we take it out.`,
      ),
    ],
  });
}

function newApplicationLetter(sender: Sender, row: ApplicationRow): Letter {
  const { id, name, email, skills, experience } = row;
  return toCoordinator(sender, email, {
    word: `new-application-${id}`,
    subject: `Application to volunteer from ${name}`,
    title: `${name} would like to volunteer`,
    blocks: [
      {
        kind: "rows",
        rows: [
          ...whoRows(row),
          ["Preferred contact", row.preferred_contact],
          ["Interests", row.interests.join(", ")],
          ["Availability", row.availability],
        ],
      },
      ...(skills === "" ? [] : [remark("Skills"), said(skills)]),
      ...(experience === "" ? [] : [remark("Previous experience"), said(experience)]),
      remark(
        "Your reply to this letter goes to the applicant. Address, emergency contact and pictures stay on the site.",
      ),
    ],
  });
}

/** Who it is about, and how to reach them. */
function whoRows({ reference, name, mobile, email }: ApplicationRow): (readonly [string, string])[] {
  return [
    ["Reference", reference],
    ["Name", name],
    ["Mobile", mobile],
    ["Email", email],
  ];
}

function decidedLetter(sender: Sender, row: ApplicationRow, link: DocumentLink): Letter | null {
  const { phone } = sender.organisation;
  const word = `application-decided-${row.id}-${row.stage_version}`;
  const letter = (subject: string, title: string, blocks: Block[]) =>
    toApplicant(sender, row.email, {
      ...{ word, subject, title },
      blocks: [...blocks, { kind: "rows", rows: [["Reference", row.reference]] }, ...pageBlocks(sender, link)],
    });
  switch (row.stage) {
    case "approved":
      return letter("Welcome to our volunteers", "Welcome to our volunteers", [
        said(`We are glad to have you with us. You are taken on for: ${row.roles.join(", ")}.`),
        said(
          `Our volunteer coordinator will tell you what comes next. If you have a question, call ${phone} or reply.`,
        ),
      ]);
    case "waiting":
      return letter("Your application to volunteer: the waiting list", "You are on our waiting list", [
        said(
          "We would like to have you with us, and have no place at the moment. We will be in touch when there is one.",
        ),
        said("There is nothing you need to do. If you would rather not wait, you can withdraw on the page."),
      ]);
    case "declined":
      return letter("Your application to volunteer", "Thank you for offering your help", [
        said("We have read your application with care, and cannot take you on this time."),
        said(`You may apply again at any time. If you would like to talk about it, call ${phone} or reply.`),
      ]);
    default:
      return null;
  }
}

function volunteerLeftLetter(sender: Sender, row: ApplicationRow, roles: readonly string[]): Letter {
  return toCoordinator(sender, row.email, {
    word: `volunteer-left-${row.id}`,
    subject: `${row.name} has withdrawn`,
    title: `${row.name} no longer volunteers`,
    blocks: [
      said("The application was withdrawn on the applicant's own page. Photo and signature are deleted."),
      { kind: "rows", rows: [...whoRows(row), ["Was taken on for", roles.join(", ")]] },
    ],
  });
}

/** Whoever closes their account is erased before this is sent: only the reference still names them. */
function erasedVolunteerLeftLetter(sender: Sender, id: string, reference: string): Letter {
  return toCoordinator(sender, null, {
    word: `volunteer-left-${id}`,
    subject: `Volunteer ${reference} has withdrawn`,
    title: "Somebody no longer volunteers",
    blocks: [
      said(
        "A volunteer has closed their account. The application and its details are deleted; a Working With Children Check that was verified is kept for seven years. The letter about the application, which you had when it came, says whose it was.",
      ),
      { kind: "rows", rows: [["Reference", reference]] },
    ],
  });
}

/** Tells of a check that ends, or has ended; nothing once another one has replaced it, or the person has left. */
async function writeCheckLetter(
  { database, organisation, config }: VolunteerLetterContext,
  { letter, checkId }: Extract<VolunteerLetterJob, { checkId: string }>,
): Promise<Letter | null> {
  const check = await database
    .selectFrom("working_with_children_checks")
    .select(["application_id", "state", "number", "expires_on", "lapse_told_at"])
    .where("id", "=", checkId)
    .where("replaced_at", "is", null)
    .executeTakeFirst();
  const row = check && (await findApplicationRow(database, check.application_id));
  if (check === undefined || row?.stage !== "approved") return null;
  const sender = { organisation: organisation(), publicUrl: config.publicUrl };
  const day = formatDay(check.expires_on);
  const hasEnded = check.lapse_told_at !== null;
  const word = `${letter === "check-ends" ? "check" : "volunteer-check"}-${hasEnded ? "ended" : "ends"}-${checkId}`;
  const ends = hasEnded ? `ended on ${day}` : `ends on ${day}`;
  if (letter === "volunteer-check-ends") {
    return toCoordinator(sender, row.email, {
      word,
      subject: `Working With Children Check of ${row.name} ${hasEnded ? "has ended" : "ends soon"}`,
      title: `The Working With Children Check of ${row.name} ${ends}`,
      blocks: [
        said(
          hasEnded
            ? "Until a new check is recorded and verified, please do not send them where a check is needed."
            : "They are reminded by a letter of their own. Record the new check, and verify it with the state, when they have it.",
        ),
        {
          kind: "rows",
          rows: [...whoRows(row), ["Roles", row.roles.join(", ")], ["Check", `${check.state} ${check.number}`]],
        },
      ],
    });
  }
  return toApplicant(sender, row.email, {
    word,
    subject: `Your Working With Children Check ${hasEnded ? "has ended" : "ends soon"}`,
    title: `Your Working With Children Check ${ends}`,
    blocks: [
      said(
        hasEnded
          ? "Until we have a new one, we may not ask you to help where a check is needed."
          : "Please renew it in good time: without one we may not ask you to help where a check is needed. For volunteers it is free.",
      ),
      said(
        `When you have the new one, reply to this letter or call ${sender.organisation.phone} with its number and last day.`,
      ),
      { kind: "rows", rows: [["Issued by", check.state]] },
    ],
  });
}
