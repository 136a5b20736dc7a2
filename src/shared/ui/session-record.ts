/** Where the header and the forms find who is logged in, as the server spelled it: a convenience that nothing trusts (LOG-17). */
export const USER_KEY = "user";
/** When an email address was last confirmed in this browser, in local storage. */
export const CONFIRMED_KEY = "email-confirmed";
/** Sent on the window when that changed. */
export const SESSION_EVENT = "almoner:session";

/** The id of whoever seems to be logged in, from the hint cookie, which opens nothing. */
export function findHint(): string | undefined {
  return /(?:^|; )user=(\d+)/.exec(document.cookie)?.[1];
}

export function hasKeptUser(): boolean {
  try {
    return sessionStorage.getItem(USER_KEY) !== null;
  } catch {
    return false; // storage is switched off
  }
}

/** Notes who is logged in, in the wire's spelling. */
export function keepUser(user: object): void {
  try {
    sessionStorage.setItem(USER_KEY, JSON.stringify(user));
  } catch {
    // Storage is switched off: the header stays as for a visitor, and the server knows all the same.
  }
  dispatchEvent(new Event(SESSION_EVENT));
}

/** Forgets them, and the hint: for who is not logged in any more. */
export function dropUser(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is not in every browser yet.
  document.cookie = "user=; path=/; max-age=0";
  try {
    sessionStorage.removeItem(USER_KEY);
  } catch {
    // Storage is switched off: nothing was kept.
  }
  dispatchEvent(new Event(SESSION_EVENT));
}
