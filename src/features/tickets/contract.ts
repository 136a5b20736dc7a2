import { z } from "zod";
import { Payment } from "#payments/checkout/contract.ts";
import { Dollars } from "#shared/contract/fields.ts";
import { Email, FirstName, LastName } from "#shared/contract/payer.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import { MAXIMUM_LINES, MAXIMUM_QUANTITY } from "./order.ts";

// Times on the wire are ISO 8601 with offset zero.

/** An event or a ticket type as addresses and calls name it. */
const Name = z
  .string()
  .max(120)
  .regex(/^[a-z0-9-]+$/, "There is nothing of this name");

// ---- What is on sale -------------------------------------------------------------------------------------------------

const TicketType = onWire(
  z.object({
    /** Names the type within its event. */
    code: z.string(),
    title: z.string(),
    description: z.string(),
    priceCents: Dollars,
    /** Neither sold nor held just now. */
    left: z.int(),
    limitPerOrder: z.int(),
    state: z.enum(["on_sale", "sold_out", "not_yet", "closed"]),
    salesFrom: z.string().nullable(),
    salesUntil: z.string().nullable(),
  }),
  { priceCents: "price" },
);
export type TicketType = z.output<typeof TicketType>;

/** `sold_out` also while the last seats are held by others; `not_yet` and `closed` by the sale windows; `over` by the event. */
export const SaleState = z.enum(["on_sale", "sold_out", "not_yet", "closed", "over"]);
export type SaleState = z.output<typeof SaleState>;

const TicketEvent = z.object({
  slug: z.string(),
  title: z.string(),
  /** 'Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05). Sydney time: Sunday 28 April 2024 1:00 AM to 4:00 AM (UTC+10)'. */
  when: z.string(),
  place: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.string(),
  state: SaleState,
  types: z.array(TicketType),
  /** For how long seats are held that are chosen now. */
  holdSeconds: z.int(),
  /** The Ed25519 key that verifies tickets without a network: raw, base64url. */
  ticketKey: z.string(),
});
export type TicketEvent = z.output<typeof TicketEvent>;

export const findTicketEventCall = route({
  method: "GET",
  path: "/ticket-event",
  summary: "The event of this name whose tickets are sold, or the next one that has any, and what is left",
  query: z.object({ event: Name.optional() }),
  data: TicketEvent,
});

// ---- An order --------------------------------------------------------------------------------------------------------

/** `held`: the seats are kept until `holdUntil`. `lapsed`: they are free again. `refunded`: paid when no seat was left. `cancelled`: no ticket of it is left. */
export const OrderState = z.enum(["held", "lapsed", "paid", "cancelled", "refunded"]);
export type OrderState = z.output<typeof OrderState>;

const Ticket = onWire(
  z.object({
    id: z.uuid(),
    type: z.string(),
    title: z.string(),
    priceCents: Dollars,
    holder: z.string(),
    /** Printed on the ticket: eight letters and digits in two groups. */
    number: z.string(),
    isCancelled: z.boolean(),
  }),
  { priceCents: "price" },
);
export type Ticket = z.output<typeof Ticket>;

const Refund = onWire(
  z.object({
    id: z.uuid(),
    amountCents: Dollars,
    /**
     * `waiting`: for the payment to settle at the bank. `delayed`: it failed, and staff see to it. `taken_back`: by the
     * payer's bank, not by us.
     */
    state: z.enum(["waiting", "on_its_way", "paid", "delayed", "taken_back"]),
    /** While it is `waiting`. */
    expectedBy: z.string().nullable(),
    paidAt: z.string().nullable(),
    /** Where the money arrives, and about when, in words. */
    arrival: z.string(),
    /** Of a payment for an order that had been paid already. */
    isSecondPayment: z.boolean(),
  }),
  { amountCents: "amount" },
);

