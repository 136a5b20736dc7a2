import { randomUUID } from "node:crypto";
import {
  bookTicketsCall,
  cancelTicketsCall,
  findTicketOrderCall,
  holdTicketsCall,
  joinWaitingListCall,
  payTicketsCall,
  type Ticket,
  type TicketOrder,
  type TicketPayment,
} from "#features/tickets/contract.ts";
import type { OrderLine } from "#features/tickets/order.ts";
import { findPaymentCall } from "#payments/checkout/contract.ts";
import { call } from "#shared/contract/call.ts";
import { STATEMENT_MS } from "#shared/database/client.ts";
import { type TypedCard, testCards, tokenise } from "#simulators/control.ts";
import { createScriptedBrowser } from "#test/scripted-browser.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";

/** The server answers within this, with 503 if the database is too slow; the page itself waits without a limit. */
const answerMs = STATEMENT_MS;

type Solved = { readonly instrument: string; readonly captcha: string };

type TicketClientOptions = {
  readonly url: string;
  readonly paywayUrl: string;
  readonly address: string;
  /** Called with how long each answer to a hold took, without the captcha before it. */
  readonly onHoldAnswer?: (milliseconds: number) => void;
};

/** A buyer with their own browser and address, who buys tickets from a running site with the page's own calls. */
export function createTicketClient({ url, paywayUrl, address, onHoldAnswer = () => undefined }: TicketClientOptions) {
  const cookies = new Map<string, string>();
  const send = createScriptedBrowser({ url, address, cookies, answerMs });
  const challenge = async (action: string, effort = 1) => {
    const path = `/api/captcha?action=${action}&effort=${effort}`;
    return JSON.parse((await send({ method: "GET", url: path, body: undefined, headers: {} })).text) as object;
  };
  const lookUp = (id: string) => call(send, findPaymentCall, { params: { id } });

  return {
    lookUp,
    async hold(event: string, lines: readonly OrderLine[], key: string = randomUUID(), discount?: string) {
      if (cookies.size === 0) await lookUp(randomUUID());
      const ask = async (captcha?: string) => {
        const body = { event, lines: [...lines], captcha, discount };
        const began = performance.now();
        const answer = await call(send, holdTicketsCall, { body, headers: { "idempotency-key": key } });
        onHoldAnswer(performance.now() - began);
        return answer;
      };
      let answer = await ask();
      // As the page does, as often as the price can rise.
      for (let round = 0; round < 5 && !answer.ok && answer.error === "captcha_dearer"; round += 1) {
        answer = await ask(await solveCaptcha(await challenge("hold", answer.effort)));
      }
      return answer;
    },
    /** Joins the waiting list of a type; its offers come to `email`. */
    async waitFor(event: string, type: string, quantity: number, email: string) {
      const person = { firstName: "Amina", lastName: "Raza", email };
      const ask = (captcha?: string) =>
        call(send, joinWaitingListCall, { body: { ...person, event, type, quantity, captcha } });
      const answer = await ask();
      if (answer.ok || answer.error !== "captcha_dearer") return answer;
      return ask(await solveCaptcha(await challenge("hold", answer.effort)));
    },
    /** Books an order that costs nothing. */
    async book({ id, key }: Pick<TicketOrder, "id" | "key">) {
      const buyer = { email: `buyer-${address}@buyers.example`, firstName: "Amina", lastName: "Raza" };
      const body = { ...buyer, country: "Australia", phone: "", address: "", postcode: "", suburb: "", key };
      const ask = (captcha?: string) => call(send, bookTicketsCall, { params: { id }, body: { ...body, captcha } });
      const answer = await ask();
      if (answer.ok || answer.error !== "captcha_dearer") return answer;
      return ask(await solveCaptcha(await challenge("hold", answer.effort)));
    },
    find: ({ id, key }: Pick<TicketOrder, "id" | "key">) =>
      call(send, findTicketOrderCall, { params: { id }, query: { key } }),
    cancel: ({ id, key }: Pick<TicketOrder, "id" | "key">, tickets: readonly Ticket[]) =>
      call(send, cancelTicketsCall, { params: { id }, body: { key, tickets: tickets.map((ticket) => ticket.id) } }),
    /** A card token and a solved captcha, for `bodyOf`. */
    async solve(card: TypedCard = testCards.approved): Promise<Solved> {
      const captcha = await solveCaptcha(await challenge("tickets"));
      return { instrument: await tokenise(paywayUrl, card), captcha };
    },
    /** The body that pays for a held order by card. */
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
