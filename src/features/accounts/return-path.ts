import { isOwnPath } from "#shared/link-address.ts";
import { paths } from "#shared/paths.ts";

/** Pages that need a log-in: a guest sent to one would come straight back. */
const personalPages: readonly string[] = [
  paths.profile,
  paths.editProfile,
  paths.changePassword,
  paths.donationHistory,
  paths.verifyEmail,
];

/** Pages for visitors who aren't logged in: nobody is sent back to one after logging in. */
const entrances: readonly string[] = [paths.login, paths.continueAsGuest, paths.register, paths.resetPassword];

/**
 * The page of this site that `/login?return=…` names (NAV-7), or null. Refuses anything that a browser could take for
 * another site (`//host`, `/\host`, a scheme, control characters).
 */
export function findReturnPath(search: string): string | null {
  const wanted = new URLSearchParams(search).get("return");
  return wanted !== null && isOwnPath(wanted) ? wanted : null;
}

/** Where 'Continue As a Guest User' leads (LOG-3). */
export function guestDestination(search: string): string {
  const wanted = findReturnPath(search);
  if (wanted === null) return paths.donation;
  return [...personalPages, ...entrances].includes(pageOf(wanted)) ? paths.donation : wanted;
}

/** Where a log-in (NAV-7) or a registration leads: the requested page, else `otherwise`. */
export function memberDestination(search: string, otherwise: string): string {
  const wanted = findReturnPath(search);
  return wanted === null || entrances.includes(pageOf(wanted)) ? otherwise : wanted;
}

/** `path` with the return path of this page passed on. */
export function withReturn(path: string, search: string): string {
  const wanted = findReturnPath(search);
  return wanted === null ? path : `${path}?return=${encodeURIComponent(wanted)}`;
}

function pageOf(path: string): string {
  return path.split(/[?#]/, 1)[0] ?? "";
}
