import type { OrderTicket } from "../order-facts.ts";
import type { EmailedOrder } from "./buyer-emails.ts";

const inventedTicket = (holder: string): OrderTicket => ({
  id: "example",
  typeId: 1,
  title: "General",
  priceCents: 5_000,
  discountCents: 0,
  takenCents: 0,
  holder,
  serial: Buffer.from("example!"),
  isCancelled: false,
  refundId: null,
});

/** An order of nobody for an event that is not planned, for previews of emails. */
export const inventedOrder: EmailedOrder = {
  order: {
    id: "example",
    reference: "T-EXAMPLE",
    first_name: "Amina",
    last_name: "Raza",
    email: "amina@example.org",
    total_cents: 10_000,
    taken_cents: 0,
    currency: "AUD",
    discount_code: "",
  },
  event: {
    id: 0,
    title: "Charity dinner",
    slug: "charity-dinner",
    summary: "",
    html: "",
    place: "Town hall, Perth",
    isOnline: false,
    isAllDay: false,
    isOver: false,
    createdBy: "",
    timeZone: "Australia/Perth",
    calledOffAt: null,
    startsAt: new Date("2027-03-06T10:00:00Z"),
    endsAt: new Date("2027-03-06T13:00:00Z"),
    updatedAt: new Date("2026-11-20T01:00:00Z"),
    picture: { address: "/images/example.webp", width: 1, height: 1, color: null, widths: [] },
  },
  lines: [{ title: "General", quantity: 2, priceCents: 5_000 }],
  discountCents: 0,
  tickets: [inventedTicket("Amina Raza"), inventedTicket("Bilal Raza")],
  access: undefined,
};

const holders = ["Amina Raza", "Bilal Raza", "Sana Raza"];

/** The same order, of one to three tickets that cost nothing. */
export const freeOrder = (count: number): EmailedOrder => ({
  ...inventedOrder,
  order: { ...inventedOrder.order, total_cents: 0 },
  lines: [{ title: "General", quantity: count, priceCents: 0 }],
  tickets: holders.slice(0, count).map((holder) => ({ ...inventedTicket(holder), priceCents: 0 })),
});

/** The same order, of two tickets that staff sold in person. */
export const orderPaidInPerson: EmailedOrder = {
  ...freeOrder(2),
  order: { ...inventedOrder.order, total_cents: 0, taken_cents: 10_000 },
  tickets: freeOrder(2).tickets.map((ticket) => ({ ...ticket, takenCents: 5_000 })),
};

/** The same order with some of its tickets cancelled by the refund `example`. */
export const withCancelled = (count: number): EmailedOrder => ({
  ...inventedOrder,
  tickets: inventedOrder.tickets.map((ticket, index) =>
    index < count ? { ...ticket, isCancelled: true, refundId: "example" } : ticket,
  ),
});

export const inventedAttempt = { id: "example", provider: "payway", amount_cents: 10_000 } as const;

/** A link that opens nothing. */
export const inventedLink = { path: "/ticket-orders/example?key=…", lastDay: "31 December 2027" } as const;
