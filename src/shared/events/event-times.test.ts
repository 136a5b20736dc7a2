import { expect, test } from "vitest";
import { formatPlace } from "./event.ts";
import { calendarLeaf, daysOf, formatTimeParts, formatTimes } from "./event-times.ts";

const times = (startsAt: string, endsAt: string, timeZone: string, isAllDay = false) => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  timeZone,
  isAllDay,
});

test("PAGE-5: an evening event shows weekday, hours and offset, as TIC-1 writes it", () => {
  const dinner = times("2024-04-27T15:00:00Z", "2024-04-27T18:00:00Z", "Asia/Karachi");
  expect(formatTimes(dinner)).toBe("Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05)");
  expect(formatTimeParts(dinner).start.datetime).toBe("2024-04-27T20:00:00+05:00");
  expect(formatTimeParts(dinner).end?.datetime).toBe("2024-04-27T23:00:00+05:00");
  expect(calendarLeaf(dinner)).toEqual({ day: "27", month: "Apr", year: "2024" });
});

test.each([
  [
    "2026-07-04T00:00:00Z",
    "2026-07-04T02:00:00Z",
    "Australia/Sydney",
    "Saturday 4 July 2026 10:00 AM to 12:00 PM (UTC+10)",
  ],
  [
    "2026-12-05T00:00:00Z",
    "2026-12-05T02:00:00Z",
    "Australia/Sydney",
    "Saturday 5 December 2026 11:00 AM to 1:00 PM (UTC+11)",
  ],
  [
    "2026-07-04T00:00:00Z",
    "2026-07-04T02:30:00Z",
    "Asia/Kolkata",
    "Saturday 4 July 2026 5:30 AM to 8:00 AM (UTC+05:30)",
  ],
  ["2026-07-04T00:00:00Z", "2026-07-04T01:00:00Z", "UTC", "Saturday 4 July 2026 12:00 AM to 1:00 AM (UTC+00)"],
  [
    "2026-07-04T00:00:00Z",
    "2026-07-04T01:00:00Z",
    "America/St_Johns",
    "Friday 3 July 2026 9:30 PM to 10:30 PM (UTC−02:30)",
  ],
])("PAGE-5: %s to %s is shown in the time of %s", (startsAt, endsAt, timeZone, said) => {
  expect(formatTimes(times(startsAt, endsAt, timeZone))).toBe(said);
});

test("PAGE-5: an event past midnight shows both days, and one across a clock change both offsets", () => {
  expect(formatTimes(times("2024-04-27T18:00:00Z", "2024-04-27T20:00:00Z", "Asia/Karachi"))).toBe(
    "Saturday 27 April 2024 11:00 PM to Sunday 28 April 2024 1:00 AM (UTC+05)",
  );
  const vigil = times("2026-04-04T14:30:00Z", "2026-04-04T17:00:00Z", "Australia/Sydney");
  expect(formatTimes(vigil)).toBe("Sunday 5 April 2026 1:30 AM (UTC+11) to 3:00 AM (UTC+10)");
  expect(formatTimeParts(vigil).end?.datetime).toBe("2026-04-05T03:00:00+10:00");
});

test("PAGE-5: an event without a duration shows no end", () => {
  const moment = times("2024-04-27T15:00:00Z", "2024-04-27T15:00:00Z", "Asia/Karachi");
  expect(formatTimes(moment)).toBe("Saturday 27 April 2024 8:00 PM (UTC+05)");
});

test.each([
  ["2022-08-27T14:00:00Z", "2022-08-28T14:00:00Z", "28 August 2022", "2022-08-28"],
  ["2022-08-27T14:00:00Z", "2022-08-28T13:59:59.999Z", "28 August 2022", "2022-08-28"],
  ["2022-08-27T14:00:00Z", "2022-08-27T14:00:00Z", "28 August 2022", "2022-08-28"],
  ["2022-08-27T14:00:00Z", "2022-08-30T14:00:00Z", "28 to 30 August 2022", "2022-08-30"],
  ["2022-08-27T14:00:00Z", "2022-09-03T14:00:00Z", "28 August to 3 September 2022", "2022-09-03"],
  ["2022-12-29T13:00:00Z", "2023-01-02T13:00:00Z", "30 December 2022 to 2 January 2023", "2023-01-02"],
])("PAGE-5: whole days from %s to %s are shown without hours: %s", (startsAt, endsAt, said, last) => {
  const days = times(startsAt, endsAt, "Australia/Sydney", true);
  expect(formatTimes(days)).toBe(said);
  expect(daysOf(days).last).toBe(last);
  expect(formatTimeParts(days).start.datetime).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test("PAGE-5: an unknown time zone is shown as UTC and says so", () => {
  expect(formatTimes(times("2024-04-27T15:00:00Z", "2024-04-27T18:00:00Z", "Mars/Olympus"))).toBe(
    "Saturday 27 April 2024 3:00 PM to 6:00 PM (UTC+00)",
  );
});

test("PAGE-5: a place is shown as it is, and an online event says who sends the access details", () => {
  const online = "access details come from the organiser";
  expect(formatPlace({ place: "Hall, Auburn", isOnline: false })).toBe("Hall, Auburn");
  expect(formatPlace({ place: "", isOnline: true })).toBe(`Online: ${online}`);
  expect(formatPlace({ place: "Hall, Auburn", isOnline: true })).toBe(`Hall, Auburn, and online: ${online}`);
});
