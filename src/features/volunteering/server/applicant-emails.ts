import { createHash } from "node:crypto";
import { formatDay, formatList } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { composeEmail, type EmailContent, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, remark, typed } from "#shared/mail/email-layout.ts";
import { fillTexts, textOfWords, type Words } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import type { OwnWords } from "../own-words.ts";
import { inventedApplication, inventedCheck } from "./invented-application.ts";
import type { ApplicationRow } from "./store.ts";

export function toApplicant(
  sender: Sender,
  email: string,
  content: EmailContent & Partial<Pick<EmailMessage, "attachments">>,
): EmailMessage {
  const replyTo = sender.organisation.volunteersEmail ?? sender.organisation.email;
  return composeEmail(sender, { ...content, to: { name: "", address: email }, replyTo });
}

/** Of every email with a link to the application's page. */
export const pageTexts = {
  link: "Anyone with this link can open the page until {last_day}, so please keep this email to yourself.",
} as const;
export const pagePlaceholders = {
  last_day: "The last day on which the link to the application’s page works.",
} as const;

export function pageBlocks(
  { publicUrl }: Sender,
  { path }: DocumentLink,
  { label = "See my application", link }: { readonly label?: string; readonly link: Words },
): Block[] {
  return [{ kind: "link", label, url: publicUrl + path }, remark(link)];
}

export const inventedLink = { path: "/volunteer/applications/example?key=…", lastDay: "31 December 2027" } as const;

const received = declareEmail({
  name: "application-received",
  title: "Application received",
  when: "To somebody who has applied to volunteer. It repeats nothing of what was written.",
  placeholders: pagePlaceholders,
  texts: {
    subject: "{organisation} has your application",
    heading: "Thank you for offering your help",
    received: "We have your application to volunteer. One of our team reads every one, and will be in touch.",
    page: "On its page you can check its status, correct your details or withdraw.",
    ...pageTexts,
    mistake:
      "If you did not apply, someone entered your address by mistake. You can ignore this email, or tell us on {phone} or {email} and we will remove it.",
  },
  examples: { "An application": (sender) => receivedEmail(sender, inventedApplication, inventedLink) },
});

type Received = Pick<ApplicationRow, "id" | "email" | "reference">;

/** The confirmation to the applicant, with `link` to their application. */
export function receivedEmail(sender: Sender, { id, email, reference }: Received, link: DocumentLink): EmailMessage {
  // After a correction of the address, the id must differ.
  const address = createHash("sha256").update(email).digest("base64url").slice(0, 12);
  const say = fillTexts(received, sender, { last_day: link.lastDay });
  return toApplicant(sender, email, {
    id: `application-${id}-${address}`,
    subject: say.subject,
    title: say.heading,
    blocks: [
      paragraph(say.received),
      { kind: "rows", rows: [["Reference", reference]] },
      paragraph(say.page),
      ...pageBlocks(sender, link, say),
      remark(say.mistake),
    ],
  });
}

const approved = declareEmail({
  name: "application-decided.approved",
  title: "Welcome to a new volunteer",
  when: "To an applicant whose application is approved.",
  placeholders: { roles: "The roles of the volunteer.", ...pagePlaceholders },
  texts: {
    subject: "Welcome to our volunteers",
    news: "We are glad to have you with us. Your roles: {roles}.",
    next: "On the page below you can sign up for shifts in your roles. Keep the link: new shifts appear there. Questions? Call {phone} or reply to this email.",
    ...pageTexts,
  },
  examples: { "An application": (sender) => decidedEmail(sender, inventedApplication, inventedLink)! },
});

