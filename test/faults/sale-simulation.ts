import { type HoldTerms, judgeHold } from "#features/tickets/hold-rules.ts";
import { createRandom } from "#test/states/random.ts";

// A sale in simulated time: honest buyers behind shared addresses, attackers who hold and never pay, and the site's own rules.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const RULES = { holdMs: 15 * MINUTE, freeSeats: 10 };
const MAX_PER_ORDER = 10;
/** Milliseconds for an ordinary captcha, on a phone and on a core of an attacker. */
const WORK_MS = { phone: 1000, attacker: 700 };
/** How often an honest buyer retries when no seats are left, and how long they wait between tries. */
const TRIES = 15;
const COMES_BACK_MS = 2 * MINUTE;
const PAYS = 0.8;

export type Scenario = {
  readonly capacity: number;
  readonly buyers: number;
  readonly carriers: number;
  /** The time over which the buyers come. */
  readonly minutes: number;
  readonly attackers: number;
  /** The attacker's cores in total. */
  readonly cores: number;
  /** The attackers share the buyers' carriers instead of having their own addresses. */
  readonly isInside?: boolean;
  readonly seed: number;
  /** The site's rules, unless given. */
  readonly judge?: typeof judgeHold;
};

type Hold = {
  readonly network: number;
  readonly seats: number;
  readonly from: number;
  until: number;
  state: "held" | "lapsed" | "paid";
};

type SaleOutcome = {
  /** Share of the honest buyers who wanted to pay and got their seats. */
  readonly served: number;
  /** Share of those at the first try, and the minutes until half and 95 % of them had seats held. */
  readonly atOnce: number;
  readonly minutesToSeats: { readonly half: number; readonly most: number };
  /** Share of seats sold. */
  readonly sold: number;
  /** Share of the event's seat-minutes that attackers kept from others. */
  readonly blocked: number;
  /** Share of the holds of honest buyers that needed a captcha, and its mean effort. */
  readonly withCaptcha: number;
  readonly meanEffort: number;
};

