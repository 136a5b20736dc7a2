// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showAlert, whileLoading } from "./feedback.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // jsdom has no top layer for dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

const overlay = () => document.querySelector("[role=status]");

test("LAY-9: an alert is modal, shows its text, focuses its OK button and closes when that is pressed", async () => {
  const closed = showAlert("reCAPTCHA verification failed. Please try again.");
  const dialog = document.querySelector("[role=alertdialog]")!;
  expect(document.getElementById(dialog.getAttribute("aria-labelledby")!)?.textContent).toBe(
    "reCAPTCHA verification failed. Please try again.",
  );
  const buttons = [...dialog.querySelectorAll("button")];
  expect(buttons.map((button) => button.textContent)).toEqual(["OK"]);
  expect(document.activeElement).toBe(buttons[0]);
  buttons[0]!.click();
  await closed;
  expect(document.querySelector("dialog")).toBeNull();
});

test("LAY-2: the overlay shows after 150 ms, is announced after a second, and fast work never shows it", async () => {
  document.body.innerHTML = "<main></main>";
  await whileLoading(Promise.resolve());
  await vi.advanceTimersByTimeAsync(2000);
  expect(overlay()).toBeNull();
  let finish = () => {};
  const work = whileLoading(
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  );
  await vi.advanceTimersByTimeAsync(149);
  expect(overlay()).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(overlay()?.textContent).toBe("Loading");
  expect(overlay()?.getAttribute("aria-live")).toBe("off");
  await vi.advanceTimersByTimeAsync(850);
  expect(overlay()?.getAttribute("aria-live")).toBe("polite");
  finish();
  await work;
  expect(overlay()).toBeNull();
  expect(document.querySelector("[aria-busy]")).toBeNull();
});

test("LAY-2: the overlay says what the person waits for, and its announcement repeats it", async () => {
  let finish = () => {};
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const loading = whileLoading(work, "We’ve sent your payment");
  await vi.advanceTimersByTimeAsync(150);
  expect(overlay()?.textContent).toBe("We’ve sent your payment");
  await vi.advanceTimersByTimeAsync(850);
  expect(overlay()?.textContent).toBe("We’ve sent your payment …");
  finish();
  await loading;
});

test("LAY-2: the overlay closes when work fails, and only when nothing else is pending", async () => {
  let fail = (_: Error) => {};
  let finish = () => {};
  const failing = whileLoading(
    new Promise((_, reject) => {
      fail = reject;
    }),
  );
  const other = whileLoading(
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  );
  await vi.advanceTimersByTimeAsync(200);
  fail(new Error("no answer"));
  await expect(failing).rejects.toThrow("no answer");
  expect(overlay()).not.toBeNull();
  finish();
  await other;
  expect(overlay()).toBeNull();
});
