import type { Solve } from "#shared/captcha/ui/use-captcha.ts";
import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { Nothing } from "#shared/contract/route.ts";
import { findToken, renewToken } from "#shared/ui/send.ts";
import type { Application } from "../../application.ts";
import { applyCall, nameOffWire, textsOnWire, wireFile } from "../../contract.ts";
import { drawStrokes, PAD } from "./draw-signature.ts";
import type { ChosenPicture } from "./prepare-picture.ts";
import type { Stroke } from "./signature-strokes.ts";

/** A little more than the server's limit for a form. */
const TIME_OUT_MS = 200_000;

export type ApplicationSending = {
  readonly application: Application;
  readonly photo: ChosenPicture;
  readonly signature: ChosenPicture | readonly Stroke[];
  /** Identifies this submission, so that a copy of it does not create a second application. */
  readonly key: string;
  readonly website: string;
};

/** `fields` has messages by our own field names. */
export type ApplicationOutcome =
  | { readonly kind: "sent"; readonly reference: string }
  | { readonly kind: "wrong"; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: "refused"; readonly text: string };

type SendCallbacks = { readonly solve: Solve; readonly onProgress: (part: number) => void };

/**
 * Sends an application under its key. Solves a refused captcha once more, and replaces an outdated CSRF token once,
 * before showing an error. `onProgress` is called with the sent share, from 0 to 1.
 */
export async function sendApplication(
  sending: ApplicationSending,
  { solve, onProgress }: SendCallbacks,
): Promise<ApplicationOutcome> {
  const form = await formOf(sending).catch(() => null);
  if (form === null) return { kind: "refused", text: sentences.signature };
  const post = (captcha: string | undefined) => {
    if (captcha !== undefined) form.set("captcha", captcha);
    return postForm(form, onProgress);
  };
  try {
    let answer = await post(await solve(false));
    if (!answer.ok && answer.error === "csrf") {
      await renewToken();
      answer = await post(undefined);
    }
    if (!answer.ok && (answer.error === "captcha_failed" || answer.error === "captcha_dearer")) {
      const another = await solve(true, answer.effort);
      if (another !== undefined) answer = await post(another);
    }
    return readOutcome(answer);
  } catch {
    return { kind: "refused", text: sentences.captcha };
  }
}

/** Texts before files, so that a broken connection wastes least. */
async function formOf({ application, photo, signature, key, website }: ApplicationSending): Promise<FormData> {
  const form = new FormData();
  for (const [name, text] of textsOnWire(application)) form.set(name, text);
  form.set("key", key);
  form.set("website", website);
  form.set(wireFile.photo, photo.file, photo.name);
  if ("file" in signature) form.set(wireFile.signature, signature.file, signature.name);
  else form.set(wireFile.signature, await asPng(signature), "signature.png");
  return form;
}

function asPng(strokes: readonly Stroke[]): Promise<Blob> {
  const canvas = Object.assign(document.createElement("canvas"), PAD);
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("This browser has no canvas to draw on.");
  drawStrokes(pen, strokes);
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png === null ? reject(new Error("Nothing was drawn.")) : resolve(png)), "image/png"),
  );
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function postForm(form: FormData, onProgress: SendCallbacks["onProgress"]): Promise<Answer<{ reference: string }>> {
  return call(({ method, url }) => carry({ method, url, form, onProgress }), { ...applyCall, body: Nothing });
}

type Carried = { method: string; url: string; form: FormData; onProgress: SendCallbacks["onProgress"] };

async function carry({ method, url, form, onProgress }: Carried): Promise<{ status: number; text: string }> {
  const token = await findToken();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.timeout = TIME_OUT_MS;
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("x-xsrf-token", token);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = () => reject(new Error("The connection was lost."));
    request.ontimeout = () => reject(new Error("The request timed out."));
    request.send(form);
  });
}

const sentences = {
  captcha: "We couldn’t check that you are a person. Please try again.",
  noAnswer:
    "We didn’t get an answer, so we don’t know whether your application arrived. Please check your connection and press Try again: it will not be sent twice.",
  outdated: "Your page is out of date. Please reload it and choose your pictures again.",
  signature: "Your browser couldn’t create a picture of your signature. Please upload a picture of it instead.",
};

function readOutcome(answer: Answer<{ reference: string }>): ApplicationOutcome {
  if (answer.ok) return { kind: "sent", reference: answer.data.reference };
  if (answer.error === "invalid_input") {
    const found = Object.entries(answer.fields ?? {}).map(([name, [sentence = ""]]) => [nameOffWire(name), sentence]);
    return { kind: "wrong", fields: Object.fromEntries(found) };
  }
  if (answer.error.startsWith("captcha")) return { kind: "refused", text: sentences.captcha };
  if (answer.error === "csrf") return { kind: "refused", text: sentences.outdated };
  if (answer.status === 0 || answer.message === "") return { kind: "refused", text: sentences.noAnswer };
  return { kind: "refused", text: answer.message };
}
