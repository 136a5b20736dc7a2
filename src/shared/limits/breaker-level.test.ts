import { expect, test } from "vitest";
import { breakerLevel, type Tally } from "./breaker-level.ts";

const start = 1_800_000_000;
const level = (tallies: readonly Tally[], second: number) => breakerLevel(tallies, start + second, 20);

/** One tally a second over [from, to): `declined` of `settled` payments. */
function stream(from: number, to: number, declined: number, settled: number): Tally[] {
  return Array.from({ length: to - from }, (_, index) => ({ second: start + from + index, settled, declined }));
}
const at = (second: number, declined: number, settled: number) => stream(second, second + 1, declined, settled);

test("DON-25: a quiet site, and a busy one whose cards are good, stay normal", () => {
  expect(level([], 0)).toBe("normal");
  expect(level(stream(0, 600, 1, 3), 599)).toBe("normal");
  expect(level(stream(0, 600, 5, 10), 599)).toBe("normal");
});

test("DON-25: a few donors whose cards are declined are no attack", () => {
  expect(level(at(0, 10, 10), 1)).toBe("normal");
  expect(level([...at(0, 6, 6), ...at(100, 6, 6)], 200)).toBe("normal");
});

test("DON-25: more than half of at least twenty in five minutes raises, and it ends when they are past", () => {
  const spread = [...at(0, 4, 7), ...at(100, 4, 7), ...at(200, 3, 6)];
  expect(level(spread, 199)).toBe("normal");
  expect(level(spread, 200)).toBe("raised");
  expect(level(spread, 299)).toBe("raised");
  expect(level(spread, 300)).toBe("normal");
  expect(level([...at(0, 4, 7), ...at(100, 3, 6), ...at(200, 3, 7)], 200)).toBe("normal");
});

test("DON-25: more than ten declines in a minute raise when they are more than half", () => {
  expect(level(at(0, 11, 11), 0)).toBe("raised");
  expect(level(at(0, 11, 11), 60)).toBe("normal");
  expect(level(at(0, 11, 22), 0)).toBe("normal");
});

test("DON-25: cards are paused only after a minute of raised, for five minutes, and raised follows", () => {
  const attack = stream(0, 62, 1, 1);
  expect(level(attack, 9)).toBe("normal");
  expect(level(attack, 10)).toBe("raised");
  expect(level(attack, 69)).toBe("raised");
  expect(level(attack, 70)).toBe("paused");
  expect(level(attack, 369)).toBe("paused");
  expect(level(attack, 370)).toBe("raised");
  expect(level(attack, 669)).toBe("raised");
  expect(level(attack, 670)).toBe("normal");
});

test("DON-25: one burst is not enough by itself, nor is 80 % of declines or a small number", () => {
  expect(level(at(0, 500, 500), 59)).toBe("raised");
  expect(level(stream(0, 300, 8, 10), 299)).toBe("raised");
  expect(level(stream(0, 300, 1, 1).slice(0, 59), 299)).toBe("raised");
});

test("DON-25: what was declined before a pause ended does not pause again, but a second attack does", () => {
  const first = stream(0, 62, 5, 5);
  const straggling = stream(200, 300, 5, 5);
  const pauseBegins = 62;
  expect(level(first, pauseBegins)).toBe("paused");
  for (let second = pauseBegins + 300; second < pauseBegins + 600; second += 7) {
    expect(level([...first, ...straggling], second)).toBe("raised");
  }
  const second = stream(pauseBegins + 300, pauseBegins + 400, 1, 1);
  expect(level([...first, ...straggling, ...second], pauseBegins + 358)).toBe("raised");
  expect(level([...first, ...straggling, ...second], pauseBegins + 399)).toBe("paused");
});

test("DON-25: the order in which rows are read, and how a second is split, change nothing", () => {
  const attack = stream(0, 62, 2, 2);
  const split = [...stream(0, 62, 1, 1), ...stream(0, 62, 1, 1)].reverse();
  for (let second = 0; second < 700; second += 11) expect(level(split, second)).toBe(level(attack, second));
});
