import { ask } from "#shared/ui/ask.ts";
import { findTicketEventCall, findTicketOrderCall, type TicketEvent } from "../../contract.ts";
import type { OrderDraft } from "../../draft.ts";

// Loaded on demand: until then the page shows what the server rendered.

/** The current offer, and how many of each type this tab's own order holds. */
export type Seats = { readonly offer: TicketEvent; readonly own: Readonly<Record<string, number>> };

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
  return { offer: event.data, own: Object.fromEntries(lines.map(({ type, quantity }) => [type, quantity])) };
}
