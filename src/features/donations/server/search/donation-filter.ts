import type { DonationState } from "./donation-states.ts";

/** What a list, its sums and its exports show. Whatever is null or empty does not narrow it. */
export type DonationFilter = {
  readonly q: string;
  /** The first moment, and the first one that is too late. */
  readonly from: Date | null;
  readonly until: Date | null;
  readonly method: "cc" | "pp" | null;
  readonly fund: string | null;
  readonly state: DonationState | null;
  readonly minCents: number | null;
  readonly maxCents: number | null;
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
};
