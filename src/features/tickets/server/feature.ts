import { ticketsAdmin } from "../admin/admin-parts.ts";
import type { planTicketOrders } from "../demo/add-orders.ts";
import { ticketProblems } from "../problems.ts";
import { continueCallOffs } from "./call-off/continue-call-offs.ts";
import { ticketDocuments } from "./documents/ticket-documents.ts";
import {
  type CallOffToApproveJob,
  callOffApprovalEmails,
  writeCallOffToApproveEmail,
} from "./emails/call-off-approval-email.ts";
import { calledOffEmails } from "./emails/called-off-email.ts";
import { cancelledEmails } from "./emails/cancelled-email.ts";
import { type HolderEmailJob, holderEmails, writeHolderEmailJob } from "./emails/holder-email.ts";
import { movedEmails } from "./emails/moved-email.ts";
import { ticketPaymentEmails } from "./emails/payment-emails.ts";
import { ticketRefundEmails } from "./emails/refund-emails.ts";
import { ticketEmails } from "./emails/ticket-emails.ts";
import { type WaitingEmailJob, waitingEmails, writeWaitingEmail } from "./emails/waiting-emails.ts";
import { type TicketEmailJob, writeTicketEmail } from "./emails/write-emails.ts";
import { freeLapsedHolds } from "./hold/lapsed-holds.ts";
import { sendDueHolderEmails } from "./holder-emails/holder-emails.ts";
import { orderLinks } from "./order-links.ts";
import { ticketHoldings } from "./retention.ts";
import { ticketRoutes } from "./routes.ts";
import { ticketSubject } from "./settlement.ts";
import { ticketReads } from "./ticket-reads.ts";
import { type OfferServices, offerFreeSeats } from "./waiting/offer-seats.ts";
import { waitingLinks } from "./waiting/waiting-links.ts";

type TaskServices = Parameters<typeof continueCallOffs>[0];

export const tickets = {
  problems: ticketProblems,
  calls: ticketRoutes,
  routes: ticketDocuments,
  reads: ticketReads,
  subject: { kind: "ticket_order", create: ticketSubject },
  emails: {
    tickets: writeTicketEmail,
    "tickets-refused": writeTicketEmail,
    "tickets-payment-outcome": writeTicketEmail,
    "tickets-cancelled": writeTicketEmail,
    "tickets-cancelled-by-staff": writeTicketEmail,
    "tickets-refund": writeTicketEmail,
    "event-called-off": writeTicketEmail,
    "event-moved": writeTicketEmail,
    "staff-call-off-to-approve": writeCallOffToApproveEmail,
    "waiting-joined": writeWaitingEmail,
    "waiting-offer": writeWaitingEmail,
    "waiting-called-off": writeWaitingEmail,
    "holder-email": writeHolderEmailJob,
  } satisfies Record<(TicketEmailJob | CallOffToApproveJob | WaitingEmailJob | HolderEmailJob)["template"], unknown>,
  emailTexts: {
    Tickets: [
      ...ticketEmails,
      ...ticketPaymentEmails,
      ...ticketRefundEmails,
      ...cancelledEmails,
      ...movedEmails,
      ...calledOffEmails,
      ...callOffApprovalEmails,
      ...waitingEmails,
      ...holderEmails,
    ],
  },
  links: { ticket_order: orderLinks, waiting_entry: waitingLinks },
  holdings: () => ticketHoldings,
  admin: ticketsAdmin,
  scheduledTasks: [
    {
      name: "lapsed holds",
      every: "tick",
      run: ({ database, now }: TaskServices) => freeLapsedHolds(database, now()),
    },
    { name: "waiting lists", every: "tick", run: (services: OfferServices) => offerFreeSeats(services) },
    { name: "emails to holders", every: "tick", run: (services: TaskServices) => sendDueHolderEmails(services) },
    { name: "called-off events", every: "tick", run: (services: TaskServices) => continueCallOffs(services) },
  ],
  planDemo: async (...past: Parameters<typeof planTicketOrders>) =>
    (await import("../demo/add-orders.ts")).planTicketOrders(...past),
} as const;
