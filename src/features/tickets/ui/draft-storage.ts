import { openStorage } from "#shared/ui/browser-storage.ts";
import { draftName, type OrderDraft, readDraft, writeDraft } from "../draft.ts";

// The tab's copy of the tickets being bought.

const storageOf = (event: string) => openStorage("tab", draftName(event));

export const findDraft = (event: string) => storageOf(event).find((text) => readDraft(text, event));
/** May fail silently; to be sure, find it afterwards. */
export const keepDraft = (draft: OrderDraft) => storageOf(draft.event).keep(() => writeDraft(draft));
export const dropDraft = (event: string) => storageOf(event).drop();

/** Changes these parts of the tab's draft, or begins one. */
export function changeDraft(event: string, changes: Partial<Omit<OrderDraft, "event">>): void {
  keepDraft({ lines: [], buyer: {}, method: "cc", ...findDraft(event), ...changes, event });
}
