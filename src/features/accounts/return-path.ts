import { paths } from "#shared/paths.ts";

/** Pages that only somebody logged in may open: a guest sent on to one would come straight back. */
const personalPages: readonly string[] = [
  paths.profile,
  paths.editProfile,
  paths.changePassword,
  paths.donationHistory,
  paths.verifyEmail,
];

/** Pages for who is not logged in: nobody comes back to one of them afterwards. */
const entrances: readonly string[] = [paths.login, paths.continueAsGuest, paths.register, paths.resetPassword];

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
  return [...personalPages, ...entrances].includes(pageOf(wanted)) ? paths.donation : wanted;
}

/** Where a log-in (NAV-7) or a registration leads: the page one came for, else `otherwise`. */
export function memberDestination(search: string, otherwise: string): string {
  const wanted = findReturnPath(search);
  return wanted === null || entrances.includes(pageOf(wanted)) ? otherwise : wanted;
}

/** One of the entrances, with the way back that this one was given. */
export function withReturn(path: string, search: string): string {
  const wanted = findReturnPath(search);
  return wanted === null ? path : `${path}?return=${encodeURIComponent(wanted)}`;
}

function pageOf(path: string): string {
  return path.split(/[?#]/, 1)[0] ?? "";
}
