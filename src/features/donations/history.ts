import { isDay } from "#shared/language.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";

/** Days in Sydney, YYYY-MM-DD, both inclusive; an empty one leaves that end open. */
export type DayRange = { readonly from: string; readonly to: string };

export type HistoryStatus = "Paid" | "Processing" | "Refunded" | "Partly refunded";

/** One donation in its donor's history (PRO-7). */
export type HistoryRow = {
  readonly reference: string;
  /** R-000123; empty until the receipt is issued. */
  readonly receiptNumber: string;
  readonly paidOn: string;
  readonly totalCents: number;
  readonly status: HistoryStatus;
};

/** One page of a donor's history, newest first; `newer` and `older` are the references where its neighbours start. */
export type HistorySlice = {
  readonly rows: readonly HistoryRow[];
  readonly newer: string | null;
  readonly older: string | null;
};

/** Where a page of the list starts: after a row, before a row, or at the beginning. */
export type HistoryPlace = { readonly after?: string | undefined; readonly before?: string | undefined };

export type History = HistorySlice & {
  readonly range: DayRange;
  /** The problem with the range, as a sentence; then no rows are listed. */
  readonly fault: string | null;
  /** Why the requested PDF was refused. */
  readonly pdfFault: string | null;
  /** The current financial year and the one before. */
  readonly years: readonly DayRange[];
};

export type HistoryReads = {
  /** Null if the place is not in this person's history. */
  findHistory(user: SessionUser, wanted: Readonly<Record<string, string>>): Promise<History | null>;
};

/** Shown when a summary is requested without both dates (LAY-11). */
export const bothDatesNeeded = "Choose both dates to download a summary.";
/** Drawing a longer PDF would delay other requests. */
export const MAX_IN_PDF = 5000;
export const tooManyForPdf = "This period has more than 5,000 donations. Choose a shorter one";

/** How to fix a range, as a sentence; null if nothing is wrong with it. */
export function rangeFault({ from, to }: DayRange): string | null {
  if ([from, to].some((each) => each !== "" && !isDay(each))) {
    return "Enter each date as a day between 1900 and 2099";
  }
  return from !== "" && to !== "" && to < from ? "Choose an end date on or after the start date" : null;
}

/** The Australian financial year, 1 July to 30 June, that contains `today`, or the one `yearsAway` from it. */
export function financialYear(today: string, yearsAway = 0): DayRange {
  const year = Number(today.slice(0, 4)) + (today.slice(5) < "07-01" ? -1 : 0) + yearsAway;
  return { from: `${year}-07-01`, to: `${year + 1}-06-30` };
}

/** The page's links to PDFs, opened in a new tab; they redirect to the PDF itself (PRO-8). */
export const summaryRedirect = "/donation-history/summary";
export const receiptRedirect = (reference: string) => `/donation-history/receipt/${reference}`;
