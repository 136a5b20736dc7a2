import { followChanges } from "#dev/reload/follow-changes.ts";
import { startGuest } from "#features/accounts/ui/entrance/guest.ts";
import { startDisclosures } from "./disclosures.ts";
import { watchIslands } from "./not-loaded.ts";
import { startScrollReveal } from "./scroll-reveal.ts";
import { watchSession } from "./session.ts";
import { startToasts } from "./toasts.ts";

watchIslands();
watchSession();
startDisclosures();
startPanel();
startToasts();
startEnhancements();
startScrollReveal();
startGuest();
if (import.meta.env.MODE === "development") followChanges();

/** For browsers that don't support `command` yet; others open and close the menu panel by markup alone. */
function startPanel(): void {
  if ("command" in HTMLButtonElement.prototype) return;
  document.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest("[commandfor]");
    const panel = document.getElementById(button?.getAttribute("commandfor") ?? "");
    if (!(panel instanceof HTMLDialogElement)) return;
    if (panel.open) panel.close();
    else panel.showModal();
  });
}

/**
 * For parts that work without a script but do more with one: loads the script at `data-enhance` when such a part comes
 * into view. The script starts every part of its kind.
 */
function startEnhancements(): void {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      void import(/* @vite-ignore */ (target as HTMLElement).dataset.enhance ?? "");
    }
  });
  for (const element of document.querySelectorAll("[data-enhance]")) observer.observe(element);
}
