import type { AuditWords } from "#admin/acts.ts";
import { type AuditFields, formatCents } from "#admin/audit-fields.ts";
import { formatList, formatNumber, plural } from "#shared/language.ts";

/** The audit trail's words for each act on an order: 'Amina Raza sent the tickets again of ticket order T-…'. */
export const orderAuditWords = {
  "order.note": "wrote a note on",
  "order.resend": "sent the tickets again of",
  "order.end-links": "ended the links to",
  "order.correct-email": "corrected the buyer’s email address of",
  "order.rename-holder": "changed the name on a ticket of",
  "order.cancel-tickets": "cancelled tickets of",
  "order.retry_refund": "asked for the refund again, of called-off",
} as const;

/** Acts on many orders; each of these ends its sentence. */
export const orderListAuditWords = {
  "orders.export": "exported ticket orders.",
  "orders.export-whole": ({ after }) =>
    plural(Number(after?.orders), {
      one: "finished an export of 1 ticket order.",
      other: `finished an export of ${formatNumber(Number(after?.orders))} ticket orders.`,
    }),
} satisfies AuditWords;

const formatNumbers = (value: unknown) => (Array.isArray(value) ? formatList(value.map(String), "and") : String(value));

/** The labels of fields that only acts on orders have. */
export const orderAuditFields = {
  ticketPosition: { label: "Which ticket of the order" },
  ticketNumbers: { label: "Numbers of the tickets", format: formatNumbers },
  giveBackCents: { label: "Taken at the door for them", format: formatCents },
  orders: { label: "Ticket orders", format: (value) => formatNumber(Number(value)) },
} as const satisfies AuditFields;
