/** 'Continue As a Guest User' (LOG-3): the server's part is a cookie, this page's the marker and the way back. */
export function startGuest(): void {
  const link = document.querySelector<HTMLAnchorElement>("[data-guest]");
  if (link === null) return;
  link.search = location.search;
  const mark = () => {
    try {
      localStorage.setItem("guest", "true");
    } catch {
      // Storage is switched off: the cookie alone does.
    }
  };
  link.addEventListener("click", mark);
  link.addEventListener("auxclick", mark);
  const noCookies = document.querySelector<HTMLElement>("[data-no-cookies]");
  if (noCookies !== null) noCookies.hidden = navigator.cookieEnabled;
}
