import { openDraftStorage } from "#shared/ui/draft-storage.ts";
import { type Draft, draftName, readDraft, writeDraft } from "../draft.ts";

// What this tab keeps of tickets that are being bought.

const storageOf = (event: string) => openDraftStorage("tab", draftName(event));

export const findDraft = (event: string) => storageOf(event).find((text) => readDraft(text, event));
/** Whoever needs to know whether it was kept looks whether it is there. */
export const keepDraft = (draft: Draft) => storageOf(draft.event).keep(() => writeDraft(draft));
export const dropDraft = (event: string) => storageOf(event).drop();

/** Keeps these and leaves the rest as it is kept. */
export function changeDraft(event: string, changes: Partial<Omit<Draft, "event">>): void {
  keepDraft({ lines: [], buyer: {}, method: "cc", ...findDraft(event), ...changes, event });
}
