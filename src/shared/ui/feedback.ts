import { openStorage } from "./browser-storage.ts";

export type Tone = "good" | "bad";

/** Sent by `showToast` to the shell's script, which keeps the page's only list of toasts. */
export type ToastEvent = CustomEvent<{
  readonly text: string;
  readonly tone: Tone;
  readonly title?: string | undefined;
}>;
export const TOAST_EVENT = "almoner:toast";
/** Removes a toast early; the detail is its text. */
export const TOAST_OVER_EVENT = "almoner:toast-over";

const OVERLAY_AFTER_MS = 150;
const ANNOUNCED_AFTER_MS = 1000;

/** Shows a message at the bottom right for 10 seconds (LAY-7), once even if repeated. */
export function showToast(text: string, tone: Tone = "good", title?: string): void {
  document.dispatchEvent(new CustomEvent(TOAST_EVENT, { detail: { text, tone, title } }) satisfies ToastEvent);
}

/** What a toast or a page says when a script that is loaded on demand did not come. */
export const NOT_LOADED = "This did not load. Please check your connection and try again.";

/** Storage key of a message for the tab's next page. */
export const NOTICE_KEY = "notice";

/** Storage key of a message that stays above the next page until dismissed. */
export const ARRIVAL_KEY = "arrival";

/** Shows a toast on the tab's next page. */
export function showOnNextPage(text: string): void {
  openStorage("tab", NOTICE_KEY).keep(() => text);
}

/** Reloads the page and shows a toast on it. */
export function reloadWith(text: string): void {
  showOnNextPage(text);
  location.reload();
}

/** Shows a message above the next page until it is dismissed or the page is left. */
export function showOnArrival(text: string): void {
  openStorage("tab", ARRIVAL_KEY).keep(() => text);
}

/** Removes a message that is no longer true. */
export function endToast(text: string): void {
  document.dispatchEvent(new CustomEvent(TOAST_OVER_EVENT, { detail: text }));
}

let alertsShown = 0;

/** A modal alert with one focused OK button (LAY-9), for a success or a problem. Resolves when it is closed. */
export function showAlert(text: string, tone: Tone = "bad"): Promise<void> {
  alertsShown += 1;
  const dialog = document.createElement("dialog");
  dialog.className = `alert-dialog ${tone}`;
  dialog.setAttribute("role", "alertdialog");
  dialog.setAttribute("aria-modal", "true");
  const message = document.createElement("p");
  message.id = `alert-text-${alertsShown}`;
  message.textContent = text;
  dialog.setAttribute("aria-labelledby", message.id);
  const ok = document.createElement("button");
  ok.type = "button";
  ok.className = "btn";
  ok.textContent = "OK";
  ok.addEventListener("click", () => dialog.close());
  dialog.append(message, ok);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
    dialog.showModal();
    ok.focus();
  });
}

let worksInFlight = 0;
let endOverlay = () => {};
let overlayText: HTMLElement | undefined;

/** Sets the text of the loading overlay, for example why it takes long. */
export function announceLoading(text = "Loading …"): void {
  if (overlayText !== undefined) overlayText.textContent = text;
}

/**
 * Shows the loading overlay with `text` while a person waits for `work` (LAY-2): after 150 ms, so that fast answers do
 * not flash; announced once after a second; removed when all work has ended, successfully or not.
 */
export async function whileLoading<Result>(work: Promise<Result>, text = "Loading"): Promise<Result> {
  worksInFlight += 1;
  if (worksInFlight === 1) endOverlay = beginOverlay(text);
  try {
    return await work;
  } finally {
    worksInFlight -= 1;
    if (worksInFlight === 0) endOverlay();
  }
}

function beginOverlay(words: string): () => void {
  const overlay = document.createElement("div");
  overlay.className = "loader";
  overlay.setAttribute("role", "status");
  overlay.setAttribute("aria-live", "off");
  const star = document.createElement("span");
  star.className = "loader-star star";
  const text = document.createElement("span");
  text.textContent = words;
  overlayText = text;
  overlay.append(star, text);
  const main = document.querySelector("main");
  const showing = setTimeout(() => {
    document.body.append(overlay);
    main?.setAttribute("aria-busy", "true");
  }, OVERLAY_AFTER_MS);
  // Screen readers announce a live region when its text changes, not when it appears.
  const announcing = setTimeout(() => {
    overlay.setAttribute("aria-live", "polite");
    text.textContent = `${words} …`;
  }, ANNOUNCED_AFTER_MS);
  return () => {
    clearTimeout(showing);
    clearTimeout(announcing);
    overlay.remove();
    main?.removeAttribute("aria-busy");
  };
}
