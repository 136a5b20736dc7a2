import type { RefObject } from "react";
import type { Solve, useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { showAlert, whileLoading } from "#shared/ui/feedback.ts";
import { Application, IMAGE_REQUIRED, NOT_SENT, SENT } from "../../application.ts";
import { type ApplicationField, draftFields } from "../../draft.ts";
import { restartForm } from "./restart-form.ts";
import { type ApplicationOutcome, type ApplicationSending, sendApplication } from "./send-application.ts";
import { isSigned } from "./signature-strokes.ts";
import type { ApplicationFields } from "./use-fields.ts";
import { type KeptDraft, typedIn } from "./use-kept-draft.ts";
import { type Pictures, pictureNames } from "./use-pictures.ts";
import { isPictureField, type Problems } from "./use-problems.ts";

export type Parts = {
  readonly fields: ApplicationFields;
  readonly pictures: Pictures;
  readonly captcha: ReturnType<typeof useCaptcha>;
  readonly wrong: Problems;
  readonly kept: KeptDraft;
  readonly trap: RefObject<HTMLInputElement | null>;
};

const UNSOLVED = "Please complete the verification.";
const UNNAMED = "Please reload the page and try again. What you typed is kept; choose your pictures again.";

/** In steps of 20 %, so that a screen reader has time to say each. */
const formatProgress = (part: number) => `Sending… ${Math.min(Math.floor(part * 5) * 20, 100)} %`;

type Submitting = Parts & { readonly say: (text: string) => void };

/** Sends a complete application, and shows the result in the specification's alerts (VOL-10). */
export async function submitApplication(parts: Submitting): Promise<void> {
  const sending = await gather(parts);
  if (sending === null) return;
  const outcome = await send(parts, sending);
  const { captcha, kept, wrong } = parts;
  if (outcome.kind === "sent") {
    kept.end();
    await showAlert(SENT, "good");
    return restartForm({ reference: outcome.reference, email: sending.application.email });
  }
  // A captcha is valid for one submission only.
  if (captcha.isSeen) captcha.forget();
  noteOutcome(parts, outcome);
  await showAlert(NOT_SENT);
  wrong.focus();
}

/** Null, after showing the errors, if something is wrong or missing. */
async function gather({
  fields,
  pictures,
  captcha,
  wrong,
  kept,
  trap,
}: Submitting): Promise<ApplicationSending | null> {
  const faults = fields.findFaults(draftFields);
  if (faults.length > 0) {
    wrong.show(wrong.goToFaults(faults));
    return null;
  }
  const held = await pictures.settle();
  const photo = held.photo.picture;
  const signature = held.signature.picture ?? (isSigned(held.strokes) ? held.strokes : undefined);
  const missing = pictureNames.filter((name) => (name === "photo" ? photo : signature) === undefined);
  for (const name of missing) pictures.refuse(name, held[name].fault ?? IMAGE_REQUIRED);
  if (captcha.isMissing) captcha.setError(UNSOLVED);
  wrong.show(captcha.isMissing ? [...missing, "captcha"] : missing);
  if (photo === undefined || signature === undefined || captcha.isMissing) return null;
  const typed = typedIn(fields.form);
  const website = trap.current?.value ?? "";
  return { application: Application.parse(typed), photo, signature, key: kept.keyFor(typed), website };
}

async function send({ captcha, say }: Submitting, sending: ApplicationSending): Promise<ApplicationOutcome> {
  const solve: Solve = async (isRetry, effort) => {
    say("Checking that you are a person…");
    const solved = await captcha.solve(isRetry, effort);
    say(formatProgress(0));
    return solved;
  };
  const onProgress = (part: number) => say(formatProgress(part));
  return whileLoading(sendApplication(sending, { solve, onProgress })).finally(() => say(""));
}

/** Shows the server's errors beside their fields. */
function noteOutcome({ fields, pictures, wrong }: Submitting, outcome: Exclude<ApplicationOutcome, { kind: "sent" }>) {
  if (outcome.kind === "refused") return wrong.note([], outcome.text);
  const found = Object.entries(outcome.fields).filter(([name]) => isKnown(name));
  if (found.length === 0) return wrong.note([], UNNAMED);
  for (const [name, message] of found) {
    if (isPictureField(name)) pictures.refuse(name, message);
    else fields.form.addErrors({ [name as ApplicationField]: message });
  }
  wrong.note(wrong.goToFaults(found.map(([name]) => name)));
}

const isKnown = (name: string) => isPictureField(name) || (draftFields as readonly string[]).includes(name);
