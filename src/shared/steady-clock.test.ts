import { expect, test } from "vitest";
import { createSteadyClock } from "./steady-clock.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 10, 22);

function open() {
  let passed = 0;
  let shift = 0;
  const now = createSteadyClock(
    () => start + passed + shift,
    () => passed,
  );
  return {
    now: () => now().getTime() - start,
    pass: (milliseconds: number) => {
      passed += milliseconds;
    },
    jump: (milliseconds: number) => {
      shift += milliseconds;
    },
  };
}

test("REL-10: the clock follows the machine's", () => {
  const { now, pass } = open();
  pass(15 * minute);
  expect(now()).toBe(15 * minute);
});

test.each([1, -1])(
  "REL-10: a jump of %d h is not followed, and changes a quarter of an hour by at most nine seconds",
  (hours) => {
    const { now, pass, jump } = open();
    jump(hours * hour);
    expect(now()).toBe(0);
    pass(15 * minute);
    expect(Math.abs(now() - 15 * minute)).toBeLessThanOrEqual(9000);
  },
);

test.each([1, -1])("REL-10: a jump of %d h is caught up in a hundred hours, and the time never goes back", (hours) => {
  const { now, pass, jump } = open();
  jump(hours * hour);
  let before = now();
  for (let minutes = 0; minutes < 101 * 60; minutes += 1) {
    pass(minute);
    expect(now()).toBeGreaterThan(before);
    before = now();
  }
  expect(now()).toBe(101 * hour + hours * hour);
});

test("REL-10: a jump forth and back has no effect", () => {
  const { now, pass, jump } = open();
  jump(hour);
  pass(minute);
  now();
  jump(-hour);
  pass(minute);
  expect(now()).toBe(2 * minute);
});

test("REL-10: after the machine sleeps a night, the time is right immediately", () => {
  const { now, jump } = open();
  jump(8 * hour);
  expect(now()).toBe(8 * hour);
});
