import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

const patient = new AbortController().signal;

/** Asks for bytes and notes in `told` when they are had. */
function asker(budget = createByteBudget({ total: 9, each: 3 })) {
  const told: string[] = [];
  const ask = async (name: string, sender: string, bytes: number, signal: AbortSignal = patient) => {
    const giveBack = await budget({ bytes, sender, signal });
    told.push(giveBack === null ? `${name} gave up` : name);
    return giveBack;
  };
  return { told, ask };
}

test("VOL-11: bytes are handed out in the order of coming, and again when they are given back", async () => {
  const { told, ask } = asker();
  const holds = [await ask("one", "a", 3), await ask("two", "b", 3), await ask("three", "c", 2)];
  const four = ask("four", "d", 2);
  const five = ask("five", "e", 1);
  await sleep(5);
  expect(told).toEqual(["one", "two", "three"]);
  holds[2]!();
  holds[2]!();
  await Promise.all([four, five]);
  expect(told).toEqual(["one", "two", "three", "four", "five"]);
});

test("VOL-11: a sender whose share is in use waits in their own order and holds nobody else up", async () => {
  const { told, ask } = asker();
  const first = await ask("first", "slow", 2);
  void ask("second", "slow", 2);
  void ask("third", "slow", 1);
  await ask("other", "quick", 3);
  await sleep(5);
  expect(told).toEqual(["first", "other"]);
  first!();
  await sleep(5);
  expect(told).toEqual(["first", "other", "second", "third"]);
});

test("VOL-11: what is larger than a share passes alone, and what is larger than all there is as all there is", async () => {
  const { told, ask } = asker();
  const large = await ask("large", "a", 5);
  const more = ask("more", "a", 1);
  await sleep(5);
  expect(told).toEqual(["large"]);
  large!();
  (await more)!();
  expect(await ask("whole", "b", 99)).not.toBeNull();
});

test("VOL-11: who gives up leaves the line to those behind, and holds nothing", async () => {
  const { told, ask } = asker();
  const all = await ask("all", "a", 9);
  const gone = new AbortController();
  const large = ask("large", "b", 9, gone.signal);
  const small = ask("small", "c", 1);
  gone.abort();
  await large;
  expect(await ask("late", "d", 1, gone.signal)).toBeNull();
  all!();
  const held = await small;
  expect(told).toEqual(["all", "large gave up", "late gave up", "small"]);
  held!();
  expect(await ask("again", "e", 9)).not.toBeNull();
});
