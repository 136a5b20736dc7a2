import { formatDay, formatList } from "#shared/language.ts";
import { composeEmail, type EmailContent, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, remark, typed } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { availabilityWords } from "../application.ts";
import type { ExpiringCheck } from "./applicant-emails.ts";
import { inventedApplication, inventedCheck } from "./invented-application.ts";
import type { ApplicationRow } from "./store.ts";

/** To what staff know and do about the person, in the back office. */
const applicationLink = ({ publicUrl }: Sender, { id }: Pick<ApplicationRow, "id">): Block => ({
  kind: "link",
  label: "See the application",
  url: `${publicUrl}/admin/volunteers/${id}`,
});

/** Replies go to the person it is about. */
function toCoordinator(sender: Sender, replyTo: string | undefined, content: EmailContent): EmailMessage {
  const { name, volunteersEmail, email } = sender.organisation;
  return composeEmail(sender, { ...content, to: { name, address: volunteersEmail ?? email }, replyTo });
}

type Who = Pick<ApplicationRow, "id" | "reference" | "name" | "mobile" | "email">;

function whoRows({ reference, name, mobile, email }: Who): (readonly [string, string])[] {
  return [
    ["Reference", reference],
    ["Name", name],
    ["Mobile", mobile],
    ["Email", email],
  ];
}

const newApplication = declareEmail({
  name: "new-application",
  title: "A new application",
  when: "To your email address for volunteers. What the person wrote cannot be edited.",
  placeholders: { name: "Who applied." },
  texts: {
    subject: "Application to volunteer from {name}",
    heading: "{name} would like to volunteer",
    skills: { words: "Skills", when: "Above the skills, if any." },
    experience: { words: "Previous experience", when: "Above the experience, if any." },
    reply: "Your reply to this email goes to the applicant. Address, emergency contact and pictures stay on the site.",
  },
  examples: { "An application": (sender) => newApplicationEmail(sender, inventedApplication) },
});

type Applied = Who &
  Pick<ApplicationRow, "skills" | "experience" | "preferred_contact" | "availability"> & {
    readonly interests: readonly string[];
  };

export function newApplicationEmail(sender: Sender, row: Applied): EmailMessage {
  const { id, name, email, skills, experience } = row;
  const say = fillTexts(newApplication, sender, { name });
  return toCoordinator(sender, email, {
    id: `new-application-${id}`,
    subject: say.subject,
    title: say.heading,
    blocks: [
      {
        kind: "rows",
        rows: [
          ...whoRows(row),
          ["Preferred contact", row.preferred_contact],
          ["Interests", formatList(row.interests, "comma")],
          ["Availability", availabilityWords[row.availability]],
        ],
      },
      ...(skills === "" ? [] : [remark(say.skills), typed(skills)]),
      ...(experience === "" ? [] : [remark(say.experience), typed(experience)]),
      applicationLink(sender, row),
      remark(say.reply),
    ],
  });
}

const volunteerLeft = declareEmail({
  name: "volunteer-withdrew",
  title: "A volunteer has withdrawn",
  when: "To your email address for volunteers, if an approved volunteer withdraws.",
  placeholders: { name: "Who has withdrawn." },
  texts: {
    subject: "{name} has withdrawn",
    heading: "{name} no longer volunteers",
    news: "They withdrew the application on their own page. The photo and signature are deleted.",
  },
  examples: {
    "A volunteer": (sender) => volunteerLeftEmail(sender, inventedApplication, inventedApplication.roles),
  },
});

export function volunteerLeftEmail(sender: Sender, row: Who, roles: readonly string[]): EmailMessage {
  const say = fillTexts(volunteerLeft, sender, { name: row.name });
  return toCoordinator(sender, row.email, {
    id: `volunteer-withdrew-${row.id}`,
    subject: say.subject,
    title: say.heading,
    blocks: [
      paragraph(say.news),
      { kind: "rows", rows: [...whoRows(row), ["Roles", formatList(roles, "comma")]] },
      applicationLink(sender, row),
    ],
  });
}

const erasedVolunteerLeft = declareEmail({
  name: "volunteer-withdrew.closed",
  title: "A volunteer whose data was erased",
  when: "To your email address for volunteers, if a volunteer closes their account or staff erase their data. Only the reference is left by then.",
  placeholders: { reference: "The reference of the application." },
  texts: {
    subject: "Volunteer {reference} has withdrawn",
    heading: "A volunteer has withdrawn",
    news: "A volunteer has closed their account, or staff have erased their data. Their application is deleted; a verified Working With Children Check is kept for seven years. The email you received when the application arrived says whose it was.",
  },
  examples: { "A volunteer": (sender) => erasedVolunteerLeftEmail(sender, "example", "V-EXAMPLE") },
});

/** The person is erased before this is sent, so only the reference is left. */
export function erasedVolunteerLeftEmail(sender: Sender, id: string, reference: string): EmailMessage {
  const say = fillTexts(erasedVolunteerLeft, sender, { reference });
  return toCoordinator(sender, undefined, {
    id: `volunteer-withdrew-${id}`,
    subject: say.subject,
    title: say.heading,
    blocks: [paragraph(say.news), { kind: "rows", rows: [["Reference", reference]] }],
  });
}

const checkExpires = declareEmail({
  name: "volunteer-check-expires",
  title: "A volunteer’s Working With Children Check expires",
  when: "To your email address for volunteers, some weeks before the check expires and when it has expired.",
  placeholders: { name: "Whose check it is.", day: "The day on which it expires." },
  texts: {
    subject: { words: "Working With Children Check of {name} expires soon", when: "Before it expires." },
    heading: { words: "The Working With Children Check of {name} expires on {day}", when: "Before it expires." },
    reminded: {
      words: "We have emailed them a reminder. When they have the new check, record it and verify it with the state.",
      when: "Before it expires.",
    },
    subjectExpired: { words: "Working With Children Check of {name} has expired", when: "When it has expired." },
    headingExpired: {
      words: "The Working With Children Check of {name} expired on {day}",
      when: "When it has expired.",
    },
    expired: {
      words: "Until a new check is recorded and verified, do not give them work that needs one.",
      when: "When it has expired.",
    },
  },
  examples: {
    "Before it expires": (sender) => volunteerCheckExpiresEmail(sender, inventedApplication, inventedCheck),
    "When it has expired": (sender) =>
      volunteerCheckExpiresEmail(sender, inventedApplication, { ...inventedCheck, hasExpired: true }),
  },
});

export function volunteerCheckExpiresEmail(
  sender: Sender,
  row: Who & { readonly roles: readonly string[] },
  { id, state, number, expires_on, hasExpired }: ExpiringCheck,
): EmailMessage {
  const say = fillTexts(checkExpires, sender, { name: row.name, day: formatDay(expires_on) });
  return toCoordinator(sender, row.email, {
    id: `volunteer-check-${hasExpired ? "expired" : "expires"}-${id}`,
    subject: hasExpired ? say.subjectExpired : say.subject,
    title: hasExpired ? say.headingExpired : say.heading,
    blocks: [
      paragraph(hasExpired ? say.expired : say.reminded),
      {
        kind: "rows",
        rows: [...whoRows(row), ["Roles", formatList(row.roles, "comma")], ["Check", `${state} ${number}`]],
      },
      applicationLink(sender, row),
    ],
  });
}

export const coordinatorEmails = [newApplication, volunteerLeft, erasedVolunteerLeft, checkExpires] as const;
