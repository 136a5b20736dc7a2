import { expect, test } from "vitest";
import { type Count, nextPause, type Pauses, standingOf, windowsBefore } from "./breaker-level.ts";

const now = new Date("2026-11-21T03:00:00Z");
const minutesOn = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const never: Pauses = { pauses: 0, pausedUntil: null };

/** Where it stands with the same counts in both windows, or with another count in the hour before. */
const standing = (short: Count, { memory = never, long = short, at = now } = {}) =>
  standingOf(memory, { short, long }, { now: at, limit: 20 });

test("DON-25: a quiet site, and a busy one with its share of mistyped cards, stay normal and have room", () => {
  expect(standing({ declined: 0, paid: 0 })).toMatchObject({ level: "normal", room: 20 });
  expect(standing({ declined: 9, paid: 0 })).toMatchObject({ level: "normal", room: 11 });
  expect(standing({ declined: 300, paid: 1000 })).toMatchObject({ level: "normal", room: 220 });
});

test("DON-25: half the limit raises the captcha's cost, all of it leaves no room", () => {
  expect(standing({ declined: 10, paid: 0 })).toMatchObject({ level: "raised", room: 10 });
  expect(standing({ declined: 20, paid: 0 })).toMatchObject({ level: "raised", room: 0 });
  expect(standing({ declined: 20, paid: 4 }).room).toBe(2);
});

test("DON-25: a burst shows in five minutes among many gifts of the hour, a patient thief in the hour alone", () => {
  expect(standing({ declined: 25, paid: 10 }, { long: { declined: 40, paid: 500 } }).room).toBe(0);
  expect(standing({ declined: 2, paid: 0 }, { long: { declined: 24, paid: 8 } }).room).toBe(0);
});

test("DON-25: pauses grow from five minutes to half an hour while an attack goes on, and begin anew an hour after it", () => {
  let memory = never;
  let at = now;
  const minutes: number[] = [];
  for (let pause = 0; pause < 6; pause += 1) {
    memory = nextPause(memory, at);
    minutes.push((memory.pausedUntil!.getTime() - at.getTime()) / 60_000);
    at = new Date(memory.pausedUntil!.getTime() + 59 * 60_000);
  }
  expect(minutes).toEqual([5, 10, 20, 30, 30, 30]);
  expect(nextPause(memory, new Date(memory.pausedUntil!.getTime() + 61 * 60_000)).pauses).toBe(1);
});

test("DON-25: paused says for how long; after it three declines are enough for an hour, then twenty again", () => {
  const memory = { pauses: 1, pausedUntil: minutesOn(5) };
  expect(standing({ declined: 0, paid: 0 }, { memory })).toMatchObject({ level: "paused", retryAfterSeconds: 300 });
  const after = (declined: number, minutes: number) =>
    standing({ declined, paid: 0 }, { memory, at: minutesOn(minutes) });
  expect(after(0, 6)).toMatchObject({ level: "raised", room: 3 });
  expect(after(3, 64)).toMatchObject({ level: "raised", room: 0 });
  expect(after(3, 66)).toMatchObject({ level: "normal", room: 17 });
});

test("DON-25: what came before a pause ended never counts again", () => {
  const memory = { pauses: 1, pausedUntil: minutesOn(5) };
  expect(windowsBefore(minutesOn(6), memory)).toEqual({ short: minutesOn(5), long: minutesOn(5) });
  expect(windowsBefore(minutesOn(30), memory)).toEqual({ short: minutesOn(25), long: minutesOn(5) });
  expect(windowsBefore(minutesOn(90), never)).toEqual({ short: minutesOn(85), long: minutesOn(30) });
});
