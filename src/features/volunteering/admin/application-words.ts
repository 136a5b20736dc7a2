import type { PersonRow } from "#admin/person.ts";
import { formatDay, plural } from "#shared/language.ts";
import type { ListedApplication } from "../server/listed-applications.ts";
import type { Stage } from "../stages.ts";
import { daysBetween } from "../waiting.ts";

/** 'Today', '1 day', '8 days' */
export function describeWait(since: Date, now: Date): string {
  const days = daysBetween(since, now);
  return days === 0 ? "Today" : plural(days, { one: "1 day", other: `${days} days` });
}

/** The same, or 'Asked, 8 days' while the applicant has a question of ours to answer. */
export function describeListedWait(
  { since, isAsked }: Pick<ListedApplication, "since" | "isAsked">,
  now: Date,
): string {
  const wait = describeWait(since, now);
  return isAsked ? `Asked, ${wait}` : wait;
}

type Checked = Pick<ListedApplication, "check" | "needsCheck">;

/** A Working With Children Check in a word or two; `today` is YYYY-MM-DD. */
export function describeCheck(
  { check, needsCheck }: Checked,
  { today, endsSoon }: { today: string; endsSoon: string },
): PersonRow["status"] {
  if (check === null)
    return needsCheck ? { label: "Check missing", look: "warn" } : { label: "Not needed", look: "off" };
  const day = formatDay(check.expiresOn, { day: "numeric", month: "short", year: "numeric" });
  if (check.expiresOn < today) return { label: `Ended ${day}`, look: needsCheck ? "bad" : "off" };
  if (!check.isVerified) return { label: "Not verified", look: needsCheck ? "warn" : "plain" };
  return check.expiresOn <= endsSoon ? { label: `Ends ${day}`, look: "warn" } : { label: `Until ${day}`, look: "ok" };
}

/** The acts that move an application, on buttons and in menus. Those that email the applicant are shown first. */
export const moveWords: Readonly<Record<Stage, { readonly label: string; readonly isTold: boolean }>> = {
  received: { label: "Back to received", isTold: false },
  in_review: { label: "Begin the review", isTold: false },
  waiting: { label: "Put on the waiting list", isTold: true },
  approved: { label: "Approve", isTold: true },
  declined: { label: "Decline", isTold: true },
  withdrawn: { label: "Withdraw for them", isTold: true },
};

/** Whether the move has a form of its own: what is emailed, or what a volunteer loses, is read first. */
export const isMoveShownFirst = (from: Stage, to: Stage): boolean => moveWords[to].isTold || from === "approved";

/** 'Review again' for what was decided before. */
export const moveLabel = (from: Stage, to: Stage): string =>
  to === "in_review" && from !== "received" ? "Review again" : moveWords[to].label;
