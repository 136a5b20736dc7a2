import type { SessionUser } from "#shared/sessions/session-user.ts";

/** Days in Sydney, YYYY-MM-DD, both inclusive; an empty one leaves its end open. */
export type DayRange = { readonly from: string; readonly to: string };

export type GivingStatus = "Paid" | "Processing" | "Refunded" | "Partly refunded";

/** One donation as its donor finds it in the history (PRO-7). */
export type GivingRow = {
  /** Our own random reference. */
  readonly reference: string;
  /** R-000123; empty until the receipt is issued. */
  readonly receiptNumber: string;
  readonly paidOn: string;
  readonly totalCents: number;
  readonly status: GivingStatus;
};

/** A piece of somebody's history, newest first; `newer` and `older` are the rows that the pieces beside it meet. */
export type GivingPage = {
  readonly rows: readonly GivingRow[];
  readonly newer: string | null;
  readonly older: string | null;
};

/** Where a piece of a list lies: behind a row, before one, or at the beginning. */
export type Place = { readonly after?: string | undefined; readonly before?: string | undefined };

/** What the history page shows. */
export type History = GivingPage & {
  readonly range: DayRange;
  /** What is wrong with the range, in words; nothing is listed then. */
  readonly fault: string | null;
  /** Why the paper that was asked for did not come. */
  readonly paperFault: string | null;
  /** The financial year of today, and the one before. */
  readonly years: readonly DayRange[];
};

export type HistoryReads = {
  /** Null for a place that is not in this person's history. */
  findHistory(user: SessionUser, wanted: Readonly<Record<string, string>>): Promise<History | null>;
};

/** The one sentence about a summary that lacks a date (LAY-11). */
export const bothDatesNeeded = "Choose both dates to download a summary.";
/** A paper of more than these would keep others waiting. */
export const MOST_ON_PAPER = 5000;
export const tooManyForPaper = "These are more than 5,000 donations. Choose fewer days";

const day = /^(?:19|20)\d{2}-\d{2}-\d{2}$/;

/** Whether a text is a day that the calendar has, from 1900 to 2099. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return day.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** What is wrong with a range, as a sentence that says what to do; null when nothing is. */
export function rangeFault({ from, to }: DayRange): string | null {
  if ([from, to].some((each) => each !== "" && !isDay(each))) {
    return "Enter each date as a day between 1900 and 2099";
  }
  return from !== "" && to !== "" && to < from ? "Choose an end date that is not before the start date" : null;
}

/** The Australian financial year, 1 July to 30 June, that a day lies in, or one some years away from it. */
export function financialYear(today: string, yearsAway = 0): DayRange {
  const year = Number(today.slice(0, 4)) + (today.slice(5) < "07-01" ? -1 : 0) + yearsAway;
  return { from: `${year}-07-01`, to: `${year + 1}-06-30` };
}

/** Where the page's links to papers lead: in a new tab, to the paper itself (PRO-8). */
export const summaryDoor = "/donation-history/summary";
export const receiptDoor = (reference: string) => `/donation-history/receipt/${reference}`;
