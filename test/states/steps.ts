import { type HeldCharge, leftCents, type ModelBank } from "./bank.ts";
import { compareDaily } from "./daily.ts";
import { drawer, type Random } from "./random.ts";
import { day, hour, minute, second } from "./rules.ts";
import {
  advance,
  askForRefund,
  click,
  crash,
  decideChallenge,
  deliverWebhook,
  finishAll,
  tick,
  type World,
} from "./world.ts";

/** How many payers an episode has: few, so that their actions collide. */
const MAX_PAYERS = 6;

const draw = drawer({
  go_on: 40,
  click: 6,
  copy: 4,
  crash: 2,
  tick: 10,
  second: 10,
  minutes: 4,
  hours: 2,
  days: 0.5,
  decide_late: 4,
  challenge: 5,
  request_refund: 5,
  request_refund_again: 2,
  by_hand: 2,
  dispute: 2,
  webhook: 6,
  daily: 0.3,
});

export type StepName = ReturnType<typeof draw>;

/** Runs one random step of the world; returns its name. */
export function step(world: World): StepName {
  const name = draw(world.random);
  take(world, name);
  return name;
}

function take(world: World, name: StepName) {
  const { random } = world;
  switch (name) {
    case "go_on":
      if (world.running.length > 0) advance(world, random.below(world.running.length));
      return;
    case "click":
      if (world.submissions.length < MAX_PAYERS) clickWithNewKey(world);
      return;
    case "copy":
      clickAgain(world);
      return;
    case "crash":
      crash(world);
      return;
    case "tick":
      tick(world);
      return;
    case "second":
      world.pass(random.spread(100, 20 * second));
      return;
    case "minutes":
      passLong(world, random.spread(minute, 10 * minute));
      return;
    case "hours":
      passLong(world, random.spread(hour, 12 * hour));
      return;
    case "days":
      passLong(world, random.spread(day, 3 * day));
      return;
    case "decide_late":
      decideLate(world);
      return;
    case "challenge":
      answerSomeChallenge(world);
      return;
    case "request_refund":
    case "request_refund_again":
      requestAnyRefund(world, name === "request_refund_again");
      return;
    case "by_hand":
      actByHand(world);
      return;
    case "dispute":
      moveDispute(world);
      return;
    case "webhook":
      exchangeWebhooks(world);
      return;
    case "daily":
      compareDaily(world);
  }
}

/** Lets minutes pass, in which every call ends. */
function passLong(world: World, milliseconds: number) {
  finishAll(world);
  world.pass(milliseconds);
}

function clickWithNewKey(world: World) {
  const { random, submissions, store } = world;
  const submission = {
    provider: random.oneOf(["payway", "braintree"] as const),
    clientKey: store.newId("client-"),
    token: store.newId("token-"),
    amountCents: random.spread(200, 500_000),
    isAsked: random.isHit(0.3),
  };
  submissions.push(submission);
  click(world, submission.provider === "payway" ? submission : { ...submission, isAsked: false });
}

/** A second click, a reload, another tab: the same key, or the same token under another key. */
function clickAgain(world: World) {
  const { random, submissions, store } = world;
  if (submissions.length === 0) return;
  const earlier = random.oneOf(submissions);
  const isAsked = earlier.isAsked && earlier.provider === "payway";
  click(world, { ...earlier, isAsked, ...(random.isHit(0.5) ? { clientKey: store.newId("client-") } : {}) });
}

function someCharge(bank: ModelBank, random: Random, fits: (charge: HeldCharge) => boolean): HeldCharge | undefined {
  const fitting = bank.held.filter(fits);
  return fitting.length === 0 ? undefined : random.oneOf(fitting);
}

const someBank = ({ banks, random }: World) => (random.isHit(0.5) ? banks.payway : banks.braintree);

/** The bank's final answer, which may differ from its first: sometimes it reverses a decline that we recorded. */
function decideLate(world: World) {
  const { random, store } = world;
  const failed = new Set<string>();
  for (const attempt of store.attempts.values()) if (attempt.state === "failed") failed.add(attempt.order_reference);
  const charge = someCharge(someBank(world), random, ({ status, providerStatus, orderReference }) => {
    const isWrittenDown = status === "declined" && providerStatus === "declined" && failed.has(orderReference);
    return status === "pending" || (isWrittenDown && random.isHit(0.05));
  });
  if (charge === undefined) return;
  decideCharge(world, charge, charge.status === "declined" || random.isHit(0.6) ? "approved" : "declined");
}

/** The bank approves or declines a pending charge, and announces it. */
export function decideCharge(world: World, charge: HeldCharge, status: "approved" | "declined") {
  // No two steps happen at the same time.
  world.pass(1);
  charge.status = status;
  charge.providerStatus = status;
  charge.decidedAt = world.now().getTime();
  announce(world, charge);
}

function answerSomeChallenge(world: World) {
  const { random, store } = world;
  const waiting = [...store.attempts.values()].filter(({ state }) => state === "requires_action");
  if (waiting.length === 0) return;
  decideChallenge(world, random.oneOf(waiting).id, random.oneOf(["Y", "Y", "N", "abandoned"]));
}

function requestAnyRefund(world: World, isCopy: boolean) {
  const { random, store, refundRequests } = world;
  if (isCopy && refundRequests.length > 0) {
    const { attemptId, key, amountCents } = random.oneOf(refundRequests);
    askForRefund(world, attemptId, key, amountCents);
    return;
  }
  const all = [...store.attempts.values()];
  if (all.length === 0) return;
  const { id, amount_cents } = random.oneOf(all);
  askForRefund(world, id, store.newId("request-"), random.isHit(0.4) ? null : 1 + random.below(amount_cents));
}

/** What staff do on the provider's pages, and what the provider does unasked. */
function actByHand(world: World) {
  const { random } = world;
  const now = world.now().getTime();
  const bank = someBank(world);
  const charge = someCharge(bank, random, ({ status, dispute }) => status === "approved" && dispute === null);
  if (charge === undefined) return;
  const isSettled = now - charge.at >= day;
  if (!isSettled && charge.refunds.length === 0) bank.takeBack(charge, random.isHit(0.5) ? "voided" : "declined", now);
  const left = leftCents(charge);
  if (isSettled && left > 0) {
    const amountCents = random.isHit(0.4) ? left : 1 + random.below(left);
    bank.addRefund(charge, amountCents, now, { orderReference: null, key: null, sentAt: now });
  }
  announce(world, charge);
}

function moveDispute(world: World) {
  const { random } = world;
  const charge = someCharge(
    someBank(world),
    random,
    (one) => one.status === "approved" && leftCents(one) > 0 && (one.dispute === null || one.dispute === "open"),
  );
  if (charge === undefined) return;
  charge.dispute = charge.dispute === null ? "open" : random.oneOf(["won", "lost"] as const);
  announce(world, charge);
}

/** A webhook comes never, once or twice, and late. */
function announce({ webhooks, random }: World, { id }: HeldCharge) {
  for (let copies = random.below(3); copies > 0; copies -= 1) webhooks.push(id);
}

/** Delivers a random pending webhook, which may come again. */
function exchangeWebhooks(world: World) {
  const { webhooks, random } = world;
  if (webhooks.length === 0) return;
  const index = random.below(webhooks.length);
  deliverWebhook(world, webhooks[index]!);
  if (random.isHit(0.8)) webhooks.splice(index, 1);
}
