// @vitest-environment jsdom
import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { answerCalls, done } from "#test/pages/account-answers.ts";
import { loadCalls } from "./load-calls.ts";
import { useMobileDoubt } from "./use-mobile-doubt.ts";

afterEach(() => vi.useRealTimers());

test("LOG-13: a number is checked once its field is left, but not while the form is being sent", async () => {
  const sent = answerCalls({ "/mobile-check": done({ isLikely: false }) });
  await loadCalls();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const typed = { country: "Australia", dialCode: "61", mobile: "0412 345 678", isLeft: true };
  const { result, rerender } = renderHook((isSending: boolean) => useMobileDoubt({ ...typed, isSending }), {
    initialProps: true,
  });
  vi.advanceTimersByTime(1000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);
  rerender(false);
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  await waitFor(() => expect(result.current).toMatch(/doesn’t look like a mobile number in Australia/));
  expect(sent).toHaveLength(1);
});
