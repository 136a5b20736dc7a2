import type * as draft from "#features/donations/draft.ts";
import type { paths } from "#shared/paths.ts";
import { showToast, whileLoading } from "#shared/ui/feedback.ts";
import { fillUser } from "#shared/ui/fill-user.ts";
import { send } from "#shared/ui/send.ts";
import { CONFIRMED_KEY, dropUser, findHint, hasKeptUser, SESSION_EVENT } from "#shared/ui/session-record.ts";

// Said again, checked by the compiler, so that no schemas come with it.
const DRAFT_KEY: typeof draft.DRAFT_KEY = "donation-draft";
/** Written so that other tabs hear of a log-out. */
const LOGGED_OUT_KEY = "logged-out";

/** What every page does for somebody who is logged in: knows them in each tab, logs them out, and leaves with them. */
export function startMember(): void {
  if (!hasKeptUser()) void fillUser();
  document.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("[data-log-out]") !== null) void logOut();
  });
  addEventListener(SESSION_EVENT, leaveWithThem);
  for (const event of ["pageshow", "storage", "visibilitychange"]) addEventListener(event, follow);
}

let isLeaving = false;

/** LOG-16. What this device keeps of a donation goes too (DON-20), because the next person here may be another. */
async function logOut() {
  if (isLeaving) return;
  isLeaving = true;
  const request = { method: "POST", url: "/api/logout", body: "{}", headers: {} };
  const answer = await whileLoading(send(request)).catch(() => undefined);
  if (answer?.status !== 200 && answer?.status !== 401) {
    isLeaving = false;
    return showToast("You are still logged in: no answer came. Please check your connection and try again.", "bad");
  }
  try {
    localStorage.removeItem(DRAFT_KEY);
    localStorage.setItem(LOGGED_OUT_KEY, String(Date.now()));
  } catch {
    // Storage is switched off: nothing was kept.
  }
  dropUser();
  location.reload();
}

const personalPages: readonly string[] = [
  "/profile",
  "/edit-profile",
  "/change-password",
  "/donation-history",
  "/verify-email",
] satisfies (typeof paths)[keyof typeof paths][];

/** A page of one's own does not stay in sight when its session is over. */
function leaveWithThem() {
  if (!isLeaving && findHint() === undefined && personalPages.includes(location.pathname)) location.reload();
}

/** Another tab may have logged out, somebody else in, or confirmed the address. */
function follow() {
  leaveWithThem();
  if (isOutOfDate()) location.reload();
  if (findHint() !== undefined && !hasKeptUser()) void fillUser();
}

/** Still asks to confirm an address that was confirmed after this page was opened. */
function isOutOfDate(): boolean {
  try {
    const confirmedAt = Number(localStorage.getItem(CONFIRMED_KEY));
    return confirmedAt > performance.timeOrigin && document.querySelector("[data-unconfirmed]") !== null;
  } catch {
    return false; // Storage is switched off.
  }
}

startMember();
