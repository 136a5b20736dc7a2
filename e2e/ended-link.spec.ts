import { createDatabase, createPool } from "#shared/database/connect.ts";
import { revokeLinks } from "#shared/links/document-links.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { databaseOf, expect, listEmails, type SiteName, test } from "./journey.ts";

const silent = { info: () => undefined };

/** Does what the operator's command does. */
async function revokeReceipt(site: SiteName, id: string): Promise<void> {
  const database = createDatabase(createPool(databaseOf(site), () => undefined));
  await revokeLinks({ database, now: () => new Date(), log: silent }, { kind: "receipt", id }, "staff");
  await database.destroy();
}

test("DON-31, SEC-8, API-13: after a reload the donor still has the receipt; once its link is switched off, the page offers to email a new one", {
  tag: "@long",
}, async ({ page, donor, amount, site, expected }) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.giveByCard();
  await donor.seesSuccess();
  await page.reload();
  const receipt = page.getByRole("link", { name: /Download your receipt/ });
  const path = (await receipt.getAttribute("href"))!;
  expect((await page.request.get(path)).status()).toBe(200);

  await revokeReceipt(site, /[0-9a-f-]{36}/.exec(path)![0]);
  expected.push(/410/);
  const answer = await page.goto(path);
  expect(answer!.status()).toBe(410);
  await expect(page).toHaveTitle(/^This link was switched off \|/);
  await expectAccessible(page, "a link that was switched off");
  await expectToFit(page, "a link that was switched off");
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: 700 });
  await expectToFit(page, "the same at 320 pixels");
  await page.setViewportSize(before);
  await page.getByRole("button", { name: "Email me a new link" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "We are sending a new link" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Email me a new link" })).toBeHidden();
  await expectAccessible(page, "the same once a new link is on its way");
  const findEmail = async () =>
    (await listEmails(page, donor.email)).find(({ subject }) => subject.startsWith("A new link to your receipt R-"));
  await expect.poll(async () => (await findEmail())?.to).toContain(donor.email);
  const [fresh = ""] = /\/receipts\/\S+\?key=\S+/.exec((await findEmail())!.text)!;
  expect((await page.request.get(fresh)).headers()["content-type"]).toBe("application/pdf");
  expect((await page.request.get(path)).status()).toBe(410);
});
