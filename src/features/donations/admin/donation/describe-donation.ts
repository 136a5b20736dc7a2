import { isPaid, isUndecided, type PaymentState } from "#payments/states.ts";
import { ANONYMOUS_DONOR } from "../../donor.ts";
import type { ShownDonation } from "./find-donation.ts";

/** The payment that counts: the one that was or may be charged, otherwise the last one that failed. */
export function mainPayment<Payment extends { readonly state: PaymentState }>(
  payments: readonly Payment[],
): Payment | undefined {
  return payments.find(({ state }) => isPaid(state) || isUndecided(state)) ?? payments.at(-1);
}

/** The cents that were certainly refunded. */
export function refundedCents({ refunds }: Pick<ShownDonation, "refunds">): number {
  return refunds.reduce((sum, { state, amount_cents }) => sum + (state === "succeeded" ? amount_cents : 0), 0);
}

const ERASED_DONOR = "A donor whose data was erased";

/** The donor's name as staff see it. */
export function donorName({ is_anonymous, first_name, last_name }: DonorNames): string {
  if (is_anonymous) return ANONYMOUS_DONOR;
  return `${first_name} ${last_name}`.trim() || ERASED_DONOR;
}

type DonorNames = Pick<ShownDonation, "is_anonymous" | "first_name" | "last_name">;

/** The valid receipt, if there is one. */
export function validReceipt({ receipts }: Pick<ShownDonation, "receipts">) {
  return receipts.find(({ is_latest, voided_at }) => is_latest && voided_at === null);
}
