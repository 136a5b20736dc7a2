import type { DonationState } from "./donation-states.ts";

/** The filter of a list, its sums and its exports. Fields that are null or empty don't apply. */
export type DonationFilter = {
  readonly q: string;
  /** From this moment (included) to this one (excluded). */
  readonly from: Date | null;
  readonly until: Date | null;
  readonly method: "cc" | "pp" | null;
  readonly fund: string | null;
  readonly state: DonationState | null;
  readonly minCents: number | null;
  readonly maxCents: number | null;
  /** Only these donations. */
  readonly ids: readonly string[] | null;
};

export const noFilter: DonationFilter = {
  q: "",
  from: null,
  until: null,
  method: null,
  fund: null,
  state: null,
  minCents: null,
  maxCents: null,
  ids: null,
};
