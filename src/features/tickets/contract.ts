import { z } from "zod";
import { Payment } from "#payments/checkout/contract.ts";
import { Dollars } from "#shared/contract/fields.ts";
import { latinDigits } from "#shared/contract/latin-digits.ts";
import { messages } from "#shared/contract/messages.ts";
import { Email, FirstName, LastName } from "#shared/contract/payer.ts";
import { plainPhoneNumber } from "#shared/contract/phone-number.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import { MAX_ORDER_LINES, MAX_TICKETS } from "./order.ts";

// Times on the wire are ISO 8601 with offset zero.

/** The slug of an event, or the code of a ticket type. */
const Name = z
  .string()
  .max(120)
  .regex(/^[a-z0-9-]+$/, "There is nothing with this name");

/** Of a link that shows a ticket type which others do not see. */
const AccessKey = z.string().max(40);

// ---- What is on sale -------------------------------------------------------------------------------------------------

const TicketType = onWire(
  z.object({
    /** Unique within its event. */
    code: z.string(),
    title: z.string(),
    description: z.string(),
    priceCents: Dollars,
    /** Neither sold nor held. */
    left: z.int(),
    limitPerOrder: z.int(),
    state: z.enum(["on_sale", "sold_out", "not_yet", "closed"]),
    salesFrom: z.string().nullable(),
    salesUntil: z.string().nullable(),
  }),
  { priceCents: "price" },
);
export type TicketType = z.output<typeof TicketType>;

/**
 * `sold_out` also while others hold the last seats; `not_yet`, `closed`: by the sale windows; `stopped`: until it is
 * decided whether the event takes place; `called_off`: it does not; `over`: has ended.
 */
export const SaleState = z.enum(["on_sale", "sold_out", "not_yet", "closed", "stopped", "called_off", "over"]);
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
  /** Whether a discount code can be typed in. */
  hasCodes: z.boolean(),
  /** The key of the link that was followed; without one, empty. */
  access: z.string(),
  /** How long seats chosen now are held. */
  holdSeconds: z.int(),
  /** For how many hours seats are offered to somebody on a waiting list. */
  offerHours: z.int(),
  /** The Ed25519 key that verifies tickets without a network: raw, base64url. */
  ticketKey: z.string(),
});
export type TicketEvent = z.output<typeof TicketEvent>;

export const findTicketEventCall = route({
  method: "GET",
  path: "/ticket-event",
  summary: "The named event, or the next one that sells tickets, with its ticket types and how many are left",
  query: z.object({ event: Name.optional(), key: AccessKey.optional() }),
  data: TicketEvent,
});

// ---- An order --------------------------------------------------------------------------------------------------------

/** `held`: until `holdUntil`. `lapsed`: seats free again. `refunded`: no seats left. `cancelled`: no valid ticket. */
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
     * `waiting`: the payment must settle at the bank first. `delayed`: it failed, and staff will pay it. `taken_back`:
     * the payer's bank took the payment back; we did not refund it.
     */
    state: z.enum(["waiting", "on_its_way", "paid", "delayed", "taken_back"]),
    /** Null unless `waiting`. */
    expectedBy: z.string().nullable(),
    paidAt: z.string().nullable(),
    /** Where the money arrives and roughly when, in words. */
    arrival: z.string(),
    /** True for a payment of an order that was already paid. */
    isSecondPayment: z.boolean(),
  }),
  { amountCents: "amount" },
);

const TicketOrder = onWire(
  z.object({
    id: z.uuid(),
    reference: z.string(),
    state: OrderState,
    event: z.object({
      slug: z.string(),
      title: z.string(),
      when: z.string(),
      place: z.string(),
      isCalledOff: z.boolean(),
    }),
    lines: z.array(
      onWire(z.object({ type: z.string(), title: z.string(), quantity: z.int(), priceCents: Dollars }), {
        priceCents: "price",
      }),
    ),
    /** The discount code of the order, and how much it takes off; null without one. */
    discount: onWire(z.object({ code: z.string(), cents: Dollars }), { cents: "amount" }).nullable(),
    totalCents: Dollars,
    /** What staff took for it in person, at the door; left out if nothing. */
    takenCents: Dollars.optional(),
    /** True if it holds what somebody on a waiting list was offered; left out if not. */
    isOffer: z.boolean().optional(),
    /** The key of the link that shows its types; left out if everybody sees them, and once it is paid. */
    access: z.string().optional(),
    /** The server's clock; `holdUntil` is read against it. */
    now: z.string(),
    holdUntil: z.string().nullable(),
    /** Where the tickets were sent; empty before the payment. */
    email: z.string(),
    tickets: z.array(Ticket),
    refundedCents: Dollars,
    /** Oldest first. */
    refunds: z.array(Refund),
    /** When cancelling tickets closes; null once it has closed, and where it is not possible. */
    cancelUntil: z.string().nullable(),
    /** The latest payment, while its outcome matters. */
    payment: z.object({ id: z.uuid(), state: Payment.shape.state }).nullable(),
    /** Opens the links below, and authorises every call about this order. */
    key: z.string(),
    pageUrl: z.string(),
    /** Null until there are tickets. */
    ticketsUrl: z.string().nullable(),
    calendarUrl: z.string().nullable(),
  }),
  { totalCents: "total", takenCents: "taken", refundedCents: "refunded" },
);
export type TicketOrder = z.output<typeof TicketOrder>;

const id = z.uuid();
const key = z.string().max(100);

