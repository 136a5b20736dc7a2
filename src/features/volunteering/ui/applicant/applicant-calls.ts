import type { Answer } from "#shared/contract/envelope.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import type { Change } from "../../applicant.ts";
import { changeApplicationCall, withdrawApplicationCall } from "../../contract.ts";

// What applicants' pages ask the server. Fetched when it is needed: the page is there sooner without it.

/** What became of it, in a sentence; for bad input the sentences by field. */
export type Outcome = { readonly isDone: boolean; readonly says: string; readonly fields?: FieldErrors | undefined };

export async function changeApplication(id: string, change: Change): Promise<Outcome> {
  return outcomeOf(await ask(changeApplicationCall, { params: { id }, body: { ...change, key: findKey() } }));
}

export async function withdrawApplication(id: string): Promise<Outcome> {
  return outcomeOf(await ask(withdrawApplicationCall, { params: { id }, body: { key: findKey() } }));
}

/** The key of the link by which one came. */
function findKey(): string {
  return new URLSearchParams(location.search).get("key") ?? "";
}

function outcomeOf(answer: Answer<unknown>): Outcome {
  if (answer.ok) return { isDone: true, says: answer.message };
  return { isDone: false, says: sayRefusal(answer), fields: answer.fields };
}
