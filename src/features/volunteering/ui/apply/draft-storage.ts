import { openDraftStorage } from "#shared/ui/draft-storage.ts";
import { DRAFT_KEY, type Keepable, readDraft, writeDraft } from "../../draft.ts";

const storage = openDraftStorage("device", DRAFT_KEY);

export const findDraft = () => storage.find((text) => readDraft(text, Date.now()));
export const keepDraft = (draft: Keepable) => storage.keep(() => writeDraft(draft, Date.now()));
export const dropDraft = storage.drop;

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
