import { formatDollars } from "#shared/money.ts";
import type { TicketOrder } from "./contract.ts";

/** How an order stands, in words for whoever holds its link. */
export type Standing = {
  readonly kind: "waiting" | "bank" | "held" | "lapsed" | "making" | "paid" | "cancelled" | "refunded";
  readonly title: string;
  readonly says: string;
};

/** A payment under way outweighs what became of the hold meanwhile: nobody is led to pay twice. */
export function sayStanding(order: TicketOrder): Standing {
  const isUnpaid = order.state === "held" || order.state === "lapsed";
  if (isUnpaid && order.payment?.state === "processing") return waiting;
  if (isUnpaid && order.payment?.state === "action_required") return bank;
  switch (order.state) {
    case "held":
      return held(order);
    case "lapsed":
      return lapsed;
    case "paid":
      return order.ticketsUrl === null ? making(order) : paid(order);
    case "cancelled":
      return cancelled;
    case "refunded":
      return refunded(order);
  }
}

/** In how many milliseconds it may stand otherwise by itself; null when it stays until somebody does something. */
export function nextLook(order: TicketOrder, looks: number): number | null {
  if (order.refunds.some(({ state }) => state === "on_its_way")) return nextTry(looks);
  if (order.refunds.some(({ state }) => state === "waiting")) return 60_000;
  const { kind } = sayStanding(order);
  if (kind === "waiting" || kind === "bank" || kind === "making") return nextTry(looks);
  if (kind !== "held" || order.holdUntil === null) return null;
  const left = Date.parse(order.holdUntil) - Date.parse(order.now);
  return Math.min(60_000, Math.max(0, left) + 1_000);
}

const nextTry = (looks: number) => Math.min(60_000, 3_000 * 1.5 ** looks);

const waiting: Standing = {
  kind: "waiting",
  title: "We are confirming your payment",
  says: "Please do not pay again. This page looks for the answer by itself, and we email you as soon as we have it.",
};

const bank: Standing = {
  kind: "bank",
  title: "Your bank is asking you to confirm",
  says: "Go back to the page where you were paying and confirm there. If it is gone, nothing is charged, and you can pay again in a few minutes.",
};

const lapsed: Standing = {
  kind: "lapsed",
  title: "Your seats are no longer held",
  says: "The time to pay for them is over, and they are on sale again. Nothing was charged.",
};

function held({ holdUntil, now, payment }: TicketOrder): Standing {
  const minutes = holdUntil === null ? 0 : Math.ceil((Date.parse(holdUntil) - Date.parse(now)) / 60_000);
  const time = minutes > 1 ? `for another ${minutes} minutes` : "for less than a minute";
  const before =
    payment?.state === "failed"
      ? "Your last payment did not go through, and nothing was charged."
      : "Nothing is charged yet.";
  return { kind: "held", title: "Your seats are held", says: `They are yours ${time}. ${before} Pay to keep them.` };
}

function making({ totalCents }: TicketOrder): Standing {
  return {
    kind: "making",
    title: "Your payment has arrived",
    says: `You paid ${formatDollars(totalCents)}. We are making your tickets; they appear here in a moment.`,
  };
}

function paid({ totalCents, email, tickets }: TicketOrder): Standing {
  const count = tickets.filter(({ isCancelled }) => !isCancelled).length;
  return {
    kind: "paid",
    title: count === 1 ? "Your ticket is booked" : "Your tickets are booked",
    says: `You paid ${formatDollars(totalCents)}. We sent ${tickets.length === 1 ? "the ticket" : "the tickets"} to ${email}.`,
  };
}

const cancelled: Standing = {
  kind: "cancelled",
  title: "This order is cancelled",
  says: "None of its tickets admits anybody any more.",
};

/** How the refund stands is said below it. */
function refunded({ totalCents, refundedCents }: TicketOrder): Standing {
  return {
    kind: "refunded",
    title: refundedCents < totalCents ? "Your money is on its way back" : "Your money was refunded",
    says: "Your payment came after the seats were free again, and others had taken them. We are sorry.",
  };
}
