import type { Place } from "#admin/list-place.ts";

/** The orders of the list of donations, by their names in the address. */
export const orders = {
  newest: { label: "Newest first", isByTime: true, isDescending: true },
  oldest: { label: "Oldest first", isByTime: true, isDescending: false },
  largest: { label: "Largest first", isByTime: false, isDescending: true },
  smallest: { label: "Smallest first", isByTime: false, isDescending: false },
} as const;
export type DonationOrder = keyof typeof orders;

export const isDonationOrder = (text: string): text is DonationOrder => Object.hasOwn(orders, text);

/** A place in the list, in any of its orders. */
export type DonationPlace = Place & { readonly cents: number };
