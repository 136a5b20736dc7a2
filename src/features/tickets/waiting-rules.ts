/** An entry that waits; `gathersUntil` is null before free seats were kept for it. */
export type QueuedEntry = { readonly id: string; readonly quantity: number; readonly gathersUntil: Date | null };

type OfferPlan = {
  /** The entries that are offered their seats, in order. */
  readonly offers: readonly string[];
  /** The entry for which the rest is kept from now on, because it needs more. */
  readonly gatheringId: string | null;
  /** Whether what is left, or comes free next, is for the waiting list. */
  readonly keepsSeats: boolean;
};

/** The seats of a type: those that are neither sold nor held, and all of them. */
type TypeSeats = { readonly free: number; readonly capacity: number };

/**
 * Who of the waiting, the longest first, is offered the free seats of a type. An entry that needs more than are free
 * has them kept for a while, and is then passed over for the next that fits. One that needs more than there are in all,
 * since the capacity became smaller, keeps none.
 */
export function planOffers({ free, capacity }: TypeSeats, waiting: readonly QueuedEntry[], now: Date): OfferPlan {
  const offers: string[] = [];
  let left = free;
  for (const { id, quantity, gathersUntil } of waiting) {
    if (quantity > capacity) continue;
    if (left <= 0) return { offers, gatheringId: null, keepsSeats: true };
    if (quantity <= left) {
      offers.push(id);
      left -= quantity;
    } else if (gathersUntil === null || gathersUntil > now) {
      return { offers, gatheringId: gathersUntil === null ? id : null, keepsSeats: true };
    }
  }
  return { offers, gatheringId: null, keepsSeats: false };
}
