import { openStorage } from "#shared/ui/browser-storage.ts";

/** Carries the email to the reset page and on to the log-in page, in this tab only (LOG-4, LOG-20). */
const storage = openStorage("tab", "reset-email");

export const keepResetEmail = (email: string) => storage.keep(() => email);
export const findResetEmail = () => storage.find((text) => text ?? "") ?? "";
export const dropResetEmail = storage.drop;