const waiting = declareEmail({
  name: "application-decided.waiting",
  title: "On the waiting list",
  when: "To an applicant who is put on the waiting list.",
  placeholders: pagePlaceholders,
  texts: {
    subject: "Your application to volunteer: the waiting list",
    heading: "You are on our waiting list",
    news: "We would like to have you with us, but have no place at the moment. We will be in touch when we do.",
    next: "You do not need to do anything. If you would rather not wait, you can withdraw on the page below.",
    ...pageTexts,
  },
  examples: {
    "An application": (sender) => decidedEmail(sender, { ...inventedApplication, stage: "waiting" }, inventedLink)!,
  },
});

const declined = declareEmail({
  name: "application-decided.declined",
  title: "Not this time",
  when: "To an applicant whose application is declined.",
  placeholders: pagePlaceholders,
  texts: {
    subject: "Your application to volunteer",
    heading: "Thank you for offering your help",
    news: "We have read your application carefully, but cannot take you on this time.",
    next: "You can apply again at any time. If you would like to talk about it, call {phone} or reply to this email.",
    ...pageTexts,
  },
  examples: {
    "An application": (sender) => decidedEmail(sender, { ...inventedApplication, stage: "declined" }, inventedLink)!,
  },
});

const withdrawn = declareEmail({
  name: "application-decided.withdrawn",
  title: "Withdrawn for them",
  when: "To an applicant or volunteer whose application staff withdraw, because they asked or have left.",
  placeholders: {},
  texts: {
    subject: "Your application to volunteer is withdrawn",
    news: "We have withdrawn your application to volunteer, and deleted your photo and signature. If you were signed up for shifts, you do not need to come.",
    next: "You can apply again at any time. If this is a mistake, call {phone} or reply to this email.",
  },
  examples: {
    "An application": (sender) => decidedEmail(sender, { ...inventedApplication, stage: "withdrawn" }, inventedLink)!,
  },
});

const question = declareEmail({
  name: "application-question",
  title: "A question about an application",
  when: "To an applicant, when staff ask for more. Staff write the question themselves.",
  placeholders: pagePlaceholders,
  texts: {
    subject: "A question about your application to volunteer",
    heading: "We have a question",
    question: "Thank you for offering your help. Before we decide, we would like to know more.",
    answer: "Reply to this email, or call {phone}. On the page below you can correct what you sent us.",
    ...pageTexts,
  },
  examples: {
    "An application": (sender) => {
      const words = questionWords(sender);
      return questionEmail(sender, inventedApplication, { id: 1, link: inventedLink, words });
    },
  },
});

type Decided = Pick<ApplicationRow, "id" | "stage" | "stage_version" | "email" | "reference" | "roles">;

const ownBlocks = ({ message }: OwnWords): Block[] => message.split(/\n{2,}/).map((text) => typed(text));

/** Null if nothing is decided. `own`: what staff wrote in place of its words. */
export function decidedEmail(
  sender: Sender,
  row: Decided,
  link: DocumentLink,
  own: OwnWords | null = null,
): EmailMessage | null {
  const say = decisionTexts(sender, row, link);
  return (
    say &&
    toApplicant(sender, row.email, {
      id: `application-decided-${row.id}-${row.stage_version}`,
      subject: own?.subject ?? say.subject,
      title: say.heading ?? own?.subject ?? say.subject,
      blocks: [
        ...(own === null ? [paragraph(say.news), paragraph(say.next)] : ownBlocks(own)),
        { kind: "rows", rows: [["Reference", row.reference]] },
        ...(say.link === null
          ? []
          : pageBlocks(sender, link, {
              ...(row.stage === "approved" && { label: "Sign up for shifts" }),
              link: say.link,
            })),
      ],
    })
  );
}

/** The subject and message that `decidedEmail` would have; null if it sends nothing. */
export function decisionWords(sender: Sender, row: Decided): OwnWords | null {
  const say = decisionTexts(sender, row, { path: "", lastDay: "" });
  return say && { subject: textOfWords(say.subject), message: joinParagraphs(say.news, say.next) };
}

const joinParagraphs = (...words: readonly Words[]) => words.map(textOfWords).join("\n\n");

