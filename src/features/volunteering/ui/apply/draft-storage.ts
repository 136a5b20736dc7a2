import { openStorage } from "#shared/ui/browser-storage.ts";
import { DRAFT_KEY, type KeepableApplication, readDraft, writeDraft } from "../../draft.ts";

const storage = openStorage("device", DRAFT_KEY);

export const findDraft = () => storage.find((text) => readDraft(text, Date.now()));
export const keepDraft = (draft: KeepableApplication) => storage.keep(() => writeDraft(draft, Date.now()));
export const dropDraft = storage.drop;

/** Shown once after the page reloads because an application was sent (VOL-10). */
export type Thanks = { readonly reference: string; readonly email: string };
const thanks = openStorage("tab", "volunteer-thanks");

export const keepThanks = (sent: Thanks) => thanks.keep(() => JSON.stringify(sent));
/** What `keepThanks` kept; removes it. */
export const takeThanks = () => thanks.take((text): Thanks | undefined => JSON.parse(text ?? "null") ?? undefined);
