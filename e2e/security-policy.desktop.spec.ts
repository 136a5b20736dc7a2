import type { Page } from "@playwright/test";
import { contentPages, formPages, ticketPages } from "#test/public-pages.ts";
import { becomeGuest } from "./donor.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { logInMember } from "./member.ts";
import { visitInTabs } from "./tabs.ts";

// Every journey checks that the browser complains of nothing; these reach what the others do not.

test("SEC-10: every page works under its policy with Trusted Types, for guests and members, back and forward", {
  tag: "@long",
}, async ({ page, context, amount, expected }) => {
  expected.push(/no-such-page/);
  const open = [
    "/",
    ...Object.keys({ ...contentPages, ...formPages, ...ticketPages }),
    "/reset-password",
    "/no-such-page",
  ];
  const own = ["/donation", "/profile", "/edit-profile", "/change-password", "/verify-email", "/donation-history"];
  await becomeGuest(page, siteUrl());
  await visitInTabs(context, [...open, "/donation"], look);
  await logInMember(context, `policy-${amount}@example.com`);
  await visitInTabs(context, ["/", ...own], look);
  for (const path of own) await page.goto(path);
  for (let step = 0; step < 4; step += 1) await page.goBack();
  for (let step = 0; step < 4; step += 1) await page.goForward();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const metrics = await (await page.request.get("/metrics")).text();
  expect(metrics).not.toMatch(/^csp_reports_total\{disposition="(enforce|report)"\} [1-9]/m);
});

test.describe(() => {
  // Its reports must not count as those of the walk.
  test.use({ site: "as-live" });

  test("SEC-10: the policy refuses a plain string as a script address or as HTML, and an unknown Trusted Types policy", async ({
    page,
    expected,
  }) => {
    expected.push(/CSP|Trusted|Content Security Policy|status 404/);
    await page.goto("/");
    const refused = await page.evaluate(() => {
      const attempt = (run: () => void) => {
        try {
          run();
          return "ran";
        } catch (error) {
          return (error as Error).name;
        }
      };
      return [
        attempt(() => {
          document.createElement("script").src = "/assets/x.js";
        }),
        attempt(() => {
          document.createElement("div").innerHTML = "<img>";
        }),
        attempt(() => void new Worker("/assets/x.js")),
        attempt(
          () =>
            void (
              window as { trustedTypes?: { createPolicy(name: string, rules: object): void } }
            ).trustedTypes?.createPolicy("x", {}),
        ),
      ];
    });
    expect(refused).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
    // Negative control: the browser reports each of these, so no report in the walk means no violation.
    const metrics = async () => (await page.request.get("/metrics")).text();
    await expect.poll(metrics).toMatch(/^csp_reports_total\{disposition="enforce"\} [1-9]/m);
  });
});

/** Scrolls to the end of a page, so that everything loads. */
async function look(page: Page, path: string) {
  await page.goto(path, { waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { level: 1 }).first(), path).toBeVisible();
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
  await page.waitForLoadState("networkidle");
}
