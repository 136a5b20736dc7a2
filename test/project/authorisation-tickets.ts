import { randomBytes } from "node:crypto";
import { testCards } from "#simulators/control.ts";
import { newKey } from "../site.ts";
import { type AuthorisationRow, type Belongings, forged, open, post } from "./authorisation-rows.ts";

const everybody = { guest: "200", own: "200", others: "200" } as const;
const nobody = {
  guest: "404 not_found",
  own: "403 not_allowed",
  others: "403 not_allowed",
  missing: "403 not_allowed",
} as const;
const person = { email: "amina@example.com", firstName: "Amina", lastName: "Raza", country: "Australia" };
const wrongKey = () => randomBytes(32).toString("base64url");

/** A paid order's PDF or page: opens only with the key of its link. */
const documents = ["", "/tickets.pdf", "/event.ics"].flatMap((document): AuthorisationRow[] => {
  const route = `GET /ticket-orders/:id${document}`;
  const urlOf = ({ tickets: { id, key } }: Belongings) => `/ticket-orders/${id}${document}?key=${key}`;
  const absent = { visitor: "404", guest: "404", own: "403", others: "403", missing: "403" };
  return [
    { route, visitor: "200", ...everybody, ask: (of) => ({ url: urlOf(of) }) },
    { route, ...absent, ask: (of) => ({ url: forged(urlOf(of)) }) },
    { route, ...absent, ask: (of) => ({ url: urlOf(of).split("?", 1)[0]! }) },
  ];
});

/** Calls that change a paid order, with its key and with another one. */
const changes = (
  [
    ["/cancellation", ({ tickets }) => ({ tickets: [tickets.ticketId] })],
    ["/holder", ({ tickets }) => ({ ticket: tickets.ticketId, name: "Sana Malik" })],
  ] as readonly (readonly [string, (of: Belongings) => object])[]
).flatMap(([act, bodyOf]): AuthorisationRow[] => {
  const url = ({ tickets }: Belongings) => `/api/ticket-orders/${tickets.id}${act}`;
  return [
    post(`/ticket-orders/:id${act}`, {
      ...everybody,
      isLasting: true,
      ask: (of) => ({ url: url(of), body: { key: of.tickets.key, ...bodyOf(of) } }),
    }),
    post(`/ticket-orders/:id${act}`, {
      ...nobody,
      ask: (of) => ({ url: url(of), body: { key: wrongKey(), ...bodyOf(of) } }),
    }),
  ];
});

/** A place on a waiting list opens and ends with its link only. */
const waitingLists: readonly AuthorisationRow[] = [
  {
    route: "GET /waiting-list/:id",
    visitor: "200",
    ...everybody,
    ask: ({ waiting: { id, key } }) => ({ url: `/waiting-list/${id}?key=${key}` }),
  },
  {
    route: "GET /waiting-list/:id",
    visitor: "404",
    guest: "404",
    own: "403",
    others: "403",
    missing: "403",
    ask: ({ waiting: { id, key } }) => ({ url: forged(`/waiting-list/${id}?key=${key}`) }),
  },
  open("/waiting-list", "404", "/waiting-list?event=no-such-event&type=vip"),
  post("/waiting-list", {
    guest: "404 not_found",
    own: "404 not_found",
    ask: () => ({
      body: {
        firstName: "Amina",
        lastName: "Raza",
        email: "amina@example.com",
        event: "no-such-event",
        type: "vip",
        quantity: 1,
      },
    }),
  }),
  post("/waiting-list/:id/leave", {
    ...everybody,
    isLasting: true,
    ask: ({ waiting: { id, key } }) => ({ url: `/api/waiting-list/${id}/leave`, body: { key } }),
  }),
  post("/waiting-list/:id/leave", {
    ...nobody,
    ask: ({ waiting: { id } }) => ({ url: `/api/waiting-list/${id}/leave`, body: { key: wrongKey() } }),
  }),
];

/** A ticket order opens with its link only: a session makes no difference, and members without the key get 403. */
export const ticketRows: readonly AuthorisationRow[] = [
  ...documents,
  ...changes,
  ...waitingLists,
  open("/api/ticket-event", "404 not_found", "/api/ticket-event?event=no-such-event"),
  post("/ticket-orders", {
    guest: "404 not_found",
    own: "404 not_found",
    ask: () => ({ body: { event: "no-such-event", lines: [{ type: "vip", quantity: 1 }] } }),
  }),
  {
    route: "GET /api/ticket-orders/:id",
    visitor: "200",
    ...everybody,
    ask: ({ tickets: { id, key } }) => ({ url: `/api/ticket-orders/${id}?key=${key}` }),
  },
  {
    route: "GET /api/ticket-orders/:id",
    visitor: "404 not_found",
    ...nobody,
    ask: ({ tickets: { id, key } }) => ({ url: forged(`/api/ticket-orders/${id}?key=${key}`) }),
  },
  post("/ticket-orders/:id/payment", {
    ...everybody,
    isLasting: true,
    ask: async ({ held }, by, site) => ({
      url: `/api/ticket-orders/${held.id}/payment`,
      body: {
        email: "amina@example.com",
        firstName: "Amina",
        lastName: "Raza",
        country: "Australia",
        key: held.key,
        method: "cc",
        total: 100,
        instrument: await site.cardToken(testCards.approved),
        captcha: await by.solveCaptcha("tickets"),
      },
      headers: newKey(),
    }),
  }),
  // The order costs money, so its holder is told to pay.
  post("/ticket-orders/:id/booking", {
    guest: "422 invalid_input",
    own: "422 invalid_input",
    others: "422 invalid_input",
    ask: async ({ held }) => ({ url: `/api/ticket-orders/${held.id}/booking`, body: { ...person, key: held.key } }),
  }),
  post("/ticket-orders/:id/booking", {
    ...nobody,
    ask: async ({ held }) => ({ url: `/api/ticket-orders/${held.id}/booking`, body: { ...person, key: wrongKey() } }),
  }),
  post("/ticket-orders/:id/payment", {
    ...nobody,
    ask: async ({ held }) => ({
      url: `/api/ticket-orders/${held.id}/payment`,
      body: {
        email: "amina@example.com",
        firstName: "Amina",
        lastName: "Raza",
        country: "Australia",
        key: wrongKey(),
        method: "cc",
        total: 100,
        instrument: crypto.randomUUID(),
      },
    }),
  }),
];
