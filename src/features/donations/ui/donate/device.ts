import { DRAFT_KEY, type Draft, type Keepable, readDraft, writeDraft } from "../../draft.ts";

// Storage may be switched off or full: the donation then lives as long as the page, which is no reason to stop anybody.

export function findDraft(userId: number): Draft | undefined {
  try {
    return readDraft(localStorage.getItem(DRAFT_KEY), { now: Date.now(), userId });
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
