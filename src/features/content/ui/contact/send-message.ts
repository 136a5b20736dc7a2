import type { Solve } from "#shared/captcha/ui/use-captcha.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask } from "#shared/ui/ask.ts";
import { type ContactMessage, sendMessageCall } from "../../contract.ts";

/** The result: a refusal with the sentence to show, or wrong input with messages by field. */
export type MessageOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "wrong"; readonly fields: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: "refused"; readonly text: string };

/** Sends a message under its key. A refused captcha is solved again once, and an expired page token renewed once. */
export async function sendMessage(message: Omit<ContactMessage, "captcha">, solve: Solve): Promise<MessageOutcome> {
  let captcha: string | undefined;
  try {
    captcha = await solve(false);
    let answer = await post({ ...message, captcha });
    if (!answer.ok && (answer.error === "captcha_failed" || answer.error === "captcha_dearer")) {
      const another = await solve(true, answer.effort);
      if (another !== undefined) answer = await post({ ...message, captcha: another });
    }
    return readOutcome(answer);
  } catch {
    return { kind: "refused", text: sentences.captcha };
  }
}

function post(body: ContactMessage): Promise<Answer<object>> {
  return ask(sendMessageCall, { body });
}

const sentences = {
  captcha: "We couldn’t check that you are a person. Please try again.",
  noAnswer:
    "We didn’t get an answer, so we don’t know whether your message arrived. Please check your connection and press Send a message again: it will not be sent twice.",
  outdated: "Your page is out of date. Please reload it and try again.",
};

function readOutcome(answer: Answer<object>): MessageOutcome {
  if (answer.ok) return { kind: "sent" };
  if (answer.error === "invalid_input") return { kind: "wrong", fields: answer.fields ?? {} };
  if (answer.error.startsWith("captcha")) return { kind: "refused", text: sentences.captcha };
  if (answer.error === "csrf") return { kind: "refused", text: sentences.outdated };
  if (answer.status === 0 || answer.message === "") return { kind: "refused", text: sentences.noAnswer };
  return { kind: "refused", text: answer.message };
}
