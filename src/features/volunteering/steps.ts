import { EmergencyStep, PersonalDetails, SkillsStep } from "./application.ts";
import type { ApplicationField, Typed } from "./draft.ts";

/** 1 Personal, 2 Skills, 3 Emergency, 4 Image (VOL-1). */
export type ApplicationStep = 1 | 2 | 3 | 4;
export const applicationStepNames = ["Personal", "Skills", "Emergency", "Image"] as const;

/** The fields of each step in page order, which is also the order of their errors. */
export const fieldsOfStep = {
  1: ["name", "street", "state", "postcode", "country", "mobile", "email", "preferredContact"],
  2: ["skills", "experience", "interests", "availability"],
  3: [
    "emergencyName",
    "emergencyEmail",
    "emergencyMobile",
    "emergencyCountry",
    "emergencyCity",
    "emergencyState",
    "emergencyPostcode",
    "emergencyPreferredContact",
  ],
  4: [],
} as const satisfies Record<ApplicationStep, readonly ApplicationField[]>;

/** Step 4 for unknown names, because it has no fields. */
export function stepOfField(name: string): ApplicationStep {
  const steps = [1, 2, 3] as const;
  return steps.find((step) => (fieldsOfStep[step] as readonly string[]).includes(name)) ?? 4;
}

/** The first step that is not complete yet, or the last. */
export function furthestApplicationStep(typed: Typed): ApplicationStep {
  const schemas = [PersonalDetails, SkillsStep, EmergencyStep];
  const unfinished = schemas.findIndex((schema) => !schema.safeParse(typed).success);
  return unfinished === -1 ? 4 : ((unfinished + 1) as ApplicationStep);
}
