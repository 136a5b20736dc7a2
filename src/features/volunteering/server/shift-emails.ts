import type { Database } from "#shared/database/connect.ts";
import { dayInSydney, formatDay } from "#shared/language.ts";
import { type DocumentLink, documentLink, type LinkConfig } from "#shared/links/document-links.ts";
import type { EmailContext, Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, typed } from "#shared/mail/email-layout.ts";
import { fillTexts, type Words } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { describeShiftTimes } from "../shift.ts";
import { inventedLink, pageBlocks, pagePlaceholders, pageTexts, toApplicant } from "./applicant-emails.ts";
import { inventedApplication } from "./invented-application.ts";
import { shiftCalendar } from "./shift-calendar.ts";

/**
 * To a volunteer, about their place in a shift: they got it, it has another time or place since `movedAt`, it is the day
 * before, it is lost.
 */
export type ShiftEmailJob =
  | { readonly template: "shift-place-taken" | "shift-place-lost"; readonly placeId: string }
  | { readonly template: "shift-moved"; readonly placeId: string; readonly movedAt: string }
  | { readonly template: "shift-reminder"; readonly placeId: string; readonly remindedAt: string };

type ShiftPlace = NonNullable<Awaited<ReturnType<typeof findPlace>>>;

const heldPlaceholders = { shift: "The shift.", ...pagePlaceholders } as const;

const placeTaken = declareEmail({
  name: "shift-place-taken",
  title: "A place in a shift",
  when: "To a volunteer who has signed up for a shift, or whom staff have added to it.",
  placeholders: heldPlaceholders,
  texts: {
    subject: "You are signed up: {shift}",
    heading: "You are signed up for {shift}",
    news: "Thank you for offering your time. The attached file adds the shift to your calendar.",
    withdraw:
      "If you cannot come, withdraw on the page below before the shift begins, so that somebody else can take your place. Questions? Call {phone} or reply to this email.",
    ...pageTexts,
  },
  examples: { "A place": (sender) => placeTakenEmail(sender, inventedPlace, inventedLink) },
});

function placeTakenEmail(sender: Sender, place: ShiftPlace, link: DocumentLink): EmailMessage {
  const say = fillTexts(placeTaken, sender, { shift: place.title, last_day: link.lastDay });
  const id = `shift-place-taken-${place.id}`;
  return heldPlaceEmail(sender, place, { id, say, link, madeAt: place.takenAt });
}

const shiftMoved = declareEmail({
  name: "shift-moved",
  title: "Another time or place of a shift",
  when: "To the volunteers who have signed up, if the shift gets another day, time or place.",
  placeholders: heldPlaceholders,
  texts: {
    subject: "Another time or place: {shift}",
    heading: "{shift} has another time or place",
    news: "You are still signed up. The attached file changes the entry in your calendar.",
    withdraw:
      "If you cannot come then, withdraw on the page below before the shift begins, so that somebody else can take your place. Questions? Call {phone} or reply to this email.",
    ...pageTexts,
  },
  examples: {
    "A shift that moved": (sender) =>
      shiftMovedEmail(sender, inventedPlace, { link: inventedLink, movedAt: inventedPlace.takenAt }),
  },
});

function shiftMovedEmail(
  sender: Sender,
  place: ShiftPlace,
  { link, movedAt }: { link: DocumentLink; movedAt: Date },
): EmailMessage {
  const say = fillTexts(shiftMoved, sender, { shift: place.title, last_day: link.lastDay });
  return heldPlaceEmail(sender, place, {
    id: `shift-moved-${place.id}-${movedAt.getTime()}`,
    say,
    link,
    madeAt: movedAt,
  });
}

const shiftReminder = declareEmail({
  name: "shift-reminder",
  title: "A reminder of a shift",
  when: "To the volunteers who have signed up, on the day before the shift from 8 am. Not to those who had an email about it less than a day before that.",
  placeholders: { ...heldPlaceholders, day: "The day of the shift." },
  texts: {
    subject: "Reminder for {day}: {shift}",
    heading: "Your shift on {day}: {shift}",
    news: "We look forward to seeing you. If the shift is not in your calendar yet, the attached file adds it.",
    withdraw:
      "If you cannot come, withdraw on the page below as soon as you can, so that somebody else can take your place. Questions? Call {phone} or reply to this email.",
    ...pageTexts,
  },
  examples: {
    "The day before": (sender) =>
      shiftReminderEmail(sender, inventedPlace, { link: inventedLink, remindedAt: inventedPlace.takenAt }),
  },
});

function shiftReminderEmail(
  sender: Sender,
  place: ShiftPlace,
  { link, remindedAt }: { link: DocumentLink; remindedAt: Date },
): EmailMessage {
  const day = formatDay(dayInSydney(place.startsAt), { weekday: "long", day: "numeric", month: "long" });
  const say = fillTexts(shiftReminder, sender, { shift: place.title, day, last_day: link.lastDay });
  const id = `shift-reminder-${place.id}-${remindedAt.getTime()}`;
  return heldPlaceEmail(sender, place, { id, say, link, madeAt: remindedAt });
}

type Said = Readonly<Record<keyof (typeof placeTaken)["texts"], Words>>;

