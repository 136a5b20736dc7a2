import { expect, test } from "vitest";
import { newReference, readReference } from "./reference.ts";

test("FIND-2: a reference is found as it was heard or typed: in any case, without hyphens, with O, I or L for a digit", () => {
  for (const typed of ["T-10K2-M9XW-4TB0", "t10k2m9xw4tb0", " T-IOK2-M9XW-4TBO ", "T-l0k2-M9XW-4TBo"]) {
    expect(readReference(typed, "T"), typed).toBe("T-10K2-M9XW-4TB0");
  }
  expect(readReference("P-10K2-M9XW-4TB0", "D", "P")).toBe("P-10K2-M9XW-4TB0");
  const made = newReference("V");
  expect(readReference(made.toLowerCase(), "V")).toBe(made);
});

test("FIND-2: another prefix, another length, a letter that no reference has, and a long name are no reference", () => {
  for (const typed of ["D-10K2-M9XW-4TB0", "T-10K2-M9XW", "T-10K2-M9XW-4TBU", "Thiruchelvams", "T".repeat(13)]) {
    expect(readReference(typed, "T"), typed).toBeNull();
  }
  // Without a digit, the hyphens say that it is one.
  expect(readReference("T-ABCD-EFGH-JKMN", "T")).toBe("T-ABCD-EFGH-JKMN");
});
