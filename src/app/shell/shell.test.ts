// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startGuest } from "#features/accounts/ui/guest.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { startDisclosures } from "./disclosures.ts";
import { startDonateLinks } from "./donate-links.ts";
import { startToasts } from "./toasts.ts";

startToasts();
startDisclosures();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
  localStorage.clear();
});

const toasts = () => [...document.querySelectorAll(".toast p")].map((line) => line.textContent);
const withToasts = '<div class="toasts"><div role="status"></div><div role="alert"></div></div>';

test("LAY-7: a toast goes after 10000 ms, one that shows is not added twice, and a bad one is an alert", () => {
  document.body.innerHTML = withToasts;
  showToast("Saved");
  showToast("Saved");
  showToast("Please complete the reCAPTCHA verification", "bad");
  expect(toasts()).toEqual(["Saved", "Please complete the reCAPTCHA verification"]);
  expect(document.querySelector("[role=alert] .toast.bad")).not.toBeNull();
  vi.advanceTimersByTime(9999);
  expect(toasts()).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(toasts()).toEqual([]);
});

test("LAY-7: a toast that a pointer or focus rests on stays, and can be dismissed", () => {
  document.body.innerHTML = withToasts;
  showToast("Saved");
  const toast = document.querySelector(".toast")!;
  toast.dispatchEvent(new Event("pointerenter"));
  vi.advanceTimersByTime(60_000);
  expect(toasts()).toEqual(["Saved"]);
  toast.dispatchEvent(new Event("pointerleave"));
  vi.advanceTimersByTime(10_000);
  expect(toasts()).toEqual([]);
  showToast("Again");
  document.querySelector<HTMLElement>(".toast button")!.click();
  expect(toasts()).toEqual([]);
});

test("NAV-6: Donate goes to the donation when session storage has a user, else by way of login", () => {
  document.body.innerHTML = '<a data-donate href="/login?return=%2Fdonation">Donate</a>';
  const address = () => document.querySelector("a")!.getAttribute("href");
  sessionStorage.setItem("user", "{}");
  startDonateLinks();
  expect(address()).toBe("/donation");
  sessionStorage.clear();
  dispatchEvent(new Event("pageshow"));
  expect(address()).toBe("/login?return=%2Fdonation");
});

test("LOG-3: continuing as a guest sets the guest marker in local storage", () => {
  document.body.innerHTML = '<a data-guest href="/donation">Continue As a Guest User</a>';
  startGuest();
  const link = document.querySelector("a")!;
  link.addEventListener("click", (event) => event.preventDefault());
  expect(localStorage.getItem("guest")).toBeNull();
  link.click();
  expect(localStorage.getItem("guest")).toBe("true");
});

test("NAV-4: a group of the menu opens on a press, one at a time, and Escape closes it and gives focus back", () => {
  const group = (id: string) =>
    `<li><button aria-expanded="false" aria-controls="${id}">${id}</button><ul class="flyout" id="${id}" hidden><li><a href="#${id}">x</a></li></ul></li>`;
  document.body.innerHTML = `<nav class="main-nav"><ul>${group("one")}${group("two")}</ul></nav>`;
  const [first, second] = document.querySelectorAll("button");
  const open = () => [...document.querySelectorAll<HTMLElement>(".flyout:not([hidden])")].map((list) => list.id);
  first!.click();
  expect(open()).toEqual(["one"]);
  second!.click();
  expect(open()).toEqual(["two"]);
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  expect(open()).toEqual([]);
  expect(document.activeElement).toBe(second);
  first!.click();
  document.body.click();
  expect(open()).toEqual([]);
});
