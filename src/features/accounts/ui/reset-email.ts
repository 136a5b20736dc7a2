const KEY = "reset-email";

/** Carries the address to the page that asks for the code, and on to the log-in, in this tab alone (LOG-4, LOG-20). */
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

export function dropResetEmail(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is switched off: nothing was kept.
  }
}
