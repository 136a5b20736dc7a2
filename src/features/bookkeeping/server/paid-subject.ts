import type { PaymentSubject } from "#payments/context.ts";

export type PaidSubject = PaymentSubject & { readonly reference: string };

type Columns = Readonly<Record<"donationId" | "donationReference" | "orderId" | "orderReference", string | null>>;

/** From the columns of the donation and the ticket order that were joined to a payment. */
export function paidSubjectOf({ donationId, donationReference, orderId, orderReference }: Columns): PaidSubject | null {
  if (donationId !== null) return { kind: "donation", id: donationId, reference: donationReference! };
  return orderId === null ? null : { kind: "ticket_order", id: orderId, reference: orderReference! };
}
