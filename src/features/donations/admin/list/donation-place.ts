import { readPlace, writePlace } from "#admin/list-place.ts";
import type { DonationPlace } from "../../server/search/donation-order.ts";

/** Writes a place in the list as text, for the address: time, id and amount. */
export function writeDonationPlace(place: DonationPlace | null): string | null {
  return place && `${writePlace(place)}_${place.cents}`;
}

/** Reads the place in an address. Null if the text is not ours. */
export function readDonationPlace(text = ""): DonationPlace | null {
  const [, start, cents] = /^(.+)_(\d{1,9})$/.exec(text) ?? [];
  const place = readPlace(start);
  return place && { ...place, cents: Number(cents) };
}
