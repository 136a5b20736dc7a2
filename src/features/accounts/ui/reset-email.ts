const KEY = "reset-email";

/** Carries the address that a code was sent to over to the page that asks for the code, in this tab alone (LOG-4). */
export function keepResetEmail(email: string): void {
  try {
    sessionStorage.setItem(KEY, email);
  } catch {
    // Storage is switched off: the address is typed once more.
  }
}

export function findResetEmail(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
