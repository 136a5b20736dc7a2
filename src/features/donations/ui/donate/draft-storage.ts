import { openStorage } from "#shared/ui/browser-storage.ts";
import { DRAFT_KEY, type KeepableDonation, readDraft, writeDraft } from "../../draft.ts";

const storage = openStorage("device", DRAFT_KEY);

export const findDraft = (userId: number) => storage.find((text) => readDraft(text, { now: Date.now(), userId }));
export const keepDraft = (draft: KeepableDonation) => storage.keep(() => writeDraft(draft, Date.now()));
export const dropDraft = storage.drop;
