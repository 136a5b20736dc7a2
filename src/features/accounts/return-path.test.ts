import { expect, test } from "vitest";
import { findReturnPath, guestDestination } from "./return-path.ts";

test("NAV-7: a path of our own is returned to, with its query and fragment", () => {
  expect(findReturnPath("?return=%2Fdonation")).toBe("/donation");
  expect(findReturnPath("?x=1&return=%2FselectTickets%3Fevent%3D3%23seats")).toBe("/selectTickets?event=3#seats");
});

test("NAV-7: nothing that a browser could take for another site is returned to", () => {
  const foreign = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "evil",
    "/a\\b",
    "",
  ];
  for (const path of foreign) expect(findReturnPath(`?return=${encodeURIComponent(path)}`), path).toBeNull();
  expect(findReturnPath("")).toBeNull();
});

test("LOG-3: a guest goes to the donation, or to the page they came for when a guest may open it", () => {
  expect(guestDestination("")).toBe("/donation");
  expect(guestDestination("?return=%2FselectTickets")).toBe("/selectTickets");
  expect(guestDestination("?return=%2Fprofile%3Ftab%3D1")).toBe("/donation");
  expect(guestDestination("?return=%2Flogin")).toBe("/donation");
  expect(guestDestination("?return=%2F%2Fevil.example")).toBe("/donation");
});
