import { z } from "zod";

/** The setting's key in `site_settings`. */
export const FEES_SETTING = "fees";

/** What donors pay besides the gift, in basis points: 150 is 1.5 %. */
export type Fees = {
  readonly adminBasisPoints: number;
  /** By payment method: card and PayPal. */
  readonly merchantBasisPoints: { readonly cc: number; readonly pp: number };
};

/** 150 as '1.5'. */
export const percentText = (basisPoints: number) => String(basisPoints / 100);

export const feeNames = ["admin", "card", "paypal"] as const;
export type FeeName = (typeof feeNames)[number];

const BasisPoints = z.int().min(0).max(9999);

/** The fees that staff have changed; the others are those of the server's settings. */
export const FeeChanges = z.partialRecord(z.enum(feeNames), BasisPoints);
export type FeeChanges = z.output<typeof FeeChanges>;

/** Each fee in basis points. */
export type FeeValues = Readonly<Record<FeeName, number>>;

/** The three rates in basis points, by the name of each fee. */
export const listFees = ({ adminBasisPoints, merchantBasisPoints: { cc, pp } }: Fees) => ({
  admin: adminBasisPoints,
  card: cc,
  paypal: pp,
});

/** The fees that differ, for the audit trail; null if none does. */
export function listFeeChanges(before: FeeValues, after: FeeValues) {
  const changed = feeNames.filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return null;
  const pick = (fees: FeeValues) => Object.fromEntries(changed.map((name) => [name, fees[name]]));
  return { before: pick(before), after: pick(after) };
}

/** `delivered` are the fees of the server's settings; `changes` replace those that staff have changed. */
export function withFeeChanges(delivered: Fees, changes: FeeChanges): Fees {
  const { admin, card, paypal } = { ...listFees(delivered), ...changes };
  return { adminBasisPoints: admin, merchantBasisPoints: { cc: card, pp: paypal } };
}