/** When and where the shift is, in which role, what staff wrote about it, and how to withdraw. */
function heldPlaceEmail(
  sender: Sender,
  { title, role, place, notes, email, shiftId, version, startsAt, endsAt }: ShiftPlace,
  { id, say, link, madeAt }: { id: string; say: Said; link: DocumentLink; madeAt: Date },
): EmailMessage {
  const when = ["When", describeShiftTimes({ startsAt, endsAt })] as const;
  const where = place === "" ? [] : [["Where", place] as const];
  const rows: Block = { kind: "rows", rows: [when, ...where, ["Role", role]] };
  const { publicUrl, organisation } = sender;
  const organiser = { name: organisation.name, email: organisation.volunteersEmail ?? organisation.email };
  const shift = { id: shiftId, version, title, place, notes, startsAt, endsAt };
  const file = shiftCalendar(shift, { publicUrl, organiser, madeAt });
  return toApplicant(sender, email, {
    id,
    subject: say.subject,
    title: say.heading,
    blocks: [
      paragraph(say.news),
      rows,
      ...(notes === "" ? [] : [typed(notes)]),
      paragraph(say.withdraw),
      ...pageBlocks(sender, link, { label: "See my shifts", link: say.link }),
    ],
    attachments: [
      {
        filename: "shift.ics",
        contentType: "text/calendar; charset=utf-8; method=PUBLISH",
        content: Buffer.from(file),
      },
    ],
  });
}

const placeLost = declareEmail({
  name: "shift-place-lost",
  title: "A place in a shift is lost",
  when: "To a volunteer whose shift is cancelled, or whose check or role no longer allows it.",
  placeholders: { shift: "The shift.", times: "Its day and times." },
  texts: {
    subject: { words: "Your shift is cancelled: {shift}", when: "The shift is cancelled." },
    heading: { words: "{shift} is cancelled", when: "The shift is cancelled." },
    cancelled: {
      words: "We have cancelled this shift, so you do not need to come. Thank you for offering your time.",
      when: "The shift is cancelled.",
    },
    subjectUnfit: {
      words: "You are no longer signed up: {shift}",
      when: "The check or the role no longer allows it.",
    },
    headingUnfit: {
      words: "You are no longer signed up for {shift}",
      when: "The check or the role no longer allows it.",
    },
    unfit: {
      words:
        "Your roles have changed, or we have no Working With Children Check for you that is valid on the day of the shift. If you have a new check, tell us. Once we have verified it, you can sign up again.",
      when: "The check or the role no longer allows it.",
    },
    times: "Shift times: {times}.",
    questions: "Questions? Call {phone} or reply to this email.",
  },
  examples: {
    "A cancelled shift": (sender) => placeLostEmail(sender, { ...inventedPlace, leftBecause: "cancelled" }),
    "A check that is not valid": (sender) => placeLostEmail(sender, { ...inventedPlace, leftBecause: "unfit" }),
  },
});

const inventedPlace: ShiftPlace = {
  id: "example",
  shiftId: "example",
  version: 1,
  role: "Events",
  leftBecause: null,
  title: "Charity dinner",
  place: "Town hall, Auburn",
  notes: "Wear closed shoes.",
  startsAt: new Date("2026-12-05T06:00:00Z"),
  endsAt: new Date("2026-12-05T10:00:00Z"),
  takenAt: new Date("2026-11-21T03:00:00Z"),
  remindedAt: null,
  applicationId: "example",
  email: inventedApplication.email,
};

function placeLostEmail(sender: Sender, { id, title, email, leftBecause, startsAt, endsAt }: ShiftPlace): EmailMessage {
  const say = fillTexts(placeLost, sender, { shift: title, times: describeShiftTimes({ startsAt, endsAt }) });
  const isCancelled = leftBecause === "cancelled";
  return toApplicant(sender, email, {
    id: `shift-place-lost-${id}`,
    subject: isCancelled ? say.subject : say.subjectUnfit,
    title: isCancelled ? say.heading : say.headingUnfit,
    blocks: [paragraph(isCancelled ? say.cancelled : say.unfit), paragraph(say.times), paragraph(say.questions)],
  });
}

function findPlace(database: Database, id: string) {
  return database
    .selectFrom("volunteer_shift_places as place")
    .innerJoin("volunteer_shifts as shift", "shift.id", "place.shift_id")
    .innerJoin("volunteer_applications as person", "person.id", "place.application_id")
    .select(["place.id", "place.role", "place.taken_at as takenAt", "place.left_because as leftBecause"])
    .select("place.reminded_at as remindedAt")
    .select(["shift.id as shiftId", "shift.version", "shift.title", "shift.place", "shift.notes"])
    .select(["shift.starts_at as startsAt", "shift.ends_at as endsAt"])
    .select(["person.id as applicationId", "person.email"])
    .where("place.id", "=", id)
    .executeTakeFirst();
}

/** Null if it is no longer true, or nobody can be reached about it. */
export async function writeShiftEmail(
  { database, sender, config, now }: EmailContext<LinkConfig> & { readonly now: () => Date },
  job: ShiftEmailJob,
): Promise<EmailMessage | null> {
  const place = await findPlace(database, job.placeId);
  if (place === undefined || place.email === "") return null;
  const { leftBecause, applicationId } = place;
  if (job.template === "shift-place-lost") {
    return leftBecause === "unfit" || leftBecause === "cancelled" ? placeLostEmail(sender, place) : null;
  }
  if (leftBecause !== null) return null;
  const linkMade = (madeAt: Date) => documentLink(config, { kind: "application", id: applicationId }, madeAt);
  if (job.template === "shift-reminder") {
    const { remindedAt, startsAt } = place;
    // A shift that has moved since is reminded of again, if it is still to come.
    if (remindedAt?.toISOString() !== job.remindedAt || startsAt <= now()) return null;
    return shiftReminderEmail(sender, place, { link: linkMade(remindedAt), remindedAt });
  }
  if (!("movedAt" in job)) return placeTakenEmail(sender, place, linkMade(place.takenAt));
  const movedAt = new Date(job.movedAt);
  return shiftMovedEmail(sender, place, { link: linkMade(movedAt), movedAt });
}

export const shiftEmails = [placeTaken, shiftMoved, shiftReminder, placeLost] as const;
