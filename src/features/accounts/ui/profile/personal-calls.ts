import { z } from "zod";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import { keepUser } from "#shared/ui/session-record.ts";
import { byOwnNames, changePasswordCall, closeAccountCall, type Update, updateUserCall } from "../../contract.ts";
import type { Outcome } from "../use-account-form.ts";

// What the forms about oneself ask the server. Fetched while one is being filled in: the page is there sooner without it.

const LOGGED_OUT =
  "You are not logged in any more. Log in again in another tab, then press the button once more: what you entered is kept here.";

type Passwords = { readonly oldPassword: string; readonly newPassword: string; readonly confirmPassword: string };

export async function changePassword(id: number, passwords: Passwords): Promise<Outcome> {
  return outcomeOf(await ask(changePasswordCall, { body: { id, ...passwords } }));
}

/** What was saved is noted for the header. */
export async function updateUser(update: Update): Promise<Outcome> {
  const answer = await ask(updateUserCall, { body: update });
  if (answer.ok) keepUser(z.encode(updateUserCall.data, answer.data));
  return outcomeOf(answer);
}

export async function closeAccount(password: string): Promise<Outcome> {
  return outcomeOf(await ask(closeAccountCall, { body: { password } }));
}

/** Whoever is logged out stays on the page with what was typed, and learns how to go on (PRO-9). */
export function outcomeOf(answer: Answer<unknown>): Outcome {
  if (answer.ok) return { kind: "done" };
  if (answer.error === "not_signed_in") return { kind: "refused", says: LOGGED_OUT };
  if (answer.fields !== undefined) return { kind: "wrong", fields: byOwnNames(answer.fields) };
  return { kind: "refused", says: sayRefusal(answer) };
}
