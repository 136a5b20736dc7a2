import { expect, test } from "vitest";
import { addMonths, CheckFields, checkFault, expiryFault } from "./checks.ts";

const verifiedAt = new Date("2026-01-05T00:00:00Z");

test("VOL-3: a verified check is valid through its last day", () => {
  expect(checkFault({ expiresOn: "2026-11-21", verifiedAt }, "2026-11-21")).toBeNull();
  expect(checkFault({ expiresOn: "2026-11-20", verifiedAt }, "2026-11-21")).toContain("expired on 20 November 2026");
  expect(checkFault({ expiresOn: "2027-11-20", verifiedAt: null }, "2026-11-21")).toContain("not been verified");
  expect(checkFault(undefined, "2026-11-21")).toContain("no Working With Children Check");
});

test("VOL-3: a check that has ended, or ends in more than five years, is refused", () => {
  expect(expiryFault("2026-11-20", "2026-11-21")).toContain("already expired");
  expect(expiryFault("2026-11-21", "2026-11-21")).toBeNull();
  expect(expiryFault("2031-11-21", "2026-11-21")).toBeNull();
  expect(expiryFault("2031-11-22", "2026-11-21")).toContain("five years");
});

test.each([
  ["2027-02-28", -3, "2026-11-28"],
  ["2027-05-31", -3, "2027-02-28"],
  ["2028-05-31", -3, "2028-02-29"],
  ["2026-11-30", 3, "2027-02-28"],
  ["2026-12-31", 60, "2031-12-31"],
])("VOL-3: %s and %i months is %s", (day, months, expected) => {
  expect(addMonths(day, months)).toBe(expected);
});

test("VOL-3: a check's number is accepted as people write it, and nothing else is", () => {
  const check = { state: "NSW", number: " wwc1234567v ", kind: "volunteer", expiresOn: "2029-05-01" };
  expect(CheckFields.parse(check).number).toBe("WWC1234567V");
  for (const number of ["", "12", "<script>", "A".repeat(21)]) {
    expect(CheckFields.safeParse({ ...check, number }).success).toBe(false);
  }
  expect(CheckFields.safeParse({ ...check, expiresOn: "2029-02-30" }).success).toBe(false);
});
