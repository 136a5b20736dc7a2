import { randomUUID } from "node:crypto";
import {
  cancelTicketsCall,
  findTicketOrderCall,
  holdTicketsCall,
  payTicketsCall,
  type Ticket,
  type TicketOrder,
  type TicketPayment,
} from "#features/tickets/contract.ts";
import type { OrderLine } from "#features/tickets/order.ts";
import { findPaymentCall } from "#shared/checkout/contract.ts";
import { call, type Send } from "#shared/contract/call.ts";
import { type TypedCard, testCards, tokenise } from "#simulators/control.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";

const answerMs = 15_000;

type Solved = { readonly instrument: string; readonly captcha: string };

/** Somebody with a browser and an address of their own, who buys tickets from a running site with the page's own calls. */
export function createTicketClient({ url, paywayUrl, address }: { url: string; paywayUrl: string; address: string }) {
  let cookie = "";
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: {
        ...(cookie === "" ? {} : { cookie: `XSRF-TOKEN=${cookie}`, "x-xsrf-token": cookie }),
        "x-forwarded-for": address,
        ...init.headers,
      },
      signal: AbortSignal.timeout(answerMs),
    });
  const send: Send = async ({ method, url: path, body, headers }) => {
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const response = await ask(path, { method, headers: { ...type, ...headers }, body: body ?? null });
    cookie = /XSRF-TOKEN=([^;]+)/.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? cookie;
    return { status: response.status, text: await response.text() };
  };
  const look = (id: string) => call(send, findPaymentCall, { params: { id } });

  return {
    look,
    async hold(event: string, lines: readonly OrderLine[], key: string = randomUUID()) {
      if (cookie === "") await look(randomUUID());
      return call(send, holdTicketsCall, { body: { event, lines: [...lines] }, headers: { "idempotency-key": key } });
    },
    find: ({ id, key }: Pick<TicketOrder, "id" | "key">) =>
      call(send, findTicketOrderCall, { params: { id }, query: { key } }),
    cancel: ({ id, key }: Pick<TicketOrder, "id" | "key">, tickets: readonly Ticket[]) =>
      call(send, cancelTicketsCall, { params: { id }, body: { key, tickets: tickets.map((ticket) => ticket.id) } }),
    /** A card token and a solved captcha, for `bodyOf`. */
    async solve(card: TypedCard = testCards.approved): Promise<Solved> {
      const challenge = await (await ask("/api/captcha?action=tickets")).json();
      return { instrument: await tokenise(paywayUrl, card), captcha: await solveCaptcha(challenge) };
    },
    /** What pays a held order by card. */
    bodyOf: (order: TicketOrder, solved: Solved): TicketPayment => ({
      email: `buyer-${address}@buyers.example`,
      firstName: "Amina",
      lastName: "Raza",
      country: "Australia",
      phone: "",
      address: "",
      postcode: "",
      suburb: "",
      key: order.key,
      method: "cc",
      totalCents: order.totalCents,
      ...solved,
    }),
    pay: ({ id }: Pick<TicketOrder, "id">, body: TicketPayment, key: string = randomUUID()) =>
      call(send, payTicketsCall, { params: { id }, body, headers: { "idempotency-key": key } }),
  };
}
