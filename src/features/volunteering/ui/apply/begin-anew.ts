import { THANKS_KEY, type Thanks } from "./draft-storage.ts";

/** Loads the page anew, at its first step and with an empty form. */
export function beginAnew(thanks: Thanks): void {
  try {
    sessionStorage.setItem(THANKS_KEY, JSON.stringify(thanks));
  } catch {}
  history.replaceState(null, "");
  location.reload();
}