/** Runs one sale; the same seed gives the same sale. */
export function simulateSale(scenario: Scenario): SaleOutcome {
  const { capacity, buyers, carriers, minutes, attackers, cores, isInside = false, seed, judge = judgeHold } = scenario;
  const random = createRandom(seed);
  const holds: Hold[] = [];
  const queue = createQueue();
  const end = minutes * MINUTE + TRIES * COMES_BACK_MS;
  const count = { wanted: 0, served: 0, atOnce: 0, holds: 0, captchas: 0, effort: 0, blockedMs: 0 };
  const waits: number[] = [];

  const lapse = (now: number) => {
    for (const hold of holds) if (hold.state === "held" && hold.until <= now) hold.state = "lapsed";
  };
  const seatsOf = (matching: (hold: Hold) => boolean, of: (hold: Hold) => number = ({ seats }) => seats) =>
    holds.reduce((sum, hold) => sum + (matching(hold) ? of(hold) : 0), 0);
  const seatMs = ({ seats, from, until }: Hold) => seats * (until - from);
  const left = () => capacity - seatsOf(({ state }) => state !== "lapsed");

  const termsFor = (network: number, wanted: number, now: number): HoldTerms => {
    lapse(now);
    const isRecent = ({ from }: Hold) => from > now - HOUR;
    const isOurs = (hold: Hold) => isRecent(hold) && hold.network === network;
    const facts = {
      wanted,
      capacity,
      sold: seatsOf(({ state }) => state === "paid"),
      held: seatsOf(({ state }) => state === "held"),
      unpaidSeatMs: seatsOf((hold) => isOurs(hold) && hold.state !== "paid", seatMs),
      liveSeats: seatsOf((hold) => isOurs(hold) && hold.state === "held"),
      paidSeats: seatsOf((hold) => isOurs(hold) && hold.state === "paid"),
      eventLapsedSeatMs: seatsOf((hold) => isRecent(hold) && hold.state === "lapsed", seatMs),
      eventPaidSeats: seatsOf((hold) => isRecent(hold) && hold.state === "paid"),
    };
    return judge(facts, RULES);
  };
  const take = (network: number, seats: number, now: number, holdMs: number): Hold => {
    const hold: Hold = { network, seats, from: now, until: now + holdMs, state: "held" };
    holds.push(hold);
    return hold;
  };

  const buy = (network: number, seats: number, arrived: number, isPaying: boolean, tries = 0) => {
    const now = queue.now();
    const again = () => {
      if (tries + 1 < TRIES) queue.at(now + COMES_BACK_MS, () => buy(network, seats, arrived, isPaying, tries + 1));
    };
    const terms = termsFor(network, seats, now);
    if (terms.isRefused || left() < seats) return again();
    const solvedAt = now + (terms.effort > 1 ? terms.effort * WORK_MS.phone : 0);
    queue.at(solvedAt, () => {
      const { holdMs, effort, isRefused } = termsFor(network, seats, solvedAt);
      if (isRefused || effort > terms.effort || left() < seats) return again();
      const hold = take(network, seats, solvedAt, holdMs);
      count.holds += 1;
      count.captchas += terms.effort > 1 ? 1 : 0;
      count.effort += terms.effort;
      if (!isPaying) return;
      waits.push((solvedAt - arrived) / MINUTE);
      count.atOnce += tries === 0 ? 1 : 0;
      const paidAt = solvedAt + (1 + 4 * random.share()) * MINUTE;
      queue.at(paidAt, () => {
        lapse(paidAt);
        if (hold.state === "held") {
          hold.state = "paid";
          count.served += 1;
        } else again();
      });
    });
  };
  for (let nth = 0; nth < buyers; nth += 1) {
    const arrived = random.share() * minutes * MINUTE;
    const seats = 1 + Math.floor(random.share() * 3);
    const isPaying = random.isHit(PAYS);
    count.wanted += isPaying ? 1 : 0;
    queue.at(arrived, () => buy(nth % carriers, seats, arrived, isPaying));
  }

  /** Each free core works for the next address in turn; held seats are never paid for. */
  const coreFreeAt = Array<number>(cores).fill(0);
  const attack = (nth: number) => {
    const now = queue.now();
    if (now > end) return;
    const network = isInside ? nth % carriers : carriers + nth;
    let next = now + 5 * SECOND;
    lapse(now);
    const free = left();
    for (let seats = Math.min(MAX_PER_ORDER, free); seats > 0; seats = Math.floor(seats / 2)) {
      const terms = termsFor(network, seats, now);
      if (terms.isRefused) continue;
      const core = coreFreeAt.indexOf(Math.min(...coreFreeAt));
      const doneAt = Math.max(now, coreFreeAt[core]!) + (terms.effort > 1 ? terms.effort * WORK_MS.attacker : 0);
      if (terms.effort > 1) coreFreeAt[core] = doneAt;
      queue.at(doneAt, () => {
        const { holdMs, effort, isRefused } = termsFor(network, seats, doneAt);
        if (isRefused || effort > terms.effort || left() < seats) return;
        take(network, seats, doneAt, holdMs);
        count.blockedMs += seats * holdMs;
      });
      next = doneAt + SECOND;
      break;
    }
    queue.at(next, () => attack(nth));
  };
  for (let nth = 0; nth < attackers; nth += 1) queue.at(random.share() * SECOND, () => attack(nth));

  queue.run(end);
  lapse(end);
  waits.sort((a, b) => a - b);
  const at = (share: number) =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.POSITIVE_INFINITY;
  return {
    served: count.served / count.wanted,
    atOnce: count.atOnce / count.wanted,
    minutesToSeats: { half: at(0.5), most: at(0.95) },
    sold: seatsOf(({ state }) => state === "paid") / capacity,
    blocked: count.blockedMs / (capacity * end),
    withCaptcha: count.captchas / Math.max(1, count.holds),
    meanEffort: count.effort / Math.max(1, count.holds),
  };
}

/** The events and their times, earliest first. */
function createQueue() {
  const heap: { readonly time: number; readonly nth: number; readonly act: () => void }[] = [];
  let time = 0;
  let added = 0;
  const isBefore = (a: number, b: number) => {
    const [one, other] = [heap[a]!, heap[b]!];
    return one.time < other.time || (one.time === other.time && one.nth < other.nth);
  };
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  return {
    now: () => time,
    at(when: number, act: () => void) {
      heap.push({ time: Math.max(when, time), nth: added, act });
      added += 1;
      for (let child = heap.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1;
        if (!isBefore(child, parent)) break;
        swap(child, parent);
        child = parent;
      }
    },
    run(until: number) {
      while (heap.length > 0 && heap[0]!.time <= until) {
        const { time: next, act } = heap[0]!;
        const last = heap.pop()!;
        if (heap.length > 0) heap[0] = last;
        for (let parent = 0; ; ) {
          const [left, right] = [2 * parent + 1, 2 * parent + 2];
          let least = parent;
          if (left < heap.length && isBefore(left, least)) least = left;
          if (right < heap.length && isBefore(right, least)) least = right;
          if (least === parent) break;
          swap(parent, least);
          parent = least;
        }
        time = next;
        act();
      }
    },
  };
}
