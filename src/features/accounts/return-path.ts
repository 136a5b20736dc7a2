import { paths } from "#shared/paths.ts";

/** Pages that only somebody logged in may open: a guest sent on to one would come straight back. */
const personalPages: readonly string[] = [paths.profile, "/edit-profile", "/change-password", "/donation-history"];

/**
 * The page of ours that `/login?return=…` names (NAV-7), or null. Anything that a browser could take for another site
 * (`//host`, `/\host`, a scheme, control characters) is refused.
 */
export function findReturnPath(search: string): string | null {
  const wanted = new URLSearchParams(search).get("return");
  return wanted !== null && /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(wanted) ? wanted : null;
}

/** Where 'Continue As a Guest User' leads (LOG-3). */
export function guestDestination(search: string): string {
  const wanted = findReturnPath(search);
  if (wanted === null) return paths.donation;
  const page = wanted.split(/[?#]/, 1)[0] ?? "";
  return personalPages.includes(page) || page === paths.login ? paths.donation : wanted;
}
