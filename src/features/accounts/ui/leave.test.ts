// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leaveFor } from "./leave.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const overlay = () => document.querySelector(".loader");
const show = (persisted: boolean) => dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));

test("LAY-2, LOG-6: the page shows that the next one is loading until it comes, or until this one is shown again", async () => {
  const left = leaveFor("#next");
  expect(location.hash).toBe("#next");
  await vi.advanceTimersByTimeAsync(200);
  show(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(overlay()).not.toBeNull();
  show(true);
  await left;
  expect(overlay()).toBeNull();
});

test("LAY-2: if the next page never comes, this one can be used again", async () => {
  const left = leaveFor("#next");
  await vi.advanceTimersByTimeAsync(9999);
  expect(overlay()).not.toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  await left;
  expect(overlay()).toBeNull();
});
