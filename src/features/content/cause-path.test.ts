import { expect, test } from "vitest";
import { causePath } from "./cause-path.ts";

test("HOME-6: a cause's card opens the page that its title names, ignoring case and outer spaces", () => {
  expect(causePath("Ambulance")).toBe("/ambulance-fund");
  expect(causePath("  our AIR AMBULANCE fleet ")).toBe("/ambulance-fund");
  expect(causePath("Fight Against Hunger")).toBe("/fight-against-hunger");
  expect(causePath(" PATIENT CARE")).toBe("/patient-care");
  expect(causePath("Rehabilitation Centers")).toBe("/rehabilitation-center");
  expect(causePath("Home And Orphanage")).toBe("/home-and-orphanage");
  expect(causePath("flood relief")).toBe("/flood-relief");
});

test("HOME-6: any other title opens nothing", () => {
  for (const title of ["", "Education", "Patient Care Unit", "constructor", "__proto__"])
    expect(causePath(title)).toBeNull();
});
