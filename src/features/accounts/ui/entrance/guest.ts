import { paths } from "#shared/paths.ts";

/** 'Continue As a Guest User' (LOG-3): the server sets a cookie, this page the marker and the return path. */
export function startGuest(): void {
  const link = document.querySelector<HTMLAnchorElement>("[data-guest]");
  if (link === null) return;
  link.search = location.search;
  // For the Tab key: the stylesheet already shows it there.
  if (document.documentElement.dataset.cameFrom === paths.donation) {
    document.querySelector("main h1")?.after(link.closest("section") ?? link);
  }
  const mark = () => {
    try {
      localStorage.setItem("guest", "true");
    } catch {
      // Storage is off: the cookie is enough.
    }
  };
  link.addEventListener("click", mark);
  link.addEventListener("auxclick", mark);
  const noCookies = document.querySelector<HTMLElement>("[data-no-cookies]");
  if (noCookies !== null) noCookies.hidden = navigator.cookieEnabled;
}
