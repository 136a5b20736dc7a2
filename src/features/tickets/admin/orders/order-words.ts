import type { PersonRow } from "#admin/person.ts";
import { formatDollars, plural } from "#shared/language.ts";
import type { TicketOrderState } from "../../server/tables.ts";

type Order = {
  readonly state: TicketOrderState;
  readonly holdUntil: Date;
  readonly tickets: number;
  readonly cancelled: number;
  readonly isCalledOff: boolean;
};

/** The word and look for an order's state. */
export function describeOrder(order: Order, now: Date): PersonRow["status"] {
  const { state, holdUntil, tickets, cancelled, isCalledOff } = order;
  if (isCalledOff) return { label: "Event called off", look: "off" };
  switch (state) {
    case "paid":
      return cancelled > 0 && cancelled < tickets
        ? { label: "Partly cancelled", look: "plain" }
        : { label: "Paid", look: "ok" };
    case "cancelled":
      return { label: "Cancelled", look: "off" };
    case "refunded":
      return { label: "Refunded, no seats left", look: "off" };
    case "lapsed":
      return { label: "Not paid", look: "off" };
    case "held":
      return holdUntil > now ? { label: "Seats held", look: "plain" } : { label: "Not paid", look: "off" };
  }
}

/** The buyer as staff see them. */
export const buyerName = (name: string, email: string): string => name || email || "A buyer whose data was erased";

/** What staff give back of what they took at the door for cancelled tickets. */
export const describeGiveBack = (tickets: number, cents: number): string =>
  `${formatDollars(cents)} was taken for ${plural(tickets, { one: "it", other: "them" })} at the door: give it back yourselves.`;
