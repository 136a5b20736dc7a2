import type * as feedback from "#shared/ui/feedback.ts";

// Said again, checked by the compiler, so that the shell does not fetch what only islands need.
const TOAST_EVENT: typeof feedback.TOAST_EVENT = "almoner:toast";
const TOAST_OVER_EVENT: typeof feedback.TOAST_OVER_EVENT = "almoner:toast-over";
const NOTICE_KEY: typeof feedback.NOTICE_KEY = "notice";
const SHOWN_FOR_MS = 10_000;

/** Shows what `showToast` sends (LAY-7), and takes away what `endToast` names. */
export function startToasts(): void {
  document.addEventListener(TOAST_EVENT, (event) => {
    const { text, tone, title } = (event as feedback.ToastEvent).detail;
    if (findToast(text) === undefined) show(text, tone, title);
  });
  document.addEventListener(TOAST_OVER_EVENT, (event) => findToast((event as CustomEvent<string>).detail)?.remove());
  showNotice();
  for (const event of ["focusin", "scroll", "resize"]) addEventListener(event, keepClear, { passive: true });
}

/** Toasts stand at the bottom, and at the top where they would cover what has focus or a field with a problem (LAY-14). */
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

/** What the page before this one left to be said here. */
function showNotice() {
  try {
    const text = sessionStorage.getItem(NOTICE_KEY);
    if (text !== null) show(text, "good");
    sessionStorage.removeItem(NOTICE_KEY);
  } catch {
    // Storage is switched off.
  }
}

function findToast(text: string): Element | undefined {
  return [...document.querySelectorAll(".toast")].find((toast) => toast.querySelector("p")?.textContent === text);
}

function show(text: string, tone: "good" | "bad", title = "") {
  const toast = document.createElement("div");
  toast.className = `toast ${tone}`;
  const line = document.createElement("p");
  line.textContent = text;
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.ariaLabel = "Dismiss";
  dismiss.textContent = "×";
  dismiss.onclick = () => toast.remove();
  if (title !== "") toast.append(Object.assign(document.createElement("b"), { textContent: title }));
  toast.append(line, dismiss);
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
