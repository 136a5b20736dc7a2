import { effortBeyond, HIGHEST_EFFORT } from "#shared/captcha/effort.ts";

// For how long seats are held, and what holding costs. Pure: the server and the simulation of attacks run the same rules.

/** What is known when somebody wants to hold seats of an event. "Within the hour" is the last one. */
export type HoldFacts = {
  /** Seats that are wanted now. */
  readonly wanted: number;
  /** Seats of all types of the event; `held` by others than the hold that this one replaces. */
  readonly capacity: number;
  readonly sold: number;
  readonly held: number;
  /** Seats × milliseconds that holds of this network address, begun within the hour, kept or keep without a payment. */
  readonly unpaidSeatMs: number;
  /** Seats that this network address holds at this moment. */
  readonly liveSeats: number;
  /** Seats that orders of this network address, begun within the hour, have paid for. */
  readonly paidSeats: number;
  /** The same two for the whole event; of holds that are over. */
  readonly eventLapsedSeatMs: number;
  readonly eventPaidSeats: number;
};

export type HoldRules = {
  /** For how long seats are held while an event has many. */
  readonly holdMs: number;
  /** Seats that one network address may hold without a captcha before any of its orders is paid. */
  readonly freeSeats: number;
};

export type HoldTerms = {
  readonly holdMs: number;
  /** What a captcha must be worth; 1 for none. */
  readonly effort: number;
  readonly isRefused: boolean;
};

/** One paid seat lets its address hold so many more. */
const CREDIT = 2;
/** An address may hold this share of what is left, or twice the free seats where that is more. */
const MOST_SHARE = 1 / 8;
/** An address that is beyond that may still hold so many at a time, with the dearest captcha: others may share it. */
const RESERVED_SEATS = 4;
/** An event may lose so many seats to holds that lapse before that makes holding dearer. */
const LAPSED_FREE = 20;

/** The whole time while half of the seats are free, two thirds of it down to a fifth, then one third. */
export function holdLength({ capacity, sold, held }: Pick<HoldFacts, "capacity" | "sold" | "held">, holdMs: number) {
  const free = (capacity - sold - held) / Math.max(1, capacity);
  return Math.round(holdMs * (free >= 1 / 2 ? 1 : free >= 1 / 5 ? 2 / 3 : 1 / 3));
}

export function judgeHold(facts: HoldFacts, { holdMs: whole, freeSeats }: HoldRules): HoldTerms {
  const { wanted, capacity, sold, held } = facts;
  const holdMs = holdLength(facts, whole);
  // Holds that are half as long count half.
  const used = facts.unpaidSeatMs / holdMs + wanted;
  const credit = CREDIT * facts.paidSeats;
  const most = Math.max(2 * freeSeats, (capacity - sold - held) * MOST_SHARE);
  if (used > most + credit) {
    const isReserved = facts.liveSeats + wanted <= RESERVED_SEATS;
    return { holdMs, effort: HIGHEST_EFFORT, isRefused: !isReserved };
  }
  const effort = Math.max(
    effortBeyond(used - freeSeats - credit, freeSeats),
    effortOfCrowd((held + wanted) / Math.max(1, capacity - sold)),
    effortOfLapses(facts.eventLapsedSeatMs / holdMs / (LAPSED_FREE + facts.eventPaidSeats)),
  );
  return { holdMs, effort, isRefused: false };
}

/** While much of what is not sold is held, nobody knows yet by whom. */
function effortOfCrowd(heldShare: number): number {
  if (heldShare < 1 / 4) return 1;
  if (heldShare < 1 / 2) return 2;
  return heldShare < 3 / 4 ? 4 : 8;
}

/** Seats of holds that lapsed, for each that was paid. */
function effortOfLapses(ratio: number): number {
  if (ratio < 1) return 1;
  if (ratio < 2) return 4;
  return ratio < 4 ? 8 : 16;
}
