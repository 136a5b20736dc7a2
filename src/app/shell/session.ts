import type * as record from "#shared/ui/session-record.ts";

// Repeated here, and checked by the compiler: every page loads this, but the rest of that module only with a session.
const SESSION_EVENT: typeof record.SESSION_EVENT = "almoner:session";
const USER_KEY: typeof record.USER_KEY = "user";

/**
 * All visitors get the same HTML; this adapts it for a logged-in user (NAV-5). The hint cookie says that there is a
 * session, session storage whose (LOG-17). Another script does what needs the server; it is loaded only with a hint.
 */
export function watchSession(): void {
  show();
  // Another tab may have logged in or out while this one was hidden.
  for (const event of [SESSION_EVENT, "pageshow", "storage", "visibilitychange"]) addEventListener(event, show);
}

function show() {
  const hint = /(?:^|; )user=(\d+)/.exec(document.cookie)?.[1];
  const name = findName(hint);
  for (const part of document.querySelectorAll<HTMLElement>("[data-member]")) {
    part.hidden = (part.dataset.member === "") === (name === undefined);
  }
  for (const part of document.querySelectorAll<HTMLElement>("[data-first-name]")) {
    part.textContent = (part.dataset.firstName === "" ? name : name?.match(/./u)?.[0]) ?? "";
  }
  const menu = document.querySelector<HTMLElement>("[data-session]");
  if (hint !== undefined && menu !== null) void import(/* @vite-ignore */ menu.dataset.session ?? "");
}

/** The first name stored in this tab for the user of the hint; another user's record is removed. */
function findName(hint: string | undefined): string | undefined {
  try {
    const user = JSON.parse(sessionStorage.getItem(USER_KEY) ?? "null");
    if (user === null) return undefined;
    if (String(user.user_id) === hint) return String(user.first_name);
    sessionStorage.removeItem(USER_KEY);
  } catch {
    // Storage is switched off.
  }
  return undefined;
}
