import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("VOLA-1, VOLA-3, VOLA-5: by keyboard alone a coordinator takes an application from the board to a decision", async ({
  page,
}) => {
  await logInStaff(page, "Hira Baig", "coordinator");
  await page.goto("/admin/volunteers");
  await expectGoodScreen(page, "the board of applications");

  const received = page.getByRole("region", { name: /^Received/ });
  const first = received.getByRole("listitem").first();
  const name = (await first.getByRole("heading").innerText()).trim();
  await tabTo(page, first.getByRole("link", { name }));
  await page.keyboard.press("ArrowRight");
  await expect(
    page
      .getByRole("region", { name: /^In review/ })
      .getByRole("link")
      .first(),
  ).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("m");
  await pressByKey(page, first.getByRole("button", { name: "Begin the review" }));
  await expect(page.getByRole("status")).toHaveText("In review.");

  const card = page
    .getByRole("region", { name: /^In review/ })
    .getByRole("listitem")
    .filter({ hasText: name });
  await pressByKey(page, card.getByRole("link", { name }));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await expectGoodScreen(page, "an application");
  await pressByKey(page, page.getByText("More for this application"));
  await pressByKey(page, page.getByRole("link", { name: "Put on the waiting list…" }));
  await page.waitForURL(/act=/);
  await expect(page.getByLabel("Message")).toBeVisible();
  await expectGoodScreen(page, "a decision with its email");
  await tabTo(page, page.getByLabel("Message"));
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" We plan the next year in March.");
  await pressByKey(page, page.getByRole("button", { name: /^Put on the list, and send it to/ }));
  await expect(page.getByRole("status")).toHaveText("On the waiting list, and emailed.");
  await expect(page.getByText("We plan the next year in March.")).toBeVisible();
});

test("ADM-15, VOLA-7: who verified a check, and when, fits on a phone", async ({ page }) => {
  await logInStaff(page, "Hira Baig", "coordinator");
  await page.goto("/admin/volunteers/list?check=valid");
  await page.locator("tbody").getByRole("link").first().click();
  await expect(page.getByText(/^Verified by /)).toBeVisible();
  await expectGoodScreen(page, "an application with a verified check");
});

test("VOLA-1: a card that is dragged to another column moves there, or leads to the email", async ({ page }) => {
  await logInStaff(page, "Hira Baig", "coordinator");
  // Every card is in view: scrolling would let go of the one that is held.
  await page.setViewportSize({ width: 1440, height: 2000 });
  await page.goto("/admin/volunteers");
  const received = page.getByRole("region", { name: /^Received/ }).getByRole("listitem");
  const review = page.getByRole("region", { name: /^In review/ });
  // The second: the journey above moves the first, perhaps at the same time.
  const name = (await received.nth(1).getByRole("heading").innerText()).trim();
  await received.nth(1).dragTo(review);
  await expect(review.getByRole("link", { name })).toBeVisible();
  await review
    .getByRole("listitem")
    .filter({ hasText: name })
    .dragTo(page.getByRole("region", { name: /^Approved/ }));
  await expect(page.getByRole("heading", { name: `Approve ${name}` })).toBeVisible();
});
