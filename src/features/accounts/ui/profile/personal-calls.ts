import { z } from "zod";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { keepUser } from "#shared/ui/session-record.ts";
import { byOwnNames, changePasswordCall, closeAccountCall, type Update, updateUserCall } from "../../contract.ts";
import { sentences } from "../../person.ts";
import { sendToLogin } from "../send-to-login.ts";
import type { FormOutcome } from "../use-account-form.ts";

// The calls of the profile forms. They are loaded while a form is being filled in, so that the page appears sooner.

type Passwords = { readonly oldPassword: string; readonly newPassword: string; readonly confirmPassword: string };

export async function changePassword(id: number, passwords: Passwords): Promise<FormOutcome> {
  return outcomeOf(await ask(changePasswordCall, { body: { id, ...passwords } }));
}

/** Also stores the user for the header. */
export async function updateUser(update: Update): Promise<FormOutcome> {
  const answer = await ask(updateUserCall, { body: update });
  if (answer.ok) keepUser(z.encode(updateUserCall.data, answer.data));
  return outcomeOf(answer);
}

/** Closes the account of this browser's session. Without one it may be closed already: the log-in page says more. */
export async function closeAccount(password: string): Promise<FormOutcome> {
  const answer = await ask(closeAccountCall, { body: { password } });
  if (!answer.ok && answer.status === 401) sendToLogin();
  return outcomeOf(answer);
}

/** A user who has been logged out stays on the page, keeps what they typed and is told what to do (PRO-9). */
export function outcomeOf(answer: Answer<unknown>): FormOutcome {
  if (answer.ok) return { kind: "done" };
  if (answer.error === "not_signed_in") return { kind: "refused", text: sentences.loggedOut };
  if (answer.fields !== undefined) return { kind: "wrong", fields: byOwnNames(answer.fields) };
  return { kind: "refused", text: describeRefusal(answer) };
}
