import type { Answer } from "#shared/contract/envelope.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import type { Change } from "../../applicant.ts";
import { changeApplicationCall, leaveShiftCall, takeShiftCall, withdrawApplicationCall } from "../../contract.ts";

// Loaded on demand, so that the applicant's page appears sooner.

/** `says` is the result in a sentence; `fields` has the errors of invalid fields. */
type ApplicantOutcome = {
  readonly isDone: boolean;
  readonly text: string;
  readonly fields?: FieldErrors | undefined;
};

export async function changeApplication(id: string, change: Change): Promise<ApplicantOutcome> {
  return outcomeOf(await ask(changeApplicationCall, { params: { id }, body: { ...change, key: findKey() } }));
}

export async function withdrawApplication(id: string): Promise<ApplicantOutcome> {
  return outcomeOf(await ask(withdrawApplicationCall, { params: { id }, body: { key: findKey() } }));
}

/** Signs up for a shift in this role; with null gives the place up. */
export async function changePlace(id: string, shift: string, role: string | null): Promise<ApplicantOutcome> {
  const params = { id, shift };
  if (role === null) return outcomeOf(await ask(leaveShiftCall, { params, body: { key: findKey() } }));
  return outcomeOf(await ask(takeShiftCall, { params, body: { key: findKey(), role } }));
}

function findKey(): string {
  return new URLSearchParams(location.search).get("key") ?? "";
}

function outcomeOf(answer: Answer<unknown>): ApplicantOutcome {
  if (answer.ok) return { isDone: true, text: answer.message };
  return { isDone: false, text: describeRefusal(answer), fields: answer.fields };
}
