import { ask } from "#shared/ui/ask.ts";
import { findTicketEventCall, findTicketOrderCall, type TicketEvent } from "../../contract.ts";
import type { OrderDraft } from "../../draft.ts";

// Loaded on demand: until then the page shows what the server rendered.

export type Seats = {
  /** What can be chosen now. */
  readonly offer: TicketEvent;
  /** How many of each type this tab's own order holds. */
  readonly own: Readonly<Record<string, number>>;
  /** Until when that order holds what the waiting list brought; undefined for any other order. */
  readonly offeredUntil?: string;
};

/** Undefined if the offer cannot be loaded. */
export async function findSeats(
  slug: string,
  { order, access }: Partial<Pick<OrderDraft, "order" | "access">> = {},
): Promise<Seats | undefined> {
  const [event, held] = await Promise.all([
    ask(findTicketEventCall, { query: { event: slug, key: access } }),
    order && ask(findTicketOrderCall, { params: { id: order.id }, query: { key: order.key } }),
  ]);
  if (!event.ok) return undefined;
  const isHeld = held?.ok === true && held.data.state === "held";
  const lines = isHeld ? held.data.lines : [];
  const own = Object.fromEntries(lines.map(({ type, quantity }) => [type, quantity]));
  if (!isHeld || !held.data.isOffer) return { offer: event.data, own };
  return { offer: limitToOffer(event.data, own), own, offeredUntil: held.data.holdUntil! };
}

/** The offered tickets only, and no more of them: others are an order of their own. */
function limitToOffer(event: TicketEvent, own: Seats["own"]): TicketEvent {
  const types = event.types.flatMap((type) => {
    const max = own[type.code];
    if (max === undefined) return [];
    const state = type.state === "on_sale" ? "sold_out" : type.state;
    return [{ ...type, left: 0, limitPerOrder: max, state }];
  });
  return { ...event, types };
}
