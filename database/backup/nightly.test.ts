import { expect, test } from "vitest";
import { addDays } from "#shared/language.ts";
import { chooseKept } from "./nightly.ts";

test("BAK-5: of backups of every night, the last 7 days, 5 weeks and 12 months stay", () => {
  const days = Array.from({ length: 800 }, (_, index) => addDays("2026-11-24", -index));
  const kept = [...chooseKept(days, [7, 5, 12])].sort();
  expect(kept.slice(-7)).toEqual(days.slice(0, 7).reverse());
  // Mondays, and the first of each month.
  for (const monday of ["2026-11-23", "2026-11-16", "2026-11-09", "2026-11-02", "2026-10-26"])
    expect(kept).toContain(monday);
  expect(kept[0]).toBe("2025-12-01");
  expect(kept.filter((day) => day.endsWith("-01"))).toHaveLength(12);
  expect(kept).toHaveLength(7 + 4 + 12);
});

test("BAK-5: nights without a backup do not shorten what is kept", () => {
  const kept = chooseKept(["2026-11-24", "2026-11-03", "2026-08-20", "2026-01-10"], [2, 1, 2]);
  expect([...kept].sort()).toEqual(["2026-08-20", "2026-11-03", "2026-11-24"]);
});
