import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { type FailedJob, listFailedJobs } from "#shared/jobs/failed-jobs.ts";
import type { PaidSubject } from "./paid-subject.ts";

/** An email that could not be sent in about a day of retries. */
export type FailedEmail = {
  readonly id: string;
  /** 'Receipt for a donor' */
  readonly what: string;
  /** What it belongs to, if there is something. */
  readonly of: PaidSubject | null;
  readonly sentAt: Date;
  readonly failedAt: Date;
  /** One line without personal data. */
  readonly reason: string;
};

/** The names of emails, by the template in their jobs. */
export const emailTitles: Readonly<Record<string, string>> = {
  receipt: "Receipt, to the donor",
  "receipt-copy": "Copy of a receipt",
  "new-donation": "New donation, to us",
  "payment-outcome": "How a payment ended, to the donor",
  "payment-needs-check": "A payment needs checking, to us",
  refund: "Refund, to the donor",
  "refund-needs-check": "A refund needs checking, to us",
  "staff-refund-to-approve": "A refund waits for approval, to staff",
  tickets: "Tickets, to the buyer",
  "tickets-refused": "No seats were left, to the buyer",
  "tickets-payment-outcome": "How a payment for tickets ended, to the buyer",
  "tickets-cancelled": "Cancelled tickets, to the buyer",
  "tickets-cancelled-by-staff": "Tickets that staff cancelled, to the buyer",
  "tickets-refund": "Refund of tickets, to the buyer",
  "event-called-off": "An event is called off, to the buyer",
  "event-moved": "Another time or place of an event, to the buyer",
  "holder-email": "What staff wrote to the holders of tickets",
  "waiting-joined": "A place on a waiting list, to whoever joined it",
  "waiting-offer": "An offer of seats, to somebody on a waiting list",
  "waiting-called-off": "A called-off event, to somebody on its waiting list",
  "new-link": "New link to a document",
  "contact-message": "Message of the contact form, to us",
  "contact-answer": "Confirmation of a message, to its sender",
  "application-received": "Application received, to the volunteer",
  "new-application": "New application, to the coordinator",
  "application-decided": "Decision, to the volunteer",
  "shift-place-taken": "Place in a shift, to the volunteer",
  "shift-moved": "Another time or place of a shift, to the volunteer",
  "shift-reminder": "Reminder of a shift, to the volunteer",
  "shift-place-lost": "Lost place in a shift, to the volunteer",
  "application-question": "Question, to the applicant",
  "volunteer-withdrew": "A volunteer withdrew, to the coordinator",
  "check-expires": "A check expires, to the volunteer",
  "volunteer-check-expires": "A check expires, to the coordinator",
  welcome: "Welcome, to a new account",
  "confirm-address": "Confirmation of an address",
  "reset-code": "Code for a new password",
  "password-changed": "Password changed",
  "passkey-added": "Passkey added",
  "passkey-removed": "Passkey removed",
  "passkey-blocked": "Passkey blocked",
  "staff-invitation": "Invitation to the back office, to staff",
  "staff-passkey-blocked": "A passkey is refused, to staff",
  "staff-recovery-code-used": "A recovery code was used, to staff",
  "staff-log-in-code": "Code to log in, to staff",
  "staff-wrong-tries": "Failed attempts to log in, to staff",
  "staff-roles-changed": "Roles changed, to staff",
  "staff-way-in-changed": "A change of how somebody logs in, to staff",
  "staff-account-ended": "Account ended, to staff",
  "staff-administrator-added": "A new administrator, to administrators",
  "staff-administrator-asked": "A new administrator is waiting for approval, to administrators",
  "staff-administrator-declined": "A new administrator was declined, to administrators",
  "organisation-changed": "Name, ABN or bank accounts changed, to administrators",
  "bank-accounts-asked": "New bank accounts are waiting for approval, to administrators",
  "staff-call-off-to-approve": "Calling off an event is waiting for approval, to staff",
  "staff-reset": "A log-in was reset, to staff",
  "provider-unavailable": "A payment provider is away, to us",
  reconciliation: "Report of the reconciliation, to us",
};

/** Newest first. */
export async function listFailedEmails(connection: Connection, limit = 200): Promise<FailedEmail[]> {
  const jobs = await listFailedJobs(connection, limit);
  const references = await findReferences(connection, jobs);
  return jobs.map(({ id, data, message, sentAt, failedAt }) => ({
    id,
    sentAt,
    failedAt,
    what: describeEmail(data),
    of: idsIn(data).flatMap((of) => references.get(of) ?? [])[0] ?? null,
    reason: describeReason(message),
  }));
}

/** The email's name for people, from its job's data. */
export function describeEmail(data: unknown): string {
  const { template = "" } = (data ?? {}) as { template?: string };
  return emailTitles[template] ?? `Email ‘${template}’`;
}

/** The ids of payments, refunds, donations and orders that a job names. */
function idsIn(data: unknown): string[] {
  const { donationId, attemptId, refundId, orderId, id } = (data ?? {}) as Record<string, unknown>;
  return [donationId, attemptId, refundId, orderId, id].filter((one) => typeof one === "string");
}

/** What the jobs belong to, by the ids that they name. */
async function findReferences(connection: Connection, jobs: readonly FailedJob[]) {
  const ids = [...new Set(jobs.flatMap(({ data }) => idsIn(data)))].filter((id) => /^[\da-f-]{36}$/.test(id));
  const { rows } = await sql<PaidSubject & { named: string }>`
    with named as (select unnest(${ids}::uuid[]) as id),
    found as (
      select id, id as thing from named
      union all
      select named.id, coalesce(donation_id, ticket_order_id) from named join payment_attempts using (id)
      union all
      select named.id, coalesce(attempt.donation_id, attempt.ticket_order_id) from named
        join refunds refund using (id) join payment_attempts attempt on attempt.id = refund.attempt_id)
    select found.id as named, 'donation' as kind, donation.id, reference
      from found join donations donation on donation.id = found.thing
    union all
    select found.id, 'ticket_order', orders.id, reference
      from found join ticket_orders orders on orders.id = found.thing`.execute(connection);
  return new Map(rows.map(({ named, ...thing }) => [named, thing]));
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/, "The mail server could not be reached."],
  [/ETIMEDOUT|timed? ?out|Greeting never received/i, "The mail server did not answer in time."],
  [/ECONNRESET|ESOCKET|EPIPE|closed unexpectedly/i, "The connection to the mail server was lost."],
  [/certificate|self.signed|SSL|TLS/i, "The mail server’s certificate is not valid."],
  [/\b(?:535|534|530)\b|EAUTH|invalid login|authenticat/i, "The mail server refused our user name or password."],
  [/\b(?:550|551|553)\b|mailbox|recipient/i, "The mail server refused the recipient’s address."],
  [/\b552\b|quota|mailbox full/i, "The recipient’s mailbox is full."],
  [/\b554\b|spam|blocked|policy/i, "The mail server refused the email as unwanted."],
  [/\b4\d\d\b|greylist|try again/i, "The mail server asked us to try again later."],
  [/\b5\d\d\b/, "The mail server refused the email."],
  [/No feature writes/, "This version of the site no longer writes this email."],
  [/heartbeat|expired|expiration/i, "The server stopped while it was sending this email."],
];

/** One line. The error itself is not shown, because it may name somebody. */
function describeReason(message: string): string {
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? "Something went wrong on our side; see the log.";
}
