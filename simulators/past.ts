import { z } from "zod";
import type { ProviderPart } from "./provider-part.ts";

const Reference = z.string().regex(/^[0-9A-Z-]{1,20}$/);
const Cents = z.int().min(1);

/** A past payment with its refunds, which a demonstration site needs on its provider's books. */
export const PastPayment = z.strictObject({
  provider: z.enum(["payway", "braintree"]),
  orderReference: Reference,
  /** PayWay lists payments by this number. */
  customerNumber: z.string().max(20),
  amountCents: Cents,
  at: z.iso.datetime(),
  isDeclined: z.boolean().default(false),
  /** Whether the payer disputes it. Braintree only. */
  isDisputed: z.boolean().default(false),
  refunds: z.array(z.strictObject({ orderReference: Reference, amountCents: Cents, at: z.iso.datetime() })).default([]),
});
export type PastPayment = z.output<typeof PastPayment>;

/** The provider's ids of a payment and of its refunds, in the order given. */
export type BookedPast = { readonly transactionId: string; readonly refundIds: readonly string[] };

/** Books payments of the past, in the order given. A reference that is booked already is not booked again. */
export function recordPast(parts: Readonly<Record<PastPayment["provider"], ProviderPart>>, payments: unknown) {
  return PastPayment.array()
    .max(200)
    .parse(payments)
    .map((payment) => {
      const part = parts[payment.provider];
      const rows = part.rows();
      const known = rows.find(
        ({ orderReference, type }) => type === "payment" && orderReference === payment.orderReference,
      );
      if (known === undefined) return part.recordPast(payment);
      const refunds = rows.filter(({ parentId }) => parentId === known.transactionId);
      return { transactionId: known.transactionId, refundIds: refunds.map(({ transactionId }) => transactionId) };
    });
}
