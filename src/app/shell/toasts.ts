import type * as feedback from "#shared/ui/feedback.ts";

// Said again, checked by the compiler, so that the shell does not fetch what only islands need.
const TOAST_EVENT: typeof feedback.TOAST_EVENT = "almoner:toast";
const TOAST_OVER_EVENT: typeof feedback.TOAST_OVER_EVENT = "almoner:toast-over";
const SHOWN_FOR_MS = 10_000;

/** Shows what `showToast` sends (LAY-7), and takes away what `endToast` names. */
export function startToasts(): void {
  document.addEventListener(TOAST_EVENT, (event) => {
    const { text, tone } = (event as feedback.ToastEvent).detail;
    if (findToast(text) === undefined) show(text, tone);
  });
  document.addEventListener(TOAST_OVER_EVENT, (event) => findToast((event as CustomEvent<string>).detail)?.remove());
}

function findToast(text: string): Element | undefined {
  return [...document.querySelectorAll(".toast")].find((toast) => toast.querySelector("p")?.textContent === text);
}

function show(text: string, tone: "good" | "bad") {
  const toast = document.createElement("div");
  toast.className = `toast ${tone}`;
  const line = document.createElement("p");
  line.textContent = text;
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.ariaLabel = "Dismiss";
  dismiss.textContent = "×";
  dismiss.onclick = () => toast.remove();
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
}
