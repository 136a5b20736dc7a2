import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { type DonationPages, openDonationPages } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";

let site: DonationPages;
let auditor: Awaited<ReturnType<DonationPages["logIn"]>>;
beforeAll(async () => {
  site = await openDonationPages();
  auditor = await site.logIn("auditor");
});
afterAll(() => site.close());

const open = async (id: string) => readPage((await auditor.get(`/admin/donations/${id}`)).html);
const totalOf = (page: Document) =>
  page.querySelector("section[aria-labelledby=given] tfoot th")?.firstChild?.textContent;

test("DSK-1: the total of a donation is called charged only if it was", async () => {
  expect(totalOf(await open(await site.donate()))).toBe("Charged");
  const declined = await makeDonation(site.database, { line: { fund: "sadaqah" } });
  await makeAttempt(site.database, declined, { state: "failed" });
  expect(totalOf(await open(declined))).toBe("Total");
});

test("DSK-1: the books call the fees as the donor's form does, and the receipt's row names an anonymous donor as one", async () => {
  const names = { is_anonymous: true, donorName: "Anonymous User", donor_first_name: "Anonymous" };
  const page = await open(await site.donate({ changes: { ...names, donor_last_name: "User", postcode: "" } }));
  const wordsOf = (id: string) => page.querySelector(`section[aria-labelledby=${id}]`)!.textContent;
  expect(wordsOf("books")).toMatch(/Admin fee.*Merchant fee/);
  expect(wordsOf("receipts")).toContain("Anonymous donor");
});
