import { keepThanks, type Thanks } from "./draft-storage.ts";

/** Reloads the page with an empty form at step 1. */
export function restartForm(thanks: Thanks): void {
  keepThanks(thanks);
  history.replaceState(null, "");
  location.reload();
}
