import { type Draft, draftName, readDraft, writeDraft } from "../draft.ts";

// What this tab keeps of tickets that are being bought. With storage switched off it keeps nothing, and says nothing.

export function findDraft(event: string): Draft | undefined {
  try {
    return readDraft(sessionStorage.getItem(draftName(event)), event);
  } catch {
    return undefined;
  }
}

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(draftName(draft.event), writeDraft(draft));
  } catch {
    // Whoever needs to know looks whether it is there.
  }
}

/** Keeps these and leaves the rest as it is kept. */
export function changeDraft(event: string, changes: Partial<Omit<Draft, "event">>): void {
  keepDraft({ lines: [], buyer: {}, method: "cc", ...findDraft(event), ...changes, event });
}

export function dropDraft(event: string): void {
  try {
    sessionStorage.removeItem(draftName(event));
  } catch {
    // Nothing was kept.
  }
}
