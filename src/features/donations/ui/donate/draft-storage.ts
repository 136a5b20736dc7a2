import { openDraftStorage } from "#shared/ui/draft-storage.ts";
import { DRAFT_KEY, type Keepable, readDraft, writeDraft } from "../../draft.ts";

const storage = openDraftStorage("device", DRAFT_KEY);

export const findDraft = (userId: number) => storage.find((text) => readDraft(text, { now: Date.now(), userId }));
export const keepDraft = (draft: Keepable) => storage.keep(() => writeDraft(draft, Date.now()));
export const dropDraft = storage.drop;
