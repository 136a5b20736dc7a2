import { z } from "zod";
import { EmergencyStep, PersonalStep, SkillsStep } from "./application.ts";
import { isClosed, type Stage } from "./stages.ts";

// What applicants see and may do on their own page, which opens by the signed link of our letter.

/** What an applicant may correct by the page. The name stands over the signature; it is corrected by talking to us. */
export const Details = z.object({
  ...PersonalStep.omit({ name: true, country: true }).shape,
  ...SkillsStep.shape,
  // A change leaves alone what it does not name, so nothing has a default here.
  preferredContact: PersonalStep.shape.preferredContact.unwrap(),
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

/** What the page shows of an application. */
export type OwnApplication = {
  readonly id: string;
  readonly reference: string;
  readonly stage: Stage;
  /** What the person was taken on for; empty unless approved. */
  readonly roles: readonly string[];
  readonly createdAt: Date;
  /** When it came to its stage; null while it is as it was sent. */
  readonly decidedAt: Date | null;
  readonly name: string;
  readonly country: string;
  readonly details: Details;
  /** The link may lie in another's mail: of somebody else's details just enough to know them again. */
  readonly emergency: { readonly name: string; readonly mobileEnd: string };
  readonly hasSignature: boolean;
  /** The signed address of a small picture, good for ten minutes; null when there is no photo. */
  readonly photoUrl: string | null;
  /** When photo and signature of a declined application are deleted at the latest; null otherwise. */
  readonly filesGoneAt: Date | null;
};

export type ApplicantReads = {
  /** Null for an application that is not there, and for a key that does not open it. */
  readonly findOwnApplication: (id: string, key: string | undefined) => Promise<OwnApplication | null>;
};

/** Whether anything of it may still be corrected or withdrawn. */
export function isOpen({ stage }: Pick<OwnApplication, "stage">): boolean {
  return !isClosed(stage);
}

/** Where an application stands, as the person who sent it is told. */
export function sayStage({ stage, roles }: { stage: Stage; roles: readonly string[] }): Standing {
  return stage === "approved"
    ? { ...standings.approved, says: `${standings.approved.says} You are taken on for: ${roles.join(", ")}.` }
    : standings[stage];
}

type Standing = { readonly title: string; readonly says: string };

const standings = {
  received: {
    title: "Received",
    says: "We have your application. One of our team reads every one, and will be in touch.",
  },
  in_review: {
    title: "Being looked at",
    says: "We are reading your application. We may call or write to talk about it with you.",
  },
  approved: { title: "Approved", says: "Welcome: you are one of our volunteers." },
  waiting: {
    title: "On the waiting list",
    says: "We would like to have you with us, and have no place at the moment. We will be in touch when there is one; there is nothing you need to do.",
  },
  declined: {
    title: "Not this time",
    says: "We cannot take you on this time. Thank you for offering your help; you may apply again at any time.",
  },
  withdrawn: {
    title: "Withdrawn",
    says: "This application is withdrawn, and its photo and signature are deleted. You may apply again at any time.",
  },
} as const satisfies Record<Stage, Standing>;
