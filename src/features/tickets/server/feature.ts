import type { Database } from "#shared/database/connect.ts";
import { freeLapsedHolds } from "./lapse.ts";
import { orderLinks } from "./order-links.ts";
import { ticketHoldings } from "./retention.ts";
import { ticketRoutes } from "./routes.ts";
import { ticketSubject } from "./settlement.ts";
import { ticketDocuments } from "./ticket-documents.ts";
import { type TicketLetterJob, writeTicketLetter } from "./write-letters.ts";

type ChoreServices = { readonly database: Database; readonly now: () => Date };

/** What tickets bring to the server. */
export const tickets = {
  calls: ticketRoutes,
  routes: ticketDocuments,
  subject: { kind: "ticket_order", create: ticketSubject },
  letters: {
    tickets: writeTicketLetter,
    "tickets-refused": writeTicketLetter,
    "tickets-payment-outcome": writeTicketLetter,
    "tickets-cancelled": writeTicketLetter,
    "tickets-refund": writeTicketLetter,
  } satisfies Record<TicketLetterJob["letter"], unknown>,
  links: { ticket_order: orderLinks },
  holdings: () => ticketHoldings,
  chores: [
    {
      name: "lapsed holds",
      every: "tick",
      run: ({ database, now }: ChoreServices) => freeLapsedHolds(database, now()),
    },
  ],
} as const;
