import { expect, test } from "vitest";
import { type HoldFacts, holdLength, judgeHold } from "./hold-rules.ts";

const MINUTE = 60_000;
const rules = { holdMs: 15 * MINUTE, freeSeats: 10 };
const quiet: HoldFacts = {
  wanted: 2,
  capacity: 1000,
  sold: 0,
  held: 0,
  unpaidSeatMs: 0,
  liveSeats: 0,
  paidSeats: 0,
  eventLapsedSeatMs: 0,
  eventPaidSeats: 0,
};
const judge = (changes: Partial<HoldFacts>) => judgeHold({ ...quiet, ...changes }, rules);
const held = (seats: number, minutes = 15) => seats * minutes * MINUTE;

test("SEC-5: an ordinary buyer needs no captcha, not even for a large order", () => {
  expect(judge({})).toEqual({ holdMs: 15 * MINUTE, effort: 1, isRefused: false });
  expect(judge({ wanted: 10 }).effort).toBe(1);
});

test("SEC-5: an address that holds without paying needs harder captchas, then gets only a few seats", () => {
  const efforts = [9, 10, 20, 30, 40, 60].map((seats) => judge({ wanted: 1, unpaidSeatMs: held(seats) }).effort);
  expect(efforts).toEqual([1, 4, 8, 16, 32, 32]);
  const most = { unpaidSeatMs: held(125) };
  expect(judge(most)).toMatchObject({ effort: 32, isRefused: false });
  expect(judge({ ...most, wanted: 5 }).isRefused).toBe(true);
  expect(judge({ ...most, liveSeats: 3 }).isRefused).toBe(true);
});

test("SEC-5: people who share an address can keep holding seats while its orders are paid", () => {
  expect(judge({ unpaidSeatMs: held(40) })).toMatchObject({ effort: 32 });
  expect(judge({ unpaidSeatMs: held(40), paidSeats: 20 })).toMatchObject({ effort: 1, isRefused: false });
});

test("SEC-5: holds that end early count only for their time, so that changing one's mind costs nothing", () => {
  expect(judge({ wanted: 4, unpaidSeatMs: held(40, 1) }).effort).toBe(1);
});

test("SEC-5: captchas are harder while much of an event is held, or many of its holds lapse", () => {
  const byHeld = [200, 300, 600, 900].map((seats) => judge({ held: seats }).effort);
  expect(byHeld).toEqual([1, 2, 4, 8]);
  const byLapsed = [10, 20, 60, 100].map((seats) => judge({ eventLapsedSeatMs: held(seats) }).effort);
  expect(byLapsed).toEqual([1, 4, 8, 16]);
  expect(judge({ eventLapsedSeatMs: held(100), eventPaidSeats: 200 }).effort).toBe(1);
});

test("TIC-6, SEC-5: seats are held for the full time while half are free, and for a third of it once less than a fifth is", () => {
  const minutes = [0, 500, 501, 800, 801, 1000].map((sold) => holdLength({ ...quiet, sold }, rules.holdMs) / MINUTE);
  expect(minutes).toEqual([15, 15, 10, 10, 5, 5]);
});
