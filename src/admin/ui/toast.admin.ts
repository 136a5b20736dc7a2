// A toast leaves after ten seconds, or later if the pointer or the focus is on it then.

const STAYS_MS = 10_000;

const toast = document.querySelector<HTMLElement>(".toast");
if (toast !== null) wait(toast);

function wait(toast: HTMLElement): void {
  setTimeout(() => (toast.matches(":hover, :focus-within") ? wait(toast) : toast.remove()), STAYS_MS);
}