function decisionTexts(sender: Sender, { stage, roles }: Decided, { lastDay: last_day }: DocumentLink) {
  switch (stage) {
    case "approved": {
      const say = fillTexts(approved, sender, { roles: formatList(roles, "and"), last_day });
      return { ...say, heading: null };
    }
    case "waiting":
      return fillTexts(waiting, sender, { last_day });
    case "declined":
      return fillTexts(declined, sender, { last_day });
    case "withdrawn":
      return { ...fillTexts(withdrawn, sender, {}), heading: null, link: null };
    default:
      return null;
  }
}

/** The subject and message of a question, before staff have written theirs. */
export function questionWords(sender: Sender): OwnWords {
  const say = fillTexts(question, sender, { last_day: "" });
  return { subject: textOfWords(say.subject), message: textOfWords(say.question) };
}

/** `id` identifies the question; `words` are what staff wrote. */
export function questionEmail(
  sender: Sender,
  row: Pick<ApplicationRow, "id" | "email" | "reference">,
  { id, link, words }: { id: number; link: DocumentLink; words: OwnWords },
): EmailMessage {
  const say = fillTexts(question, sender, { last_day: link.lastDay });
  return toApplicant(sender, row.email, {
    id: `application-question-${row.id}-${id}`,
    subject: words.subject,
    title: say.heading,
    blocks: [
      ...ownBlocks(words),
      paragraph(say.answer),
      { kind: "rows", rows: [["Reference", row.reference]] },
      ...pageBlocks(sender, link, say),
    ],
  });
}

const checkExpires = declareEmail({
  name: "check-expires",
  title: "A Working With Children Check expires",
  when: "To a volunteer, some weeks before the check expires and when it has expired.",
  placeholders: { day: "The day on which it expires." },
  texts: {
    subject: { words: "Your Working With Children Check expires soon", when: "Before it expires." },
    heading: { words: "Your Working With Children Check expires on {day}", when: "Before it expires." },
    renew: {
      words:
        "Please renew it in good time: without it, we cannot give you work that needs a check. It is free for volunteers.",
      when: "Before it expires.",
    },
    subjectExpired: { words: "Your Working With Children Check has expired", when: "When it has expired." },
    headingExpired: { words: "Your Working With Children Check expired on {day}", when: "When it has expired." },
    expired: {
      words: "Until we have a new one, we cannot give you work that needs a check.",
      when: "When it has expired.",
    },
    tell: "When you have the new one, reply to this email or call {phone} with its number and expiry date.",
  },
  examples: {
    "Before it expires": (sender) => checkExpiresEmail(sender, inventedApplication, inventedCheck),
    "When it has expired": (sender) =>
      checkExpiresEmail(sender, inventedApplication, { ...inventedCheck, hasExpired: true }),
  },
});

/** A check that expires or has expired; `expires_on` is YYYY-MM-DD. */
export type ExpiringCheck = {
  readonly id: string;
  readonly state: string;
  readonly number: string;
  readonly expires_on: string;
  readonly hasExpired: boolean;
};

/** To the applicant: their Working with Children Check expires soon, or has expired. */
export function checkExpiresEmail(
  sender: Sender,
  { email }: Pick<ApplicationRow, "email">,
  { id, state, expires_on, hasExpired }: ExpiringCheck,
): EmailMessage {
  const say = fillTexts(checkExpires, sender, { day: formatDay(expires_on) });
  return toApplicant(sender, email, {
    id: `check-${hasExpired ? "expired" : "expires"}-${id}`,
    subject: hasExpired ? say.subjectExpired : say.subject,
    title: hasExpired ? say.headingExpired : say.heading,
    blocks: [
      paragraph(hasExpired ? say.expired : say.renew),
      paragraph(say.tell),
      { kind: "rows", rows: [["Issued by", state]] },
    ],
  });
}

export const applicantEmails = [received, question, approved, waiting, declined, withdrawn, checkExpires] as const;
