import type { Database } from "#shared/database/connect.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { describeShiftTimes } from "../shift.ts";
import { inventedApplication } from "./invented-application.ts";

type LostPlace = {
  readonly id: string;
  readonly title: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly email: string;
  readonly leftBecause: "unfit" | "cancelled";
};

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
    "A cancelled shift": (sender) => placeLostEmail(sender, inventedPlace("cancelled")),
    "A check that is not valid": (sender) => placeLostEmail(sender, inventedPlace("unfit")),
  },
});

const inventedPlace = (leftBecause: LostPlace["leftBecause"]): LostPlace => ({
  ...{ id: "example", title: "Charity dinner", email: inventedApplication.email, leftBecause },
  ...{ startsAt: new Date("2026-12-05T06:00:00Z"), endsAt: new Date("2026-12-05T10:00:00Z") },
});

function placeLostEmail(sender: Sender, { id, title, email, leftBecause, ...times }: LostPlace): EmailMessage {
  const say = fillTexts(placeLost, sender, { shift: title, times: describeShiftTimes(times) });
  const isCancelled = leftBecause === "cancelled";
  return composeEmail(sender, {
    id: `shift-place-lost-${id}`,
    to: { name: "", address: email },
    replyTo: sender.organisation.volunteersEmail ?? sender.organisation.email,
    subject: isCancelled ? say.subject : say.subjectUnfit,
    title: isCancelled ? say.heading : say.headingUnfit,
    blocks: [paragraph(isCancelled ? say.cancelled : say.unfit), paragraph(say.times), paragraph(say.questions)],
  });
}

/** Null if the place is gone, or nobody can be reached about it. */
export async function writePlaceLost(
  { database, sender }: { database: Database; sender: Sender },
  placeId: string,
): Promise<EmailMessage | null> {
  const place = await database
    .selectFrom("volunteer_shift_places as place")
    .innerJoin("volunteer_shifts as shift", "shift.id", "place.shift_id")
    .innerJoin("volunteer_applications as person", "person.id", "place.application_id")
    .select(["place.id", "place.left_because", "shift.title", "shift.starts_at", "shift.ends_at", "person.email"])
    .where("place.id", "=", placeId)
    .executeTakeFirst();
  if (place === undefined || place.email === "") return null;
  const { id, title, email, left_because: leftBecause } = place;
  if (leftBecause !== "unfit" && leftBecause !== "cancelled") return null;
  return placeLostEmail(sender, { id, title, email, leftBecause, startsAt: place.starts_at, endsAt: place.ends_at });
}

export const shiftEmails = [placeLost] as const;