const TicketOrder = onWire(
  z.object({
    id: z.uuid(),
    reference: z.string(),
    state: OrderState,
    event: z.object({ slug: z.string(), title: z.string(), when: z.string(), place: z.string() }),
    lines: z.array(
      onWire(z.object({ type: z.string(), title: z.string(), quantity: z.int(), priceCents: Dollars }), {
        priceCents: "price",
      }),
    ),
    totalCents: Dollars,
    /** The server's own clock, by which `holdUntil` counts. */
    now: z.string(),
    holdUntil: z.string().nullable(),
    /** Where the tickets were sent; empty before the payment. */
    email: z.string(),
    tickets: z.array(Ticket),
    /** What of `totalCents` went back. */
    refundedCents: Dollars,
    /** Oldest first. */
    refunds: z.array(Refund),
    /** Until when single tickets may be cancelled for a refund; null where that is over, or cannot be. */
    cancelUntil: z.string().nullable(),
    /** The latest payment for it, while its outcome matters. */
    payment: z.object({ id: z.uuid(), state: Payment.shape.state }).nullable(),
    /** The right to all of the below, and to every call about this order. */
    key: z.string(),
    pageUrl: z.string(),
    /** Null until there are tickets. */
    ticketsUrl: z.string().nullable(),
    calendarUrl: z.string().nullable(),
  }),
  { totalCents: "total", refundedCents: "refunded" },
);
export type TicketOrder = z.output<typeof TicketOrder>;

const id = z.uuid();
const key = z.string().max(100);

export const holdTicketsCall = route({
  method: "POST",
  path: "/ticket-orders",
  summary: "Holds seats for up to a quarter of an hour; the same Idempotency-Key again is the same order",
  body: z.object({
    event: Name,
    lines: z
      .array(z.object({ type: Name, quantity: z.int().min(0).max(MAXIMUM_QUANTITY) }))
      .max(MAXIMUM_LINES, "Choose fewer lines"),
    /** An earlier hold of the same buyer, which is given up for this one. */
    instead: z.object({ id, key }).optional(),
    /** Asked for while many seats are held and not paid: `captcha_dearer` says so. */
    captcha: z.string().max(4096).optional(),
  }),
  data: TicketOrder,
});

export const findTicketOrderCall = route({
  method: "GET",
  path: "/ticket-orders/{id}",
  isPrivate: true,
  summary: "An order as it stands, by the key of its link",
  params: z.object({ id }),
  query: z.object({ key }),
  data: TicketOrder,
});

const line = (most: number, sentence: string) => z.string().trim().max(most, sentence).regex(plainLine, sentence);

/** Who buys; the names under which the form's faults come back. All but the first four may be empty (TIC-4). */
export const Buyer = z.object({
  email: Email,
  firstName: FirstName,
  lastName: LastName,
  country: line(100, "Choose your country").min(1, "Country is required"),
  phone: z
    .string()
    .trim()
    .regex(/^$|^\+?[\d ()-]{5,30}$/, "Enter a phone number with digits, spaces and + only, or leave it empty")
    .default(""),
  address: line(200, "Enter an address of at most 200 letters").default(""),
  postcode: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9 -]{0,12}$/, "Enter a post code of at most 12 letters, digits, spaces or hyphens")
    .default(""),
  suburb: line(100, "Enter a suburb of at most 100 letters").default(""),
});
export type Buyer = z.output<typeof Buyer>;

/** `method` tells whether `instrument` is the card frame's single-use token or what PayPal's approval gave. */
const TicketPayment = onWire(
  Buyer.extend({
    key,
    method: z.enum(["cc", "pp"]),
    instrument: z
      .string()
      .regex(/^[A-Za-z0-9_-]{8,200}$/, "Please enter the card details, or approve with PayPal, again"),
    /** What the buyer was shown; the server prices again. */
    totalCents: Dollars,
    captcha: z.string().max(4096).optional(),
  }),
  { totalCents: "total" },
);
export type TicketPayment = z.output<typeof TicketPayment>;

export const payTicketsCall = route({
  takesPayment: true,
  method: "POST",
  path: "/ticket-orders/{id}/payment",
  isPrivate: true,
  summary: "Pays a held order: 200 when charged, 402 when declined, 202 while the outcome is being confirmed",
  params: z.object({ id }),
  body: TicketPayment,
  data: Payment,
});

export const cancelTicketsCall = route({
  method: "POST",
  path: "/ticket-orders/{id}/cancellation",
  isPrivate: true,
  summary: "Cancels tickets of a paid order for a refund; one that is cancelled already stays so",
  params: z.object({ id }),
  body: z.object({ key, tickets: z.array(id).min(1, "Choose the tickets to cancel").max(MAXIMUM_QUANTITY) }),
  data: TicketOrder,
});

/** 1 to 100 letters on one line. */
export const HolderName = line(100, "Enter a name of at most 100 letters").min(1, "Enter the name of who comes");

export const renameHolderCall = route({
  method: "POST",
  path: "/ticket-orders/{id}/holder",
  isPrivate: true,
  summary: "Puts another name on a ticket",
  params: z.object({ id }),
  body: z.object({ key, ticket: id, name: HolderName }),
  data: TicketOrder,
});
