import { expect, test } from "vitest";
import { describeShiftTimes, MAX_WEEKS, minutesOf, readHours, shiftTimes, weeklyDays, writeHours } from "./shift.ts";

test("VOLA-9: a shift that ends past midnight ends on the next day, for its check too", () => {
  const times = shiftTimes({ day: "2026-12-05", from: "18:00", until: "01:00" });
  expect(times.lastDay).toBe("2026-12-06");
  expect(minutesOf(times)).toBe(420);
  expect(shiftTimes({ day: "2026-12-05", from: "09:00", until: "12:30" }).lastDay).toBe("2026-12-05");
});

test("VOLA-9: the times of a shift that ends past midnight name its day once", () => {
  const times = shiftTimes({ day: "2026-12-05", from: "22:00", until: "01:00" });
  expect(describeShiftTimes(times)).toBe("Saturday 5 December 2026, 10:00 PM – 1:00 AM");
  expect(describeShiftTimes(times, "short")).toBe("Sat, 5 Dec 2026, 10:00 PM – 1:00 AM");
});

test("VOLA-12: hours are read as people write them, and nothing else is", () => {
  for (const [typed, minutes] of [
    ["3", 180],
    ["2.5", 150],
    ["2:30", 150],
    [" 0 ", 0],
    ["24", 1440],
  ] as const) {
    expect(readHours(typed)).toBe(minutes);
  }
  for (const typed of ["", "-1", "25", "2:75", "two", "1e3"]) expect(readHours(typed)).toBeNull();
  expect(writeHours(150)).toBe("2.5");
});

test("VOLA-9: a weekly shift has its last day if that is the same weekday, and more than a year of days is too many", () => {
  expect(weeklyDays("2026-12-02", "2026-12-16")).toEqual(["2026-12-02", "2026-12-09", "2026-12-16"]);
  expect(weeklyDays("2026-12-02", "2026-12-01")).toEqual(["2026-12-02"]);
  expect(weeklyDays("2026-12-02", "2099-12-01")).toHaveLength(MAX_WEEKS + 1);
});
