import { formatDay, formatMoment, fullDate } from "#shared/language.ts";

const sydney = { timeZone: "Australia/Sydney" } as const;

/** 'Saturday 21 November 2026' */
export const fullDay = (day: string) => formatDay(day, fullDate);
/** 'Sat 21 Nov 2026' */
export const shortDay = (day: string) =>
  formatDay(day, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
/** '8:14:05 pm', in Sydney. */
export const clockTime = (at: Date) => formatMoment(at, { ...sydney, timeStyle: "medium" });
/** '21 Nov 2026, 8:14 pm', in Sydney. */
export const shortTime = (at: Date) => formatMoment(at, { ...sydney, dateStyle: "medium", timeStyle: "short" });
