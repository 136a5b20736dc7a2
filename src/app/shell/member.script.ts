import type { paths } from "#shared/paths.ts";
import { showToast, whileLoading } from "#shared/ui/feedback.ts";
import { fillUser } from "#shared/ui/fill-user.ts";
import { send } from "#shared/ui/send.ts";
import {
  CONFIRMED_KEY,
  dropUser,
  findHint,
  forgetOnDevice,
  hasKeptUser,
  LOGGED_OUT_KEY,
  SESSION_EVENT,
} from "#shared/ui/session-record.ts";

/** What every page does for a logged-in user: shows them in each tab, logs them out, and leaves personal pages. */
export function startMember(): void {
  if (!hasKeptUser()) void fillUser();
  document.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("[data-log-out]") !== null) void logOut();
  });
  addEventListener(SESSION_EVENT, leaveWithThem);
  for (const event of ["pageshow", "storage", "visibilitychange"]) addEventListener(event, follow);
}

let isLeaving = false;

/** Logs out (LOG-16). */
async function logOut() {
  if (isLeaving) return;
  isLeaving = true;
  const request = { method: "POST", url: "/api/logout", body: "{}", headers: {} };
  const answer = await whileLoading(send(request)).catch(() => undefined);
  if (answer?.status !== 200 && answer?.status !== 401) {
    isLeaving = false;
    return showToast("You’re still logged in: we got no answer. Please check your connection and try again.", "bad");
  }
  forgetOnDevice();
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

/** Leaves a personal page once its session has ended. If it asks to log in again (PRO-9), only a log-out ends it. */
function leaveWithThem(event: Event) {
  const isAsking = document.querySelector("[data-logged-out]") !== null;
  if (isLeaving || (isAsking && (event as StorageEvent).key !== LOGGED_OUT_KEY)) return;
  if (findHint() === undefined && personalPages.includes(location.pathname)) location.reload();
}

/** Another tab may have logged out, logged somebody else in, or confirmed the email. */
function follow(event: Event) {
  leaveWithThem(event);
  if (isOutOfDate()) location.reload();
  if (findHint() !== undefined && !hasKeptUser()) void fillUser();
}

/** Whether the page still asks to confirm an email that has since been confirmed. */
function isOutOfDate(): boolean {
  try {
    const confirmedAt = Number(localStorage.getItem(CONFIRMED_KEY));
    return confirmedAt > performance.timeOrigin && document.querySelector("[data-unconfirmed]") !== null;
  } catch {
    return false; // Storage is switched off.
  }
}

startMember();
