import { expect, test } from "vitest";
import { pageOf, readCursor } from "#shared/contract/paging.ts";

test("API-2: a cursor is read back as it was written, and anything else is ignored", () => {
  const { next } = pageOf(
    [
      { key: "2026-10-14", id: 12 },
      { key: "2026-10-13", id: 3 },
    ],
    1,
    (cursor) => cursor,
  );
  expect(readCursor(next!)).toEqual({ key: "2026-10-14", id: 12 });
  expect(readCursor("2026-10-14T08:00:00.123Z_7")).toEqual({ key: "2026-10-14T08:00:00.123Z", id: 7 });
  for (const text of [
    "",
    "12",
    "2026-10-14",
    "2026-02-30_1",
    "2026-13-01_1",
    "2026-10-14_x",
    "2026-10-14_1' or 1",
    "_1",
  ]) {
    expect(readCursor(text), text).toBeNull();
  }
});

test("API-2: the last page has no next page, even when it is full", () => {
  const cursorOf = (id: number) => ({ key: "2026-01-01", id });
  expect(pageOf([1, 2, 3], 3, cursorOf)).toEqual({ items: [1, 2, 3], next: null });
  expect(pageOf([], 3, cursorOf)).toEqual({ items: [], next: null });
  expect(pageOf([1, 2, 3, 4], 3, cursorOf)).toEqual({ items: [1, 2, 3], next: "2026-01-01_3" });
});
