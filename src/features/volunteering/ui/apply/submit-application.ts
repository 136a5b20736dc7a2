import type { RefObject } from "react";
import type { Solve, useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { showAlert, whileLoading } from "#shared/ui/feedback.ts";
import { Application, NOT_SENT, SENT } from "../../application.ts";
import { type FieldName, fieldNames } from "../../draft.ts";
import { beginAnew } from "./begin-anew.ts";
import { type Outcome, type Sending, sendApplication } from "./send-application.ts";
import type { Fields } from "./use-fields.ts";
import { type Kept, typedIn } from "./use-kept.ts";
import type { Pictures } from "./use-pictures.ts";
import { isPicture, type Problems } from "./use-problems.ts";

/** All that has to do with sending. */
export type Parts = {
  readonly fields: Fields;
  readonly pictures: Pictures;
  readonly captcha: ReturnType<typeof useCaptcha>;
  readonly wrong: Problems;
  readonly kept: Kept;
  readonly trap: RefObject<HTMLInputElement | null>;
};

const UNSOLVED = "Please complete the verification.";
const UNNAMED = "Please reload the page and try again. What you typed is kept; choose your pictures again.";

/** Few enough that a screen reader, which says each of them, has time to. */
const sayProgress = (part: number) => `Sending… ${Math.min(Math.floor(part * 5) * 20, 100)} %`;

type Submitting = Parts & { readonly say: (text: string) => void };

/** Sends an application with nothing wrong or missing, and tells what became of it by the specification's alerts (VOL-10). */
export async function submitApplication(parts: Submitting): Promise<void> {
  const sending = await gather(parts);
  if (sending === null) return;
  const outcome = await send(parts, sending);
  const { captcha, kept, wrong } = parts;
  if (outcome.kind === "sent") {
    kept.end();
    await showAlert(SENT, "good");
    return beginAnew({ reference: outcome.reference, email: sending.application.email });
  }
  // The person solved it for one sending alone.
  if (captcha.isSeen) captcha.forget();
  noteOutcome(parts, outcome);
  await showAlert(NOT_SENT);
  wrong.focus();
}

/** What is to be sent; null, with what is wrong or missing said, when it is not whole. */
async function gather({ fields, pictures, captcha, wrong, kept, trap }: Submitting): Promise<Sending | null> {
  const faults = await fields.findFaults(fieldNames);
  if (faults.length > 0) {
    wrong.show(wrong.goToFaults(faults));
    return null;
  }
  const gathered = await pictures.gather();
  const missing: readonly string[] = "missing" in gathered ? gathered.missing : [];
  if (captcha.isMissing) captcha.setError(UNSOLVED);
  wrong.show(captcha.isMissing ? [...missing, "captcha"] : missing);
  if ("missing" in gathered || captcha.isMissing) return null;
  const typed = typedIn(fields.form);
  const website = trap.current?.value ?? "";
  return { application: Application.parse(typed), ...gathered, key: kept.keyFor(typed), website };
}

async function send({ captcha, say }: Submitting, sending: Sending): Promise<Outcome> {
  const solve: Solve = async (isAnew, effort) => {
    say("Checking that you are a person …");
    const solved = await captcha.solve(isAnew, effort);
    say(sayProgress(0));
    return solved;
  };
  const onProgress = (part: number) => say(sayProgress(part));
  return whileLoading(sendApplication(sending, { solve, onProgress })).finally(() => say(""));
}

/** Puts what the server said in its places. */
function noteOutcome({ fields, pictures, wrong }: Submitting, outcome: Exclude<Outcome, { kind: "sent" }>) {
  if (outcome.kind === "refused") return wrong.note([], outcome.says);
  const found = Object.entries(outcome.fields).filter(([name]) => isKnown(name));
  if (found.length === 0) return wrong.note([], UNNAMED);
  for (const [name, message] of found) {
    if (isPicture(name)) pictures.refuse(name, message);
    else fields.form.setError(name as FieldName, { type: "server", message });
  }
  wrong.note(wrong.goToFaults(found.map(([name]) => name)));
}

const isKnown = (name: string) => isPicture(name) || (fieldNames as readonly string[]).includes(name);
