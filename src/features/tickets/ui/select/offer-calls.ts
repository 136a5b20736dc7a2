import { ask } from "#shared/ui/ask.ts";
import { findTicketEventCall, findTicketOrderCall, type TicketEvent } from "../../contract.ts";
import type { Draft } from "../../draft.ts";

// What the choice of tickets asks the server. Fetched once the page is there: it shows what it was made with until then.

/** What is on sale now, and how many of each type this tab's own order holds already. */
export type Seats = { readonly offer: TicketEvent; readonly own: Readonly<Record<string, number>> };

/** Undefined when no answer came. */
export async function findSeats(slug: string, order: Draft["order"]): Promise<Seats | undefined> {
  const [event, held] = await Promise.all([
    ask(findTicketEventCall, { query: { event: slug } }),
    order && ask(findTicketOrderCall, { params: { id: order.id }, query: { key: order.key } }),
  ]);
  if (!event.ok) return undefined;
  const isHeld = held?.ok === true && held.data.state === "held";
  const lines = isHeld ? held.data.lines : [];
  return { offer: event.data, own: Object.fromEntries(lines.map(({ type, quantity }) => [type, quantity])) };
}
