import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

const patient = new AbortController().signal;

/** Requests bytes, and records in `granted` when they are granted. */
function openSenders(budget = createByteBudget({ total: 9, each: 3 })) {
  const granted: string[] = [];
  const reserve = async (name: string, sender: string, bytes: number, signal: AbortSignal = patient) => {
    const giveBack = await budget({ bytes, sender, signal });
    granted.push(giveBack === null ? `${name} gave up` : name);
    return giveBack;
  };
  return { granted, reserve };
}

test("VOL-11: bytes are granted in order of request, and again once released", async () => {
  const { granted, reserve } = openSenders();
  const holds = [await reserve("one", "a", 3), await reserve("two", "b", 3), await reserve("three", "c", 2)];
  const four = reserve("four", "d", 2);
  const five = reserve("five", "e", 1);
  await sleep(5);
  expect(granted).toEqual(["one", "two", "three"]);
  holds[2]!();
  holds[2]!();
  await Promise.all([four, five]);
  expect(granted).toEqual(["one", "two", "three", "four", "five"]);
});

test("VOL-11: a sender whose share is used up waits without holding up others", async () => {
  const { granted, reserve } = openSenders();
  const first = await reserve("first", "slow", 2);
  void reserve("second", "slow", 2);
  void reserve("third", "slow", 1);
  await reserve("other", "quick", 3);
  await sleep(5);
  expect(granted).toEqual(["first", "other"]);
  first!();
  await sleep(5);
  expect(granted).toEqual(["first", "other", "second", "third"]);
});

test("VOL-11: a request above one share runs alone, and one above the whole budget counts as the whole", async () => {
  const { granted, reserve } = openSenders();
  const large = await reserve("large", "a", 5);
  const more = reserve("more", "a", 1);
  await sleep(5);
  expect(granted).toEqual(["large"]);
  large!();
  (await more)!();
  expect(await reserve("whole", "b", 99)).not.toBeNull();
});

test("VOL-11: a sender who gives up leaves the queue and holds nothing", async () => {
  const { granted, reserve } = openSenders();
  const all = await reserve("all", "a", 9);
  const gone = new AbortController();
  const large = reserve("large", "b", 9, gone.signal);
  const small = reserve("small", "c", 1);
  gone.abort();
  await large;
  expect(await reserve("late", "d", 1, gone.signal)).toBeNull();
  all!();
  const held = await small;
  expect(granted).toEqual(["all", "large gave up", "late gave up", "small"]);
  held!();
  expect(await reserve("again", "e", 9)).not.toBeNull();
});
