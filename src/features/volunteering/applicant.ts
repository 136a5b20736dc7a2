import { z } from "zod";
import { formatList } from "#shared/language.ts";
import { EmergencyStep, PersonalDetails, SkillsStep } from "./application.ts";
import type { OfferedShift } from "./shift.ts";
import { isClosed, type Stage } from "./stages.ts";

// An applicant's own page, opened by the signed link in our email.

/** What applicants may correct. They signed with their name, so they must contact us to change it. */
export const Details = z.object({
  ...PersonalDetails.omit({ name: true, country: true }).shape,
  ...SkillsStep.shape,
  // A change keeps the fields that it does not name, so nothing has a default here.
  preferredContact: PersonalDetails.shape.preferredContact.unwrap(),
  skills: SkillsStep.shape.skills.unwrap(),
  experience: SkillsStep.shape.experience.unwrap(),
  availability: SkillsStep.shape.availability.unwrap(),
});
export type Details = z.output<typeof Details>;

export const EmergencyContact = EmergencyStep.extend({
  emergencyCountry: EmergencyStep.shape.emergencyCountry.unwrap(),
});
export type EmergencyContact = z.output<typeof EmergencyContact>;

export const Change = z.object({ ...Details.shape, ...EmergencyContact.shape }).partial();
export type Change = z.output<typeof Change>;

export type OwnApplication = {
  readonly id: string;
  readonly reference: string;
  readonly stage: Stage;
  /** The approved roles; empty unless approved. */
  readonly roles: readonly string[];
  readonly createdAt: Date;
  /** When it reached its stage; null while `received`. */
  readonly decidedAt: Date | null;
  /** When we emailed a question that is not answered yet, as far as the site knows; null without one. */
  readonly askedAt: Date | null;
  readonly name: string;
  readonly country: string;
  readonly details: Details;
  /** The shifts that a volunteer may sign up for, soonest first. */
  readonly shifts: readonly ShownShift[];
  /** The shifts that they had a place in and that have begun, without recorded hours, latest first. */
  readonly pastShifts: readonly PastShift[];
  /** Whether there are hours for a certificate. */
  readonly hasHours: boolean;
  /** Someone else may have the link, so it shows just enough to recognise the contact. */
  readonly emergency: { readonly name: string; readonly mobileEnd: string };
  readonly hasSignature: boolean;
  /** The signed address of a small version, valid for ten minutes; null without a photo. */
  readonly photoUrl: string | null;
  /** When the photo and signature of a declined application are deleted at the latest; null otherwise. */
  readonly filesGoneAt: Date | null;
};

/** A shift on the applicant’s page, in words. */
export type ShownShift = Pick<OfferedShift, "id" | "title" | "place" | "notes" | "taken"> & {
  readonly when: string;
  readonly roles: readonly { readonly role: string; readonly free: number; readonly needsValidCheck: boolean }[];
};

/** `id` is the place's. */
export type PastShift = { readonly id: string; readonly title: string; readonly role: string; readonly when: string };

export type ApplicantReads = {
  /** Null if there is no such application, or the key does not open it. */
  readonly findOwnApplication: (id: string, key: string | undefined) => Promise<OwnApplication | null>;
};

/** Whether it may still be corrected or withdrawn. */
export function isOpenStage({ stage }: Pick<OwnApplication, "stage">): boolean {
  return !isClosed(stage);
}

/** An application's status in words for the applicant. */
export function describeStage({ stage, roles }: { stage: Stage; roles: readonly string[] }): StageText {
  return stage === "approved"
    ? { ...stageTexts.approved, text: `${stageTexts.approved.text} Your roles: ${formatList(roles, "and")}.` }
    : stageTexts[stage];
}

type StageText = { readonly title: string; readonly text: string };

const stageTexts = {
  received: {
    title: "Received",
    text: "We have your application. One of our team reads every one, and will be in touch.",
  },
  in_review: {
    title: "In review",
    text: "We are reading your application. We may call or email you to talk about it.",
  },
  approved: { title: "Approved", text: "Welcome. You are now one of our volunteers." },
  waiting: {
    title: "On the waiting list",
    text: "We would like to have you with us, but have no place at the moment. We will be in touch when we do. You do not need to do anything.",
  },
  declined: {
    title: "Not this time",
    text: "We cannot take you on this time. Thank you for offering your help. You can apply again at any time.",
  },
  withdrawn: {
    title: "Withdrawn",
    text: "This application is withdrawn, and we have deleted its photo and signature. You can apply again at any time.",
  },
} as const satisfies Record<Stage, StageText>;
