import { EmergencyStep, PersonalStep, SkillsStep } from "./application.ts";
import type { FieldName, Typed } from "./draft.ts";

/** 1 Personal, 2 Skills, 3 Emergency, 4 Image (VOL-1). */
export type Step = 1 | 2 | 3 | 4;
export const stepNames = ["Personal", "Skills", "Emergency", "Image"] as const;

/** The fields of each step in the order in which they stand, which is the order in which their faults are named. */
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
} as const satisfies Record<Step, readonly FieldName[]>;

export function stepOfField(name: string): Step {
  const steps = [1, 2, 3] as const;
  return steps.find((step) => (fieldsOfStep[step] as readonly string[]).includes(name)) ?? 4;
}

/** The furthest step that what was typed leads to. */
export function furthestStep(typed: Typed): Step {
  const schemas = [PersonalStep, SkillsStep, EmergencyStep];
  const unfinished = schemas.findIndex((schema) => !schema.safeParse(typed).success);
  return unfinished === -1 ? 4 : ((unfinished + 1) as Step);
}

/** Where somebody stands; `isChanging` while a Change link of the review is being followed, which leads back there. */
export type Place = { readonly step: Step; readonly isChanging: boolean };

/** The steps that are marked as done go with the place (VOL-8). */
export type Flow = Place & { readonly completed: readonly number[] };

export type FlowEvent =
  | { readonly type: "opened"; readonly step: Step; readonly furthest: Step }
  /** Next, on a step without faults. */
  | { readonly type: "wentOn" }
  /** Previous, a Change link, or the browser's Back and Forward; forward goes no further than `furthest`. */
  | { readonly type: "wentTo"; readonly place: Place; readonly furthest: Step };

export const atStart: Flow = { step: 1, isChanging: false, completed: [] };

export function reduceFlow(flow: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case "opened":
      return standingAt(Math.min(event.step, event.furthest) as Step);
    case "wentOn":
      return {
        step: flow.isChanging ? 4 : (Math.min(flow.step + 1, 4) as Step),
        isChanging: false,
        completed: [...new Set([...flow.completed, flow.step])],
      };
    case "wentTo": {
      const { step, isChanging } = event.place;
      if (isChanging) return { ...flow, step, isChanging };
      if (step < flow.step) return { step, isChanging, completed: flow.completed.filter((done) => done < step) };
      return standingAt(Math.min(step, event.furthest) as Step);
    }
  }
}

const standingAt = (step: Step): Flow => ({ step, isChanging: false, completed: [1, 2, 3].slice(0, step - 1) });