export const holdTicketsCall = route({
  method: "POST",
  path: "/ticket-orders",
  summary: "Holds seats for up to 15 minutes; a repeated Idempotency-Key returns the same order",
  body: z.object({
    event: Name,
    lines: z
      .array(z.object({ type: Name, quantity: z.int().min(0).max(MAX_TICKETS) }))
      .max(MAX_ORDER_LINES, "Choose fewer lines"),
    /** The buyer's earlier hold, which this one replaces. Of an offer, it can only take fewer seats. */
    instead: z.object({ id, key }).optional(),
    /** For ticket types that only a link shows. */
    access: AccessKey.optional(),
    /** A discount code, in any spelling. Refused with `code_refused`; an earlier hold then stays. */
    discount: z.string().max(200).optional(),
    /** Required while many seats are held but not paid for; the error is then `captcha_dearer`. */
    captcha: z.string().max(4096).optional(),
  }),
  data: TicketOrder,
});

export const findTicketOrderCall = route({
  method: "GET",
  path: "/ticket-orders/{id}",
  isPrivate: true,
  summary: "The current state of an order, by the key in its link",
  params: z.object({ id }),
  /** Without a key, an order is not found (API-9). */
  query: z.object({ key: key.default("") }),
  data: TicketOrder,
});

const WaitingPerson = z.object({ firstName: FirstName, lastName: LastName, email: Email });

/** The form of somebody who waits for seats of one ticket type; at most `max` tickets in one order. */
export const waitingForm = (max: number) =>
  WaitingPerson.extend({
    quantity: z
      .string("Enter how many tickets you need")
      .trim()
      .regex(/^[1-9]\d{0,3}$/, `Enter how many tickets you need, 1 to ${max}`)
      .refine((text) => Number(text) <= max, `At most ${max} tickets in one order`),
  });
export type WaitingForm = z.output<ReturnType<typeof waitingForm>>;

export const joinWaitingListCall = route({
  method: "POST",
  path: "/waiting-list",
  summary:
    "Joins the waiting list of a ticket type that is sold out; somebody who is on it already stays where they are",
  body: WaitingPerson.extend({
    event: Name,
    type: Name,
    quantity: z.int().min(1, "Enter how many tickets you need").max(MAX_TICKETS),
    /** For ticket types that only a link shows. */
    access: AccessKey.optional(),
    /** Required; without one, or with one that is too easy, the error `captcha_dearer` names the effort. */
    captcha: z.string().max(4096).optional(),
  }),
  data: z.object({}),
});

export const leaveWaitingListCall = route({
  method: "POST",
  path: "/waiting-list/{id}/leave",
  isPrivate: true,
  summary: "Leaves the waiting list, and gives back seats that were offered",
  params: z.object({ id }),
  body: z.object({ key }),
  data: z.object({}),
});

const line = (max: number, sentence: string) => z.string().trim().max(max, sentence).regex(plainLine, sentence);

/** The buyer. Errors in the form are reported under these names. All but the first four may be empty (TIC-4). */
export const Buyer = z.object({
  email: Email,
  firstName: FirstName,
  lastName: LastName,
  country: line(100, "Choose your country").min(1, "Country is required"),
  phone: z
    .string()
    .overwrite(plainPhoneNumber)
    .regex(/^$|^\+?[\d ().-]{5,30}$/, "Enter a phone number with digits, spaces and + only, or leave it empty")
    .default(""),
  address: line(200, "Enter an address of at most 200 characters").default(""),
  postcode: z
    .string()
    .overwrite(latinDigits)
    .trim()
    .regex(/^[A-Za-z0-9 -]{0,12}$/, messages.postcode)
    .default(""),
  suburb: line(100, "Enter a suburb of at most 100 characters").default(""),
});
export type Buyer = z.output<typeof Buyer>;

/** `instrument` is the card frame's single-use token (`cc`) or PayPal's payment method nonce (`pp`). */
const TicketPayment = onWire(
  Buyer.extend({
    key,
    method: z.enum(["cc", "pp"]),
    instrument: z
      .string()
      .regex(/^[A-Za-z0-9_-]{8,200}$/, "Enter your card details again, or approve with PayPal again"),
    /** The total that the buyer saw; the server calculates it again. */
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

const FreeBooking = Buyer.extend({ key, captcha: z.string().max(4096).optional() });
export type FreeBooking = z.output<typeof FreeBooking>;

export const bookTicketsCall = route({
  method: "POST",
  path: "/ticket-orders/{id}/booking",
  isPrivate: true,
  summary: "Books a held order that costs nothing: its tickets are issued immediately",
  params: z.object({ id }),
  body: FreeBooking,
  data: TicketOrder,
});

export const cancelTicketsCall = route({
  method: "POST",
  path: "/ticket-orders/{id}/cancellation",
  isPrivate: true,
  summary: "Cancels tickets of a paid order and refunds them; tickets already cancelled are ignored",
  params: z.object({ id }),
  body: z.object({ key, tickets: z.array(id).min(1, "Choose the tickets to cancel").max(MAX_TICKETS) }),
  data: TicketOrder,
});

/** 1 to 100 characters on one line. */
export const HolderName = line(100, "Enter a name of at most 100 characters").min(
  1,
  "Enter the name of the person attending",
);

export const renameHolderCall = route({
  method: "POST",
  path: "/ticket-orders/{id}/holder",
  isPrivate: true,
  summary: "Changes the name on a ticket",
  params: z.object({ id }),
  body: z.object({ key, ticket: id, name: HolderName }),
  data: TicketOrder,
});
