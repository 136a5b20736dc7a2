import { DRAFT_KEY, type Draft, type Keepable, readDraft, writeDraft } from "../../draft.ts";

// Storage may be switched off or full: what was typed then lives as long as the page, which is no reason to stop anybody.

export function findDraft(): Draft | undefined {
  try {
    return readDraft(localStorage.getItem(DRAFT_KEY), Date.now());
  } catch {
    return undefined;
  }
}

export function keepDraft(draft: Keepable): void {
  try {
    localStorage.setItem(DRAFT_KEY, writeDraft(draft, Date.now()));
  } catch {}
}

export function dropDraft(): void {
  try {
    localStorage.removeItem(DRAFT_KEY);
  } catch {}
}

/** What the page says once it was loaded anew after an application arrived (VOL-10). */
export type Thanks = { readonly reference: string; readonly email: string };
export const THANKS_KEY = "volunteer-thanks";

/** Said once. */
export function takeThanks(): Thanks | undefined {
  try {
    const text = sessionStorage.getItem(THANKS_KEY);
    sessionStorage.removeItem(THANKS_KEY);
    const thanks = JSON.parse(text ?? "null") as Partial<Thanks> | null;
    return typeof thanks?.reference === "string" && typeof thanks.email === "string" ? (thanks as Thanks) : undefined;
  } catch {
    return undefined;
  }
}
