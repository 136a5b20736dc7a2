/** Storage key of the logged-in user, under the wire's names: a convenience that nothing trusts (LOG-17). */
export const USER_KEY = "user";
/** Local storage key: when an email address was last confirmed in this browser. */
export const CONFIRMED_KEY = "email-confirmed";
/** Local storage key, set so that other tabs notice a log-out. */
export const LOGGED_OUT_KEY = "logged-out";
/** What this device, which may be shared, keeps of a person's unsent donation and application. */
const DRAFT_KEYS = ["donation-draft", "volunteer-draft"];
/** Dispatched on the window when the user changes. */
export const SESSION_EVENT = "almoner:session";

/** The id of the person who seems to be logged in, from the hint cookie, which authorises nothing. */
export function findHint(): string | undefined {
  return /(?:^|; )user=(\d+)/.exec(document.cookie)?.[1];
}

/** Whether this tab has a user for the header to show. It proves nothing. */
export function hasKeptUser(): boolean {
  try {
    return sessionStorage.getItem(USER_KEY) !== null;
  } catch {
    return false; // storage is switched off
  }
}

/** Keeps the logged-in user, under the wire's names. */
export function keepUser(user: object): void {
  try {
    sessionStorage.setItem(USER_KEY, JSON.stringify(user));
  } catch {
    // Storage is blocked: the header stays as for a visitor, but the server knows the user.
  }
  dispatchEvent(new Event(SESSION_EVENT));
}

/** Removes the user and the hint, after logging out. */
export function dropUser(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers support the Cookie Store API yet.
  document.cookie = "user=; path=/; max-age=0";
  try {
    sessionStorage.removeItem(USER_KEY);
  } catch {
    // Storage is blocked: nothing was kept.
  }
  dispatchEvent(new Event(SESSION_EVENT));
}

/** After a log-out, or once the account is closed: deletes the drafts (DON-20), and tells other tabs. */
export function forgetOnDevice(): void {
  try {
    for (const key of DRAFT_KEYS) localStorage.removeItem(key);
    localStorage.setItem(LOGGED_OUT_KEY, String(Date.now()));
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
