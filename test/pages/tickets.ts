import { vi } from "vitest";
import type { Ticket, TicketEvent, TicketOrder, TicketType } from "#features/tickets/contract.ts";
import type { TicketRefund } from "#features/tickets/refunds.ts";
import type { EventDetails } from "#shared/events/event.ts";

// An event, its ticket types and an order of three tickets, for tests of pages.

export const dinner: EventDetails = {
  id: 1,
  slug: "charity-dinner",
  title: "Charity dinner & music",
  summary: "An evening of stories.",
  html: "<h2>The menu</h2>",
  picture: { address: "/images/abc", width: 4, height: 3, color: "#ffffff", widths: [320] },
  place: "",
  isOnline: true,
  startsAt: new Date("2024-04-27T15:00:00Z"),
  endsAt: new Date("2024-04-27T18:00:00Z"),
  timeZone: "Asia/Karachi",
  isAllDay: false,
  createdBy: "admin",
  isOver: false,
  calledOffAt: null,
  updatedAt: new Date("2023-11-20T01:02:03Z"),
};

export const vip: TicketType = {
  code: "vip",
  title: "VIP Seat",
  description: "Front tables.",
  priceCents: 10_000,
  left: 12,
  limitPerOrder: 10,
  state: "on_sale",
  salesFrom: null,
  salesUntil: null,
};
export const standard: TicketType = {
  ...vip,
  code: "standard",
  title: "Standard Seat",
  description: "A shared table.",
  priceCents: 5_000,
  left: 120,
};
export const offer: TicketEvent = {
  slug: dinner.slug,
  title: dinner.title,
  when: "Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05)",
  place: "Online: access details come from the organiser",
  startsAt: dinner.startsAt.toISOString(),
  endsAt: dinner.endsAt.toISOString(),
  timeZone: dinner.timeZone,
  state: "on_sale",
  types: [vip, standard],
  hasCodes: false,
  access: "",
  holdSeconds: 900,
  offerHours: 24,
  ticketKey: "key",
};

export const uuid = (n: number) => `3f0c1a52-9a1e-4a3c-8a39-0a3a0e6c9a0${n}`;
const ticket = (n: number, changes: Partial<Ticket>): Ticket => ({
  id: uuid(n),
  type: "standard",
  title: "Standard Seat",
  priceCents: 5_000,
  holder: "Amina Raza",
  number: `A1B2-C3D${n}`,
  isCancelled: false,
  ...changes,
});
export const paidOrder: TicketOrder = {
  id: uuid(0),
  reference: "T-7KQ2M4XD",
  state: "paid",
  event: { slug: offer.slug, title: offer.title, when: offer.when, place: offer.place, isCalledOff: false },
  lines: [
    { type: "vip", title: "VIP Seat", quantity: 1, priceCents: 10_000 },
    { type: "standard", title: "Standard Seat", quantity: 2, priceCents: 5_000 },
  ],
  discount: null,
  totalCents: 20_000,
  now: "2024-04-01T00:00:00.000Z",
  holdUntil: null,
  email: "amina@example.com",
  tickets: [ticket(1, { type: "vip", title: "VIP Seat", priceCents: 10_000 }), ticket(2, {}), ticket(3, {})],
  refundedCents: 0,
  refunds: [],
  cancelUntil: "2024-04-25T15:00:00.000Z",
  payment: { id: uuid(9), state: "succeeded" },
  key: "the-key",
  pageUrl: `/ticket-orders/${uuid(0)}?key=the-key`,
  ticketsUrl: `/ticket-orders/${uuid(0)}/tickets.pdf?key=the-key`,
  calendarUrl: `/ticket-orders/${uuid(0)}/event.ics?key=the-key`,
};
/** A refund of $50.00 on 1 April 2024 in Sydney, waiting for the payment to settle unless the changes say otherwise. */
export const refund = (changes: Partial<TicketRefund>): TicketRefund => ({
  id: uuid(8),
  amountCents: 5_000,
  state: "waiting",
  expectedBy: "2024-04-02T00:00:00.000Z",
  paidAt: null,
  arrival: "It goes back to the card you paid with.",
  isSecondPayment: false,
  ...changes,
});
export const heldOrder: TicketOrder = {
  ...paidOrder,
  state: "held",
  holdUntil: "2024-04-01T00:14:30.000Z",
  email: "",
  tickets: [],
  cancelUntil: null,
  payment: null,
  ticketsUrl: null,
  calendarUrl: null,
};

/** Amounts as the wire has them. */
function onTheWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      name.endsWith("Cents") ? [name.slice(0, -5), (one as number) / 100] : [name, onTheWire(one)],
    ),
  );
}

type Call = { readonly url: string; readonly body: unknown };
type Given = { readonly status?: number; readonly error?: string; readonly message?: string; readonly data?: unknown };

/** Answers the page in place of the server; returns its requests in order. */
export function answerCalls(answer: (call: Call) => Given | "cut"): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string } = {}) => {
    if (url === "/api/checkout") return { status: 200, text: async () => "" };
    const call = { url, body: body === undefined ? undefined : JSON.parse(body) };
    calls.push(call);
    const given = answer(call);
    if (given === "cut") throw new Error("cut");
    const { status = 200, error, message = "", data } = given;
    const envelope = { code: String(status), status: String(status === 200), message, error, data: onTheWire(data) };
    return { status, text: async () => JSON.stringify(envelope) };
  });
  return calls;
}
