import { DAY_MS } from "#shared/day-length.ts";
import type { Stage } from "./stages.ts";

/** An application that we have to go on with is marked once it has been in its stage for longer than this. */
const LONG_WAIT_DAYS = 5;

/** Whole days from one time to the other. */
export function daysBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / DAY_MS));
}

/** The time before which an application must have reached its stage to have waited too long. */
export function longWaitSince(now: Date): Date {
  return new Date(now.getTime() - LONG_WAIT_DAYS * DAY_MS);
}

type Waiting = { readonly stage: Stage; readonly since: Date; readonly isAsked: boolean };

/** Whether it waits for us, not for the applicant's answer or for a free place, and has done so for too long. */
export function waitsTooLong({ stage, since, isAsked }: Waiting, now: Date): boolean {
  return (stage === "received" || stage === "in_review") && !isAsked && since < longWaitSince(now);
}
