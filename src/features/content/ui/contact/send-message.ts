import type { Solve } from "#shared/captcha/ui/use-captcha.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask } from "#shared/ui/ask.ts";
import { type ContactMessage, sendMessageCall } from "../../contract.ts";

/** What became of a message: for a refusal what to say, for bad input the sentences by field. */
export type Outcome =
  | { readonly kind: "sent" }
  | { readonly kind: "wrong"; readonly fields: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: "refused"; readonly says: string };

/**
 * Sends one message under its key. A captcha that was refused is solved anew once, and an outdated token of the page is
 * replaced once, before anybody is bothered.
 */
export async function sendMessage(message: Omit<ContactMessage, "captcha">, solve: Solve): Promise<Outcome> {
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
    return { kind: "refused", says: says.captcha };
  }
}

function post(body: ContactMessage): Promise<Answer<object>> {
  return ask(sendMessageCall, { body });
}

const says = {
  captcha: "We could not check that you are a person. Please try again.",
  noAnswer:
    "No answer came, so we cannot tell whether your message arrived. Please check your connection and press Send a message again: it will not be sent twice.",
  outdated: "Your page is out of date. Please reload it and try again.",
};

function readOutcome(answer: Answer<object>): Outcome {
  if (answer.ok) return { kind: "sent" };
  if (answer.error === "invalid_input") return { kind: "wrong", fields: answer.fields ?? {} };
  if (answer.error.startsWith("captcha")) return { kind: "refused", says: says.captcha };
  if (answer.error === "csrf") return { kind: "refused", says: says.outdated };
  if (answer.status === 0 || answer.message === "") return { kind: "refused", says: says.noAnswer };
  return { kind: "refused", says: answer.message };
}
