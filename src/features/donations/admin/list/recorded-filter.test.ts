import { expect, test } from "vitest";
import { recordFilter } from "./recorded-filter.ts";

test("DESK-10: the audit trail records only search words that name nobody", () => {
  for (const q of ["D-7KQ2-M9XW-4TBC", "R-000123", "777", "$49.99", "1,234", "card 104", "1000500000"]) {
    expect(recordFilter({ q, state: "paid" })).toEqual({ q, state: "paid" });
  }
  for (const q of ["amina", "amina.33@example.org", "3@gmail.com", "علی", "khan 777", "amina33", "R-000123 amina"]) {
    expect(recordFilter({ q, from: "", fund: "zakat" })).toEqual({ q: "with search words", fund: "zakat" });
  }
  expect(recordFilter({ q: "", to: "2026-11-30" })).toEqual({ to: "2026-11-30" });
});
