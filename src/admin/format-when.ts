import { formatMoment, keepTogether } from "#shared/language.ts";

/** 'Tue, 24 Nov 2026, 8:14 pm' in Sydney. */
export const formatWhen = (at: Date): string =>
  keepTogether(
    formatMoment(at, {
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZone: "Australia/Sydney",
    }),
  );
