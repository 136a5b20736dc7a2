import { expect, test } from "vitest";
import { breakerStatus, type Count, type Guard, nextGuard, windowsBefore } from "./breaker-level.ts";

const now = new Date("2026-11-21T03:00:00Z");
const minutesOn = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const never: Guard = { from: null, until: null };
const guarded: Guard = { from: now, until: minutesOn(60) };

/** The level with the same counts in both windows, or with other counts in the long one. */
const status = (short: Count, { guard = never, long = short, at = now } = {}) =>
  breakerStatus(guard, { short, long }, { now: at, limit: 20 });

test("DON-25: a quiet site and a busy one with the usual mistyped cards stay normal and have room", () => {
  expect(status({ declined: 0, paid: 0 })).toMatchObject({ level: "normal", room: 20 });
  expect(status({ declined: 9, paid: 0 })).toMatchObject({ level: "normal", room: 11 });
  expect(status({ declined: 300, paid: 1000 })).toMatchObject({ level: "normal", room: 220 });
});

test("DON-25: half the limit raises the captcha's cost, all of it leaves no room", () => {
  expect(status({ declined: 10, paid: 0 })).toMatchObject({ level: "raised", room: 10 });
  expect(status({ declined: 20, paid: 0 })).toMatchObject({ level: "raised", room: 0 });
  expect(status({ declined: 20, paid: 4 }).room).toBe(2);
});

test("DON-25: the five minutes show a burst among an hour's many donations, and only the hour shows a patient thief", () => {
  expect(status({ declined: 25, paid: 10 }, { long: { declined: 40, paid: 500 } }).room).toBe(0);
  expect(status({ declined: 2, paid: 0 }, { long: { declined: 24, paid: 8 } }).room).toBe(0);
});

test("DON-25: while guarded, three declines in ten minutes leave no room, and ten in an hour; payments make room", () => {
  const at = minutesOn(1);
  expect(status({ declined: 0, paid: 0 }, { guard: guarded, at })).toMatchObject({ level: "guarded", room: 3 });
  expect(status({ declined: 3, paid: 0 }, { guard: guarded, at }).room).toBe(0);
  expect(status({ declined: 3, paid: 2 }, { guard: guarded, at }).room).toBe(1);
  expect(status({ declined: 0, paid: 0 }, { guard: guarded, at, long: { declined: 10, paid: 0 } }).room).toBe(0);
});

test("DON-25: cards stay guarded for an hour after the last decline that left no room, then all is as before", () => {
  const longer = nextGuard(guarded, minutesOn(30));
  expect(longer).toEqual({ from: now, until: minutesOn(90) });
  expect(status({ declined: 0, paid: 0 }, { guard: longer, at: minutesOn(89) }).level).toBe("guarded");
  expect(status({ declined: 0, paid: 0 }, { guard: longer, at: minutesOn(90) })).toMatchObject({ level: "normal" });
  expect(nextGuard(longer, minutesOn(200))).toEqual({ from: minutesOn(200), until: minutesOn(260) });
});

test("DON-25: payments from before or during a guard never count again", () => {
  expect(windowsBefore(minutesOn(6), guarded)).toEqual({ short: now, long: now });
  expect(windowsBefore(minutesOn(30), guarded)).toEqual({ short: minutesOn(20), long: now });
  expect(windowsBefore(minutesOn(62), guarded)).toEqual({ short: minutesOn(60), long: minutesOn(60) });
  expect(windowsBefore(minutesOn(150), never)).toEqual({ short: minutesOn(145), long: minutesOn(90) });
});
