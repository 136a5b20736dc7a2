import { expect, test } from "vitest";
import { isDay } from "#shared/language.ts";
import { financialYear, rangeFault } from "./history.ts";

test("PRO-7: the financial year is 1 July to 30 June, whatever the day", () => {
  expect(financialYear("2026-06-30")).toEqual({ from: "2025-07-01", to: "2026-06-30" });
  expect(financialYear("2026-07-01")).toEqual({ from: "2026-07-01", to: "2027-06-30" });
  expect(financialYear("2026-12-31", -1)).toEqual({ from: "2025-07-01", to: "2026-06-30" });
  expect(financialYear("2027-01-01")).toEqual({ from: "2026-07-01", to: "2027-06-30" });
});

test("PRO-9: a wrong range has an error that says what to do", () => {
  for (const range of [
    { from: "", to: "" },
    { from: "2026-07-01", to: "" },
    { from: "", to: "2026-07-01" },
    { from: "2026-07-01", to: "2026-07-01" },
  ]) {
    expect(rangeFault(range)).toBeNull();
  }
  expect(rangeFault({ from: "2026-07-02", to: "2026-07-01" })).toMatch(/^Choose an end date/);
  for (const wrong of ["2026-02-30", "2026-13-01", "1/7/2026", "0000-01-01", "2100-01-01", "2026-07-01T00:00", "\0"]) {
    expect(isDay(wrong), wrong).toBe(false);
    expect(rangeFault({ from: wrong, to: "" })).toMatch(/^Enter each date/);
  }
  expect([isDay("2024-02-29"), isDay("1900-01-01"), isDay("2099-12-31")]).toEqual([true, true, true]);
});
