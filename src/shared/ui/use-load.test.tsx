// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { lazyPart, useLoad, useTries } from "./use-load.tsx";

afterEach(cleanup);

/** Loads for the test to end, in the order they started. */
function scriptedLoads() {
  const begun: PromiseWithResolvers<string>[] = [];
  const load = () => {
    begun.push(Promise.withResolvers<string>());
    return begun.at(-1)!.promise;
  };
  return {
    load,
    count: () => begun.length,
    end: (index: number, data: string) => act(async () => begun[index]!.resolve(data)),
    fail: (index: number, message: string) => act(async () => begun[index]!.reject(new Error(message))),
  };
}

type Options = Parameters<typeof useLoad<string>>[1];
const open = (load: () => Promise<string>, options: Options = {}) =>
  renderHook((changed: Options) => useLoad(load, changed), { initialProps: options });

test("a failure shows until the next try, and earlier data stays meanwhile", async () => {
  const { load, count, end, fail } = scriptedLoads();
  const { result } = open(load);
  await fail(0, "no answer");
  expect(result.current).toMatchObject({ data: undefined, error: { message: "no answer" } });
  act(result.current.reload);
  expect(result.current.error).toBeUndefined();
  await end(1, "first");
  expect(result.current).toMatchObject({ data: "first", error: undefined });
  act(result.current.reload);
  await fail(2, "still none");
  expect(result.current).toMatchObject({ data: "first", error: { message: "still none" } });
  expect(count()).toBe(3);
});

test("an answer for another key, or after a newer try, is not shown", async () => {
  const { load, end } = scriptedLoads();
  const { result, rerender } = open(load, { of: "Australia" });
  await end(0, "Victoria");
  rerender({ of: "Pakistan" });
  expect(result.current.data).toBeUndefined();
  rerender({ of: "Japan" });
  await end(2, "Hokkaido");
  await end(1, "Sindh");
  expect(result.current.data).toBe("Hokkaido");
});

test("nothing loads before it is needed, and known data shows immediately", () => {
  const { load, count } = scriptedLoads();
  const { result, rerender } = open(load, { isWanted: false, known: "known" });
  expect(result.current.data).toBe("known");
  expect(count()).toBe(0);
  rerender({ isWanted: true });
  expect(count()).toBe(1);
});

test("each try ends before the next, and when its component unmounts", () => {
  const shown: string[] = [];
  const begin = (tries: number) => {
    shown.push(`begin ${tries}`);
    return () => void shown.push(`end ${tries}`);
  };
  const { result, unmount } = renderHook(() => useTries("card", begin));
  act(result.current.tryAgain);
  unmount();
  expect(shown).toEqual(["begin 0", "end 0", "begin 1", "end 1"]);
});

test("lazy code is fetched once, and again after a failure", async () => {
  const fetchPart = vi.fn(async () => "steps").mockRejectedValueOnce(new Error("offline"));
  const part = lazyPart(fetchPart);
  await expect(part.load()).rejects.toThrow("offline");
  expect(part.known()).toBeUndefined();
  expect(await part.load()).toBe("steps");
  await part.load();
  expect(part.known()).toBe("steps");
  expect(fetchPart).toHaveBeenCalledTimes(2);
});
