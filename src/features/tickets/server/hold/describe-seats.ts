import { plural } from "#shared/language.ts";

/** Why so many seats of a type cannot be had. */
export function describeSeatsLeft(title: string, left: number): string {
  if (left === 0) return `${title} is sold out, or others are holding the last seats.`;
  return plural(left, { one: `${title}: only 1 is left.`, other: `${title}: only ${left} are left.` });
}
