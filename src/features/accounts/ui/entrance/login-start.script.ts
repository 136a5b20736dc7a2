// Loaded before /login is painted, as a plain script: it can't import anything.
{
  const wanted = new URLSearchParams(location.search).get("return") ?? "";
  const page = wanted.split("?", 1)[0];
  document.documentElement.dataset.cameFrom = page;
  document.documentElement.toggleAttribute("data-passkeys", "PublicKeyCredential" in window);
  // A guest without the cookie gets a new one and returns (DON-2), unless cookies are refused: that would never end.
  if (page === "/donation" && isMarked() && !hasCookie()) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
    document.cookie = `guest=true; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
    if (hasCookie()) {
      document.documentElement.hidden = true;
      location.replace(wanted);
    }
  }

  function isMarked(): boolean {
    try {
      return localStorage.getItem("guest") !== null;
    } catch {
      return false; // Storage is switched off.
    }
  }

  function hasCookie(): boolean {
    return /(?:^|; )guest=/.test(document.cookie);
  }
}
