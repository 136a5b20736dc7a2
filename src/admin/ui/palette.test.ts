// @vitest-environment jsdom
import { expect, test, vi } from "vitest";

test("ADM-2: when the session has ended, the palette says so and offers to log in and come back", async () => {
  history.replaceState(null, "", "/admin/donations?state=paid");
  document.body.innerHTML = '<a class="find" href="/admin/find">Search or go to</a>';
  HTMLDialogElement.prototype.showModal = vi.fn();
  Element.prototype.scrollIntoView = vi.fn();
  const answer = Response.json({ problem: "You have been logged out. Log in again." }, { status: 401 });
  vi.stubGlobal("fetch", async () => answer);
  vi.stubGlobal("localStorage", { getItem: () => null });
  await import("./palette.admin.ts");
  document.querySelector<HTMLElement>(".find")!.click();
  await expect.poll(() => document.querySelector("[role=group] p")?.textContent).toBe("You have been logged out.");
  const link = document.querySelector<HTMLAnchorElement>("[role=option]")!;
  expect(link.textContent).toBe("Log in again");
  expect(link.getAttribute("href")).toBe("/admin/sign-in?next=%2Fadmin%2Fdonations%3Fstate%3Dpaid");
});
