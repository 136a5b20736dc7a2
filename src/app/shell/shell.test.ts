// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startGuest } from "#features/accounts/ui/entrance/guest.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { setCookie } from "#test/cookies.ts";
import { startDisclosures } from "./disclosures.ts";
import { watchSession } from "./session.ts";
import { startToasts } from "./toasts.ts";

startToasts();
startDisclosures();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
  localStorage.clear();
  setCookie("user=; max-age=0");
});

const toasts = () => [...document.querySelectorAll(".toast p")].map((line) => line.textContent);
const withToasts = '<div class="toasts"><div role="status"></div><div role="alert"></div></div>';

test("LAY-7: a toast disappears after 10000 ms, a duplicate is not added, and an error is an alert", () => {
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

test("LOG-15, LAY-7: a toast may have a title; the same text is not added twice with it", () => {
  document.body.innerHTML = withToasts;
  showToast("This email address already has an account.", "bad", "ERROR!");
  showToast("This email address already has an account.", "bad", "ERROR!");
  expect(toasts()).toEqual(["This email address already has an account."]);
  expect(document.querySelector(".toast b")?.textContent).toBe("ERROR!");
});

test("LOG-21: a message left for the next page shows above it until it is dismissed, and only once", () => {
  document.body.innerHTML = `<main><div class="arrival" role="status"></div></main>${withToasts}`;
  sessionStorage.setItem("arrival", "Welcome, <b>Sana</b>.");
  startToasts();
  startToasts();
  const said = () => [...document.querySelectorAll(".arrival p")].map((line) => line.textContent);
  vi.advanceTimersByTime(60_000);
  expect(said()).toEqual(["Welcome, <b>Sana</b>."]);
  expect(toasts()).toEqual([]);
  document.querySelector<HTMLButtonElement>(".arrival button")!.click();
  expect(said()).toEqual([]);
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

const forEverybody = `
  <a data-member="no" href="/login">Log in</a>
  <nav data-member="" hidden><button data-first-name></button> <b data-first-name="initial"></b></nav>`;
const shown = () =>
  [...document.querySelectorAll<HTMLElement>("[data-member]:not([hidden])")].map((part) => part.textContent);
const logOutElsewhere = () => setCookie("user=; max-age=0");

test("NAV-5: with a session the header shows the person", () => {
  document.body.innerHTML = forEverybody;
  setCookie("user=7");
  sessionStorage.setItem("user", JSON.stringify({ user_id: 7, first_name: "Sana <b>" }));
  watchSession();
  expect(shown()).toEqual(["Sana <b> S"]);
});

test("NAV-5, LOG-17: a log-out in another tab empties session storage as soon as this one is visible again", () => {
  document.body.innerHTML = forEverybody;
  setCookie("user=7");
  sessionStorage.setItem("user", JSON.stringify({ user_id: 7, first_name: "Sana" }));
  watchSession();
  for (const event of ["pageshow", "storage", "visibilitychange"]) {
    setCookie("user=7");
    sessionStorage.setItem("user", JSON.stringify({ user_id: 7, first_name: "Sana" }));
    dispatchEvent(new Event("almoner:session"));
    expect(shown(), event).toEqual(["Sana S"]);
    logOutElsewhere();
    dispatchEvent(new Event(event));
    expect(shown(), event).toEqual(["Log in"]);
    expect(sessionStorage.getItem("user"), event).toBeNull();
  }
});

test("LOG-17: another user's record is dropped, and a damaged one does no harm", () => {
  document.body.innerHTML = forEverybody;
  setCookie("user=8");
  sessionStorage.setItem("user", JSON.stringify({ user_id: 7, first_name: "Sana" }));
  watchSession();
  expect(shown()).toEqual(["Log in"]);
  expect(sessionStorage.getItem("user")).toBeNull();
  sessionStorage.setItem("user", "{damaged");
  dispatchEvent(new Event("pageshow"));
  expect(shown()).toEqual(["Log in"]);
});

test("LOG-3: continuing as a guest sets the guest marker in local storage, and keeps the return path", () => {
  document.body.innerHTML = `<a data-guest href="/login/guest">Continue As a Guest User</a><p data-no-cookies hidden></p>`;
  history.replaceState(null, "", "/login?return=%2Fdonation%3Fcause%3Dhomes");
  startGuest();
  history.replaceState(null, "", "/");
  const link = document.querySelector("a")!;
  expect(link.getAttribute("href")).toMatch(/\/login\/guest\?return=%2Fdonation%3Fcause%3Dhomes$/);
  expect(document.querySelector("p")!.hidden).toBe(true);
  link.addEventListener("click", (event) => event.preventDefault());
  expect(localStorage.getItem("guest")).toBeNull();
  link.click();
  expect(localStorage.getItem("guest")).toBe("true");
});

test("LOG-3: on the way to a donation the guest's way comes before the log-in, and otherwise after it", () => {
  const main = `<main><h1>Log in</h1><form></form><section><a data-guest href="/login/guest">Guest</a></section></main>`;
  const order = (cameFrom: string) => {
    document.body.innerHTML = main;
    document.documentElement.dataset.cameFrom = cameFrom;
    startGuest();
    delete document.documentElement.dataset.cameFrom;
    return [...document.querySelectorAll("main > *")].map(({ localName }) => localName);
  };
  expect(order("/donation")).toEqual(["h1", "section", "form"]);
  expect(order("/profile")).toEqual(["h1", "form", "section"]);
});

test("LOG-3: if cookies are blocked, the log-in page says how else to donate", () => {
  document.body.innerHTML = `<a data-guest href="/login/guest">Continue As a Guest User</a><p data-no-cookies hidden></p>`;
  vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false);
  startGuest();
  expect(document.querySelector("p")!.hidden).toBe(false);
  vi.restoreAllMocks();
});

test("NAV-4: a menu group opens on a click, one at a time, and Escape closes it and returns focus", () => {
  const group = (id: string) =>
    `<li><button aria-expanded="false" aria-controls="${id}">${id}</button><ul class="flyout" id="${id}" hidden><li><a href="#${id}">x</a></li></ul></li>`;
  document.body.innerHTML = `<nav class="site-head main-nav"><ul>${group("one")}${group("two")}</ul></nav>`;
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
