import { vi } from "vitest";
import { describedCheckout } from "#test/pages/providers.ts";

/** The page's requests, written by hand as they are on the wire. */
type Seen = { call: string; url: string; headers: Record<string, string>; body: Record<string, unknown> };
export const requests: Seen[] = [];

type Reply = { status: number; text: string };
type Answering = (request: Seen) => Promise<Reply> | Reply;
let special: [string, Answering][] = [];

export const orderIds = ["0c9b4f3e-5f0a-4c55-9f0b-6a2d5f4f7a10", "1d9b4f3e-5f0a-4c55-9f0b-6a2d5f4f7a11"] as const;
const paymentId = "2e9b4f3e-5f0a-4c55-9f0b-6a2d5f4f7a12";

export const envelope = (status: number, data: unknown, more: object = {}): Reply => ({
  status,
  text: JSON.stringify({ code: String(status), status: status === 200 ? "true" : "false", message: "", data, ...more }),
});

const ticket = (last: string, title: string, price: number, number: string) => ({
  id: `3f9b4f3e-5f0a-4c55-9f0b-6a2d5f4f7a${last}`,
  type: title === "VIP Seat" ? "vip" : "standard",
  title,
  price,
  holder: "Sana Malik",
  number,
  isCancelled: false,
});

/** The server's clock is years ahead of this one, which must not matter. */
export function orderOf(more: object = {}, heldForMs = 900_000) {
  const now = Date.parse("2031-05-01T10:00:00Z");
  return {
    id: orderIds[0],
    reference: "T-7KQ2M9XW",
    state: "held",
    event: {
      slug: "gala",
      title: "Gala dinner",
      when: "Saturday 3 May 2031 8:00 PM (UTC+10)",
      place: "Town Hall",
      isCalledOff: false,
    },
    lines: [
      { type: "vip", title: "VIP Seat", quantity: 1, price: 100 },
      { type: "standard", title: "Standard Seat", quantity: 1, price: 50 },
    ],
    discount: null,
    total: 150,
    now: new Date(now).toISOString(),
    holdUntil: new Date(now + heldForMs).toISOString(),
    email: "",
    tickets: [],
    refunded: 0,
    refunds: [],
    cancelUntil: null,
    payment: null,
    key: "the-key",
    pageUrl: "/ticket-orders/1?key=the-key",
    ticketsUrl: null,
    calendarUrl: null,
    ...more,
  };
}

export const paidOrder = () =>
  orderOf({
    state: "paid",
    holdUntil: null,
    email: "sana@example.com",
    tickets: [ticket("21", "VIP Seat", 100, "AB12-CD34"), ticket("22", "Standard Seat", 50, "EF56-GH78")],
    payment: { id: paymentId, state: "succeeded" },
    ticketsUrl: "/ticket-orders/1/tickets.pdf?key=the-key",
    calendarUrl: "/ticket-orders/1/event.ics?key=the-key",
  });

export const paymentOf = (state: string, more: object = {}) => ({ id: paymentId, state, message: "", ...more });
export const succeeded = paymentOf("succeeded", {
  message: "Thank you. Your tickets are booked.",
  reference: "T-7KQ2M9XW",
});

const usual: [string, Answering][] = [
  ["POST /api/ticket-orders", () => envelope(200, orderOf())],
  ["POST /api/ticket-orders/*/payment", () => envelope(200, succeeded, { message: succeeded.message })],
  ["GET /api/ticket-orders/*", () => envelope(200, paidOrder())],
  ["GET /api/checkout", () => envelope(200, describedCheckout)],
  ["GET /api/payments/*", () => envelope(200, succeeded)],
  ["POST /api/payway-3ds", () => envelope(200, succeeded, { message: succeeded.message })],
  ["GET /api/generateToken", () => envelope(200, {}, { clientToken: "a client token" })],
];

const isOf = (pattern: string, call: string) =>
  new RegExp(`^${pattern.replaceAll("/", "\\/").replaceAll("*", "[^/]+")}$`).test(call);

/** A healthy server without any requests. */
export function serve(): void {
  special = [];
  requests.length = 0;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const body = init.body === undefined || init.body === null ? {} : JSON.parse(String(init.body));
    const call = `${init.method} ${url.split("?")[0]}`;
    const seen = { call, url, headers: (init.headers ?? {}) as Record<string, string>, body };
    requests.push(seen);
    const found = [...special, ...usual].find(([pattern]) => isOf(pattern, call));
    if (found === undefined) throw new TypeError(`no answer for ${call}`);
    const { status, text } = await found[1](seen);
    return { status, text: async () => text };
  });
}

/** Changes the answer of this call; '*' stands for a part of its path. */
export function answerWith(pattern: string, answer: Answering): void {
  special = [[pattern, answer], ...special];
}

export function refusal(status: number, error: string, message: string, data?: unknown): Answering {
  return () => envelope(status, data, { error, message });
}

export const sent = (pattern: string) => requests.filter(({ call }) => isOf(pattern, call));
