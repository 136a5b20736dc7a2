import { effortBeyond, MAX_EFFORT } from "#shared/limits/effort.ts";

// How long seats are held, and what a hold costs. Pure, so that the simulated attacks run the same rules.

/** What decides about a new hold. "Within the hour" means the last hour. */
export type HoldFacts = {
  /** Seats requested now. */
  readonly wanted: number;
  /** Seats of all types of the event. `held` leaves out the hold that this one replaces. */
  readonly capacity: number;
  readonly sold: number;
  readonly held: number;
  /** Seats × milliseconds of unpaid holds that this network address began within the hour. */
  readonly unpaidSeatMs: number;
  /** Seats that this network address holds now. */
  readonly liveSeats: number;
  /** Paid seats in orders that this network address began within the hour. */
  readonly paidSeats: number;
  /** The same for the whole event; lapsed holds only. */
  readonly eventLapsedSeatMs: number;
  readonly eventPaidSeats: number;
};

type HoldRules = {
  /** How long seats are held while an event has plenty. */
  readonly holdMs: number;
  /** Seats that one network address may hold without a captcha before any of its orders is paid. */
  readonly freeSeats: number;
};

export type HoldTerms = {
  readonly holdMs: number;
  /** How hard the captcha must be; 1 for none. */
  readonly effort: number;
  readonly isRefused: boolean;
};

/** Further seats that an address may hold for each paid seat. */
const CREDIT = 2;
/** An address may hold this share of the free seats, or twice `freeSeats` if that is more. */
const MAX_SHARE = 1 / 8;
/** Beyond that, an address may still hold this many with the hardest captcha, because several people may share it. */
const RESERVED_SEATS = 4;
/** Seats of an event that may lapse before holding becomes harder. */
const LAPSED_FREE = 20;

/** All of `holdMs` while half of the seats are free, two thirds of it down to a fifth, then one third. */
export function holdLength({ capacity, sold, held }: Pick<HoldFacts, "capacity" | "sold" | "held">, holdMs: number) {
  const free = (capacity - sold - held) / Math.max(1, capacity);
  return Math.round(holdMs * (free >= 1 / 2 ? 1 : free >= 1 / 5 ? 2 / 3 : 1 / 3));
}

/** How long seats are held, and the captcha's effort, by how the address and the event were used so far. */
export function judgeHold(facts: HoldFacts, { holdMs: whole, freeSeats }: HoldRules): HoldTerms {
  const { wanted, capacity, sold, held } = facts;
  const holdMs = holdLength(facts, whole);
  // A hold half as long counts half.
  const used = facts.unpaidSeatMs / holdMs + wanted;
  const credit = CREDIT * facts.paidSeats;
  const max = Math.max(2 * freeSeats, (capacity - sold - held) * MAX_SHARE);
  if (used > max + credit) {
    const isReserved = facts.liveSeats + wanted <= RESERVED_SEATS;
    return { holdMs, effort: MAX_EFFORT, isRefused: !isReserved };
  }
  const effort = Math.max(
    effortBeyond(used - freeSeats - credit, freeSeats),
    effortOfCrowd((held + wanted) / Math.max(1, capacity - sold)),
    effortOfLapses(facts.eventLapsedSeatMs / holdMs / (LAPSED_FREE + facts.eventPaidSeats)),
  );
  return { holdMs, effort, isRefused: false };
}

/** Harder while a large share of the unsold seats is held, because nobody knows yet by whom. */
function effortOfCrowd(heldShare: number): number {
  if (heldShare < 1 / 4) return 1;
  if (heldShare < 1 / 2) return 2;
  return heldShare < 3 / 4 ? 4 : 8;
}

/** `ratio`: lapsed seats for each paid one. */
function effortOfLapses(ratio: number): number {
  if (ratio < 1) return 1;
  if (ratio < 2) return 4;
  return ratio < 4 ? 8 : 16;
}
