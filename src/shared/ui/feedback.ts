export type Tone = "good" | "bad";

/** What `showToast` sends to the shell's script, which keeps the one list of toasts on the page. */
export type ToastEvent = CustomEvent<{
  readonly text: string;
  readonly tone: Tone;
  readonly title?: string | undefined;
}>;
export const TOAST_EVENT = "almoner:toast";
/** Takes a toast away before its time: its text is the detail. */
export const TOAST_OVER_EVENT = "almoner:toast-over";

const OVERLAY_AFTER_MS = 150;
const ANNOUNCED_AFTER_MS = 1000;

/** A message at the bottom right for 10 seconds (LAY-7), under a title of its own. One that already shows is not shown twice. */
export function showToast(text: string, tone: Tone = "good", title?: string): void {
  document.dispatchEvent(new CustomEvent(TOAST_EVENT, { detail: { text, tone, title } }) satisfies ToastEvent);
}

/** Where a message waits for the next page of this tab. */
export const NOTICE_KEY = "notice";

/** Where one waits that stands above the next page until it is dismissed. */
export const ARRIVAL_KEY = "arrival";

/** Shows a message in a toast on the page that one is led to next. */
export function showOnNextPage(text: string): void {
  leave(NOTICE_KEY, text);
}

/** Shows a message above the page that one is led to next, until it is dismissed or the page is left. */
export function showOnArrival(text: string): void {
  leave(ARRIVAL_KEY, text);
}

function leave(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Storage is switched off: the next page speaks for itself.
  }
}

/** Takes away a message that is no longer true. */
export function endToast(text: string): void {
  document.dispatchEvent(new CustomEvent(TOAST_OVER_EVENT, { detail: text }));
}

let alertsShown = 0;

/**
 * The product's own modal alert with one OK button that has focus (LAY-9): in the colour and with the sign of a
 * success or a problem. Resolves when it was closed, by OK or Escape.
 */
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

/** Says in the loading overlay what takes so long; without words, what it says otherwise. */
export function sayWhileLoading(text = "Loading …"): void {
  if (overlayText !== undefined) overlayText.textContent = text;
}

/**
 * Shows the loading overlay while a person waits for `work` (LAY-2): after 150 ms, so that fast answers do not flash,
 * announced once after a second, gone as soon as nothing is awaited any more, whether the work succeeded or failed.
 */
export async function whileLoading<Result>(work: Promise<Result>): Promise<Result> {
  worksInFlight += 1;
  if (worksInFlight === 1) endOverlay = beginOverlay();
  try {
    return await work;
  } finally {
    worksInFlight -= 1;
    if (worksInFlight === 0) endOverlay();
  }
}

function beginOverlay(): () => void {
  const overlay = document.createElement("div");
  overlay.className = "loader";
  overlay.setAttribute("role", "status");
  overlay.setAttribute("aria-live", "off");
  const star = document.createElement("span");
  star.className = "loader-star star";
  const text = document.createElement("span");
  text.textContent = "Loading";
  overlayText = text;
  overlay.append(star, text);
  const main = document.querySelector("main");
  const showing = setTimeout(() => {
    document.body.append(overlay);
    main?.setAttribute("aria-busy", "true");
  }, OVERLAY_AFTER_MS);
  // A live region speaks when its text changes, not when it appears.
  const announcing = setTimeout(() => {
    overlay.setAttribute("aria-live", "polite");
    text.textContent = "Loading …";
  }, ANNOUNCED_AFTER_MS);
  return () => {
    clearTimeout(showing);
    clearTimeout(announcing);
    overlay.remove();
    main?.removeAttribute("aria-busy");
  };
}
