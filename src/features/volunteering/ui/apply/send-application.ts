import type { Solve } from "#shared/captcha/ui/use-captcha.ts";
import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { Nothing } from "#shared/contract/route.ts";
import { findToken, renewToken } from "#shared/ui/send.ts";
import type { Application } from "../../application.ts";
import { applyCall, nameOffWire, textsOnWire, wireFile } from "../../contract.ts";
import { drawStrokes, PAD } from "./draw-signature.ts";
import type { Picture } from "./prepare-picture.ts";
import type { Stroke } from "./signature-strokes.ts";

/** A little more than the server allows a whole form. */
const TIME_OUT_MS = 200_000;

export type Sending = {
  readonly application: Application;
  readonly photo: Picture;
  /** Chosen, or drawn. */
  readonly signature: Picture | readonly Stroke[];
  /** Names this one sending, so that a copy of it makes no second application. */
  readonly key: string;
  readonly website: string;
};

/** What became of it: for a refusal what to say, for bad input the sentences by our own names. */
export type Outcome =
  | { readonly kind: "sent"; readonly reference: string }
  | { readonly kind: "wrong"; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: "refused"; readonly says: string };

type Told = { readonly solve: Solve; readonly onProgress: (part: number) => void };

/**
 * Sends an application under its key. A captcha that was refused is solved anew once, and an outdated token of the page is
 * replaced once, before anybody is bothered. `onProgress` hears which part of it has left, from 0 to 1.
 */
export async function sendApplication(sending: Sending, { solve, onProgress }: Told): Promise<Outcome> {
  const form = await formOf(sending).catch(() => null);
  if (form === null) return { kind: "refused", says: says.signature };
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
    return { kind: "refused", says: says.captcha };
  }
}

/** Texts before files, so that a line that breaks has carried the least in vain. */
async function formOf({ application, photo, signature, key, website }: Sending): Promise<FormData> {
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

/** Reads the answer as every call's, but carries a form: only the older way to ask tells how much of it has left. */
function postForm(form: FormData, onProgress: Told["onProgress"]): Promise<Answer<{ reference: string }>> {
  return call(({ method, url }) => carry({ method, url, form, onProgress }), { ...applyCall, body: Nothing });
}

type Carried = { method: string; url: string; form: FormData; onProgress: Told["onProgress"] };

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
    request.onerror = () => reject(new Error("The line was cut."));
    request.ontimeout = () => reject(new Error("No answer came in time."));
    request.send(form);
  });
}

const says = {
  captcha: "We could not check that you are a person. Please try again.",
  noAnswer:
    "No answer came, so we cannot tell whether your application arrived. Please check your connection and press Try again: it will not be sent twice.",
  outdated: "Your page is out of date. Please reload it and choose your pictures again.",
  signature: "This browser could not make a picture of your signature. Please upload a picture of it instead.",
};

function readOutcome(answer: Answer<{ reference: string }>): Outcome {
  if (answer.ok) return { kind: "sent", reference: answer.data.reference };
  if (answer.error === "invalid_input") {
    const found = Object.entries(answer.fields ?? {}).map(([name, [sentence = ""]]) => [nameOffWire(name), sentence]);
    return { kind: "wrong", fields: Object.fromEntries(found) };
  }
  if (answer.error.startsWith("captcha")) return { kind: "refused", says: says.captcha };
  if (answer.error === "csrf") return { kind: "refused", says: says.outdated };
  if (answer.status === 0 || answer.message === "") return { kind: "refused", says: says.noAnswer };
  return { kind: "refused", says: answer.message };
}
