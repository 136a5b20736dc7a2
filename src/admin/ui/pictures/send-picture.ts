import { asJpeg, drawPicture } from "#shared/images/ui/reduce-picture.ts";

/** A picture of the library, as `/admin/pictures.json` has it. */
export type ChosenPicture = {
  readonly address: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The address of its smallest copy. */
  readonly thumbnail: string;
};

type Sending = {
  readonly done: Promise<SendOutcome>;
  /** Stops it; `done` says so. */
  stop(): void;
};

/** `canRetry`: the same file may go through another time. */
export type SendOutcome =
  | { readonly picture: ChosenPicture; readonly isNew: boolean }
  | { readonly error: string; readonly canRetry: boolean }
  | { readonly stopped: true };

const MAX_BYTES = 10 * 1024 * 1024;
/** Wider than any screen shows one. */
const REDUCED_SIDE = 4000;
const TOO_LARGE = "This picture is larger than 10 MB. Please choose a smaller one.";
const LOST = "The connection was lost, so the picture was not added.";
export const LOGGED_OUT = "You are logged out. Log in on another tab, and try again here.";
const FAILED = "That did not work because of a fault on our side. Try again in a moment.";

/** The file, or a smaller copy of a photo that is too large, if the browser can make one. */
export async function fitToSend(file: File): Promise<File> {
  if (file.size <= MAX_BYTES || file.type !== "image/jpeg") return file;
  try {
    const bitmap = await createImageBitmap(file);
    const smaller = await asJpeg(drawPicture(bitmap, REDUCED_SIDE), 0.92);
    bitmap.close();
    return smaller === null ? file : new File([smaller], file.name);
  } catch {
    return file;
  }
}

/** Sends one file to the library. `progress` is called with a number from 0 to 1. */
export function sendPicture(file: File, progress: (part: number) => void): Sending {
  if (file.size > MAX_BYTES) {
    return { done: Promise.resolve({ error: TOO_LARGE, canRetry: false }), stop: () => {} };
  }
  const request = new XMLHttpRequest();
  const body = new FormData();
  body.append("picture", file);
  const done = new Promise<SendOutcome>((resolve) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total));
    request.addEventListener("load", () => resolve(readAnswer(request)));
    request.addEventListener("error", () => resolve({ error: LOST, canRetry: true }));
    request.addEventListener("abort", () => resolve({ stopped: true }));
    request.open("POST", "/admin/pictures/add.json");
    request.send(body);
  });
  return { done, stop: () => request.abort() };
}

function readAnswer({ status, responseText }: XMLHttpRequest): SendOutcome {
  if (status === 200) {
    const { isNew, ...picture } = JSON.parse(responseText);
    return { picture, isNew };
  }
  if (status === 422) return { error: JSON.parse(responseText).error, canRetry: false };
  if (status === 503) return { error: readSentence(responseText), canRetry: true };
  if (status === 413) return { error: TOO_LARGE, canRetry: false };
  return { error: status === 401 ? LOGGED_OUT : FAILED, canRetry: true };
}

/** The site's sentence, unless somebody before it has answered in its place. */
function readSentence(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" && error.endsWith(".") ? error : FAILED;
  } catch {
    return FAILED;
  }
}
