import { expect, test } from "vitest";
import { doEach } from "./do-each.ts";

test("REL-13: a run gets to every item, and fails in the end with each that failed and why", async () => {
  const done: number[] = [];
  const run = doEach([7, 8, 9], async (item) => {
    if (item < 9) throw new Error(`no ${item}`);
    done.push(item);
  });
  const failure: AggregateError = await run.then(
    () => null,
    (error) => error,
  );
  expect(done).toEqual([9]);
  expect(failure.message).toBe("failed for 2 of 3");
  expect(failure.errors.map(({ message, cause }) => [message, cause.message])).toEqual([
    ["failed for 7", "no 7"],
    ["failed for 8", "no 8"],
  ]);
});
