import type * as feedback from "#shared/ui/feedback.ts";

// Repeated here, and checked by the compiler, so that the shell doesn't load code that only islands need.
const TOAST_EVENT: typeof feedback.TOAST_EVENT = "almoner:toast";
const TOAST_OVER_EVENT: typeof feedback.TOAST_OVER_EVENT = "almoner:toast-over";
const NOTICE_KEY: typeof feedback.NOTICE_KEY = "notice";
const ARRIVAL_KEY: typeof feedback.ARRIVAL_KEY = "arrival";
const SHOWN_FOR_MS = 10_000;

/** Shows toasts from `showToast` (LAY-7) and removes those that `endToast` names. */
export function startToasts(): void {
  document.addEventListener(TOAST_EVENT, (event) => {
    const { text, tone, title } = (event as feedback.ToastEvent).detail;
    if (findToast(text) === undefined) show(text, tone, title);
  });
  document.addEventListener(TOAST_OVER_EVENT, (event) => findToast((event as CustomEvent<string>).detail)?.remove());
  take(NOTICE_KEY, (text) => show(text, "good"));
  take(ARRIVAL_KEY, showArrival);
  for (const event of ["focusin", "scroll", "resize"]) addEventListener(event, keepClear, { passive: true });
}

/** Shows toasts at the bottom, or at the top if they would cover the focused element or an invalid field (LAY-14). */
function keepClear() {
  const toasts = document.querySelector(".toasts");
  if (!toasts?.querySelector(".toast")) return;
  const coversAt = (place: "top" | "bottom") => {
    toasts.classList.toggle("at-top", place === "top");
    const box = toasts.getBoundingClientRect();
    return [...document.querySelectorAll('main :focus, main [aria-invalid="true"]')].filter((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    }).length;
  };
  toasts.classList.toggle("at-top", coversAt("bottom") > coversAt("top"));
}

/** Shows a message that the previous page left. */
function take(key: string, say: (text: string) => void) {
  try {
    const text = sessionStorage.getItem(key);
    if (text !== null) say(text);
    sessionStorage.removeItem(key);
  } catch {
    // Storage is switched off.
  }
}

/** Above the page's content, in a live region that already exists. */
function showArrival(text: string) {
  const note = document.createElement("div");
  note.className = "note good";
  note.append(...linesOf(text, () => note.remove()));
  document.querySelector(".arrival")?.append(note);
}

function linesOf(text: string, onDismiss: () => void): HTMLElement[] {
  const line = document.createElement("p");
  line.textContent = text;
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.ariaLabel = "Dismiss";
  dismiss.textContent = "×";
  dismiss.onclick = onDismiss;
  return [line, dismiss];
}

function findToast(text: string): Element | undefined {
  return [...document.querySelectorAll(".toast")].find((toast) => toast.querySelector("p")?.textContent === text);
}

function show(text: string, tone: "good" | "bad", title = "") {
  const toast = document.createElement("div");
  toast.className = `toast ${tone}`;
  if (title !== "") toast.append(Object.assign(document.createElement("b"), { textContent: title }));
  toast.append(...linesOf(text, () => toast.remove()));
  let timer = 0;
  const stay = () => clearTimeout(timer);
  const leaveLater = () => {
    stay();
    timer = window.setTimeout(() => {
      if (!toast.matches(":hover, :focus-within")) toast.remove();
    }, SHOWN_FOR_MS);
  };
  for (const event of ["pointerenter", "focusin"]) toast.addEventListener(event, stay);
  for (const event of ["pointerleave", "focusout"]) toast.addEventListener(event, leaveLater);
  document.querySelector(`.toasts [role=${tone === "bad" ? "alert" : "status"}]`)?.append(toast);
  leaveLater();
  keepClear();
}
