import { expect, test } from "vitest";
import { BROWSER, islandKey, type Manifest } from "./manifest.ts";

const file = "src/features/donations/ui/donate/donation-page.tsx";
const manifest: Manifest = { [BROWSER]: { file: "browser.js", dynamicImports: [file] }, [file]: { file: "page.js" } };

test("ARC-1: an island is found by its name, and one that is in no list is an error", () => {
  expect(islandKey(manifest, "DonationPage")).toBe(file);
  expect(() => islandKey(manifest, "OrderPage")).toThrow("'OrderPage'");
});
