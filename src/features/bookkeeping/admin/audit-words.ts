import type { AuditWords, Changes } from "#admin/acts.ts";
import { type AuditFields, formatAuditDay, formatByName, formatCents } from "#admin/audit-fields.ts";
import type { FindingKind } from "#payments/reconciliation/compare-terms.ts";
import { providerTitles } from "#payments/reconciliation/reconciliation-report.ts";
import { formatNumber } from "#shared/language.ts";
import type { JournalAccount } from "../accounts.ts";
import { describeEmail, emailTitles } from "../server/failed-emails.ts";

const kinds: Readonly<Record<FindingKind, string>> = {
  charge_without_payment: "The provider has a charge that our books do not",
  payment_without_charge: "Our books have a payment that the provider does not",
  amount_differs: "The amounts of a payment differ",
  currency_differs: "The currencies of a payment differ",
  status_differs: "The states of a payment differ",
  charged_twice: "The provider charged twice",
  refund_without_request: "The provider has a refund that our books do not",
  refund_missing: "Our books have a refund that the provider does not",
  refund_amount_differs: "The amounts of a refund differ",
  ledger_differs: "The ledger differs from the payment",
};

const formatCount = (value: unknown) => (typeof value === "number" ? formatNumber(value) : String(value));

const formatAccounts = (value: unknown) =>
  Object.values(value as Readonly<Record<string, JournalAccount>>)
    .map(({ code, name, tax }) => `${code} ${name}, ${tax}`)
    .join("; ");

/** The fields of a failed email's job. Ids are those of the tables. */
const jobFields = {
  template: { label: "Email", format: formatByName(emailTitles) },
  emailId: { label: "Id of the email" },
  donationId: { label: "Id of the donation" },
  attemptId: { label: "Id of the payment" },
  refundId: { label: "Id of the refund" },
  orderId: { label: "Id of the ticket order" },
  ticketIds: { label: "Ids of the tickets" },
  linkAt: { label: "Time of its link" },
  requestId: { label: "Id of the request" },
  applicationId: { label: "Id of the application" },
  placeId: { label: "Id of the place in a shift" },
  movedAt: { label: "Time of the move" },
  remindedAt: { label: "Time of the reminder" },
  eventId: { label: "Id in the application’s history" },
  stageVersion: { label: "Version of the application’s stage" },
  checkId: { label: "Id of the check" },
  messageId: { label: "Id of the message" },
  userId: { label: "Number of the donor’s account" },
  staffId: { label: "Number of the member of staff" },
  toId: { label: "To the member of staff with the number" },
  recipientId: { label: "To the member of staff with the number" },
  actId: { label: "Number in the audit trail" },
  id: { label: "Id of the document" },
  because: { label: "Because of" },
  reason: { label: "Reason" },
  since: { label: "Since" },
} as const satisfies AuditFields;

/** The labels of fields that only acts of bookkeeping have. */
export const bookkeepingAuditFields = {
  ...jobFields,
  kind: { label: "Kind", format: formatByName(kinds) },
  provider: { label: "Provider", format: formatByName(providerTitles) },
  reference: { label: "Reference" },
  oursCents: { label: "On our books", format: formatCents },
  theirsCents: { label: "On the provider’s books", format: formatCents },
  payment: { label: "Our reference of the payment" },
  days: { label: "Days", format: formatCount },
  receiptNumbers: { label: "Receipt numbers skipped", format: formatCount },
  lines: { label: "Lines", format: formatCount },
  file: { label: "File", format: formatCount },
  accounts: { label: "Accounts", format: formatAccounts },
} as const satisfies AuditFields;

/** The audit trail's words for each act: 'Amina Raza closed with a reason difference 1179991276'. */
export const bookkeepingAuditWords = {
  "difference.close": "closed with a reason",
  "reconciliation.compare": "compared again",
  "payment.check": "had the provider asked about the payment of",
  "card-guard.end": "ended the guard of cards.",
  "job.retry": ({ before }) => `sent again a failed email: ${describeEmail(before)}.`,
  "job.discard": ({ before }) => `discarded a failed email: ${describeEmail(before)}.`,
  "restore.open": "opened the site again after it was restored from a backup.",
  "journal.accounts": "changed the codes, names or taxes of the journal’s accounts.",
  "journal.make": (changes) => `made the accounting journal from ${dayOf(changes, "from")} to ${dayOf(changes, "to")}.`,
  "journal.download": (changes) =>
    `downloaded the accounting journal from ${dayOf(changes, "from")} to ${dayOf(changes, "to")}.`,
} as const satisfies AuditWords;

const dayOf = ({ after }: Changes, which: "from" | "to") => formatAuditDay(after?.[which]);
