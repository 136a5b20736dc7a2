import type { AuditWords } from "#admin/acts.ts";
import { type AuditFields, formatCents } from "#admin/audit-fields.ts";
import { formatMomentInSydney } from "#shared/language.ts";

/** The audit trail's words for each act on an event's tickets: 'Sana Malik added a ticket type to event Charity dinner'. */
export const ticketAuditWords: AuditWords = {
  "events.add_type": "added a ticket type to",
  "events.change_type": "changed a ticket type of",
  "events.retire_type": "took a ticket type off sale of",
  "events.bring_back_type": "brought a ticket type back on sale of",
  "events.delete_type": "deleted a ticket type of",
  "events.add_code": "added a discount code to",
  "events.change_code": "changed a discount code of",
  "events.end_code": "ended a discount code of",
  "events.tell_holders": "told the ticket holders about the new time or place of",
  "events.give_tickets": "gave tickets, or sold them at the door, for",
  "events.remove_waiting": "took somebody off the waiting list of",
  "events.email_holders": "wrote an email to the ticket holders of",
  "events.stop_holder_email": "stopped an email to the ticket holders of",
  "events.add_door_phone": "added a phone for the door of",
  "events.end_door_phone": "ended a phone of the door of",
  "events.export_attendance": "exported the attendance of",
  "events.request_call_off": "asked to call off",
  "events.approve_call_off": "approved calling off",
  "events.decline_call_off": "declined calling off",
  "events.withdraw_call_off": "withdrew the request to call off",
};

const formatWhen = (value: unknown) =>
  typeof value === "string" ? formatMomentInSydney(new Date(value)) : String(value);

/** The labels of fields that only acts on tickets have. */
export const ticketAuditFields = {
  priceCents: { label: "Price", format: formatCents },
  seats: { label: "Seats" },
  perOrder: { label: "Most in one order" },
  salesFrom: { label: "Begins", format: formatWhen },
  salesUntil: { label: "Ends", format: formatWhen },
  visibility: { label: "Who can order it" },
  position: { label: "Place in the list" },
  code: { label: "Code" },
  percent: { label: "Percent off" },
  offCents: { label: "Off each ticket", format: formatCents },
  uses: { label: "Tickets in all" },
  order: { label: "Order" },
  tickets: { label: "Tickets" },
  takenCents: { label: "Taken at the door", format: formatCents },
  entry: { label: "Entry of the waiting list" },
  emailSubject: { label: "Subject" },
  doorPhone: { label: "Place of the phone" },
} as const satisfies AuditFields;
