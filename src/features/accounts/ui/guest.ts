import { guestDestination } from "../return-path.ts";

/** 'Continue As a Guest User' (LOG-3): the donation page asks for this marker and otherwise leads back here. */
export function startGuest(): void {
  const link = document.querySelector("[data-guest]");
  if (link === null) return;
  link.setAttribute("href", guestDestination(location.search));
  const mark = () => {
    try {
      localStorage.setItem("guest", "true");
    } catch {
      // Storage is switched off: the donation page asks again.
    }
  };
  link.addEventListener("click", mark);
  link.addEventListener("auxclick", mark);
}
