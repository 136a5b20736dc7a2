import { type AuditFields, formatCents } from "#admin/audit-fields.ts";
import { formatNumber } from "#shared/language.ts";

/** The labels of fields that only acts on refunds have. */
export const refundAuditFields = {
  request: { label: "Number of the request" },
  amountCents: { label: "Amount", format: formatCents },
  leftCents: { label: "Was left to refund", format: formatCents },
  refund: { label: "Our reference of the refund" },
  cancelledTickets: { label: "Tickets cancelled", format: (count) => formatNumber(Number(count)) },
} as const satisfies AuditFields;
