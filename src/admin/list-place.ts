/** A place in a list that is ordered by time and id: pages begin after or before it. */
export type Place = { readonly at: Date; readonly id: string };

/** Writes a place in a list as text, for the address. */
export function writePlace(place: Place | null): string | null {
  return place && `${place.at.toISOString()}_${place.id}`;
}

/** Reads the place in an address. Null if the text is not ours. */
export function readPlace(text = ""): Place | null {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text);
  const at = new Date(found?.[1] ?? "");
  return found === null || Number.isNaN(at.getTime()) ? null : { at, id: found[2]! };
}
