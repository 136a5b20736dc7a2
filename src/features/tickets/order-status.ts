import { formatDollars, formatMomentInSydney, plural } from "#shared/language.ts";
import type { TicketOrder } from "./contract.ts";
import { isLongHold } from "./order.ts";

export type OrderStatus = {
  readonly kind: "waiting" | "bank" | "called_off" | "held" | "lapsed" | "making" | "paid" | "cancelled" | "refunded";
  readonly title: string;
  readonly text: string;
};

/** A payment in progress outweighs the state of the hold, so that nobody pays twice. */
export function describeOrder(order: TicketOrder): OrderStatus {
  const isUnpaid = order.state === "held" || order.state === "lapsed";
  if (isUnpaid && order.payment?.state === "processing") return waiting;
  if (isUnpaid && order.payment?.state === "action_required") return bank;
  if (order.event.isCalledOff) return calledOff(order);
  switch (order.state) {
    case "held":
      return held(order);
    case "lapsed":
      return order.isOffer ? offerEnded : lapsed;
    case "paid":
      return order.ticketsUrl === null ? making(order) : paid(order);
    case "cancelled":
      return cancelled;
    case "refunded":
      return refunded(order);
  }
}

/** Milliseconds until the status can change on its own; null if it cannot. */
export function nextPoll(order: TicketOrder, polls: number): number | null {
  if (order.refunds.some(({ state }) => state === "on_its_way")) return nextTry(polls);
  if (order.refunds.some(({ state }) => state === "waiting")) return 60_000;
  const { kind } = describeOrder(order);
  const isBeingCalledOff = kind === "called_off" && order.state === "paid";
  if (kind === "waiting" || kind === "bank" || kind === "making" || isBeingCalledOff) return nextTry(polls);
  if (kind !== "held" || order.holdUntil === null) return null;
  const left = Date.parse(order.holdUntil) - Date.parse(order.now);
  return Math.min(60_000, Math.max(0, left) + 1_000);
}

const nextTry = (polls: number) => Math.min(60_000, 3_000 * 1.5 ** polls);

const waiting: OrderStatus = {
  kind: "waiting",
  title: "We are confirming your payment",
  text: "Please do not pay again. This page updates automatically, and we will email you as soon as we know.",
};

const bank: OrderStatus = {
  kind: "bank",
  title: "Your bank needs you to confirm the payment",
  text: "Go back to the page where you were paying and confirm there. If you closed it, nothing is charged, and you can pay again in a few minutes.",
};

/** The refunds are listed below. */
function calledOff({ state, totalCents, takenCents = 0 }: TicketOrder): OrderStatus {
  const text =
    state === "held" || state === "lapsed"
      ? "No tickets are sold any more. Nothing was charged."
      : state === "paid"
        ? "We are cancelling your order. If you paid for it, the refund appears here in a moment."
        : takenCents > 0
          ? `Your tickets are no longer valid. You paid ${formatDollars(takenCents)} in person: write to us, and we give back what we still owe you.`
          : totalCents === 0
            ? "Your tickets are no longer valid. They cost nothing, so there is nothing to refund."
            : "Your tickets are no longer valid. Your money goes back to you.";
  return { kind: "called_off", title: "This event has been called off", text };
}

const lapsed: OrderStatus = {
  kind: "lapsed",
  title: "Your seats are no longer held",
  text: "The time to pay has run out, and the seats are on sale again. Nothing was charged.",
};

const offerEnded: OrderStatus = {
  ...lapsed,
  text: "The time to buy what the waiting list brought you has run out, and your seats go to the next person. Nothing was charged.",
};

function describeHoldTime(leftMs: number, until: number): string {
  if (isLongHold(leftMs)) return `until ${formatMomentInSydney(new Date(until))}`;
  const minutes = Math.ceil(leftMs / 60_000);
  if (minutes <= 1) return "for less than a minute";
  return plural(minutes, { one: `for another ${minutes} minute`, other: `for another ${minutes} minutes` });
}

function held({ holdUntil, now, payment }: TicketOrder): OrderStatus {
  const until = holdUntil === null ? 0 : Date.parse(holdUntil);
  const time = `They are yours ${describeHoldTime(until - Date.parse(now), until)}.`;
  const before =
    payment?.state === "failed"
      ? "Your last payment did not go through, and nothing was charged."
      : "Nothing is charged yet.";
  return { kind: "held", title: "Your seats are held", text: `${time} ${before} Pay to keep them.` };
}

function making({ totalCents }: TicketOrder): OrderStatus {
  return {
    kind: "making",
    title: "We have your payment",
    text: `You paid ${formatDollars(totalCents)}. We are preparing your tickets. They will appear here in a moment.`,
  };
}

function paid({ totalCents, takenCents = 0, email, tickets }: TicketOrder): OrderStatus {
  const count = tickets.filter(({ isCancelled }) => !isCancelled).length;
  const paidCents = totalCents + takenCents;
  const paid = paidCents === 0 ? "There was nothing to pay." : `You paid ${formatDollars(paidCents)}.`;
  return {
    kind: "paid",
    title: plural(count, { one: "Your ticket is booked", other: "Your tickets are booked" }),
    text: plural(tickets.length, {
      one: `${paid} We sent the ticket to ${email}.`,
      other: `${paid} We sent the tickets to ${email}.`,
    }),
  };
}

const cancelled: OrderStatus = {
  kind: "cancelled",
  title: "This order is cancelled",
  text: "None of its tickets is valid any more.",
};

/** The refund's own status is shown below. */
function refunded({ totalCents, refundedCents }: TicketOrder): OrderStatus {
  return {
    kind: "refunded",
    title: refundedCents < totalCents ? "Your money is on its way back" : "Your money was refunded",
    text: "Your payment arrived after your hold had ended, and the seats were taken. We are sorry.",
  };
}
