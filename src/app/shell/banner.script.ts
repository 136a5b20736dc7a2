// Loaded before the page is painted, as a plain script, so that nobody sees a banner again that they closed. It can't
// import anything.
{
  const root = document.documentElement;
  const key = `banner-closed-${document.currentScript?.dataset.banner}`;
  root.toggleAttribute("data-banner-closed", isClosed());
  document.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("[data-close-banner]") === null) return;
    root.toggleAttribute("data-banner-closed", true);
    try {
      localStorage.setItem(key, "");
    } catch {
      // Storage is switched off: it is closed on this page only.
    }
  });

  function isClosed(): boolean {
    try {
      return localStorage.getItem(key) !== null;
    } catch {
      return false; // Storage is switched off.
    }
  }
}
