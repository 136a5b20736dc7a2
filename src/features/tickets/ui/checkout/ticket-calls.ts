import { type Checkout, checkoutCall, type Payment } from "#payments/checkout/contract.ts";
import { withCaptchaOnDemand } from "#shared/captcha/ui/captcha-on-demand.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask } from "#shared/ui/ask.ts";
import {
  findTicketOrderCall,
  holdTicketsCall,
  payTicketsCall,
  type TicketOrder,
  type TicketPayment,
} from "../../contract.ts";
import type { OrderLine } from "../../order.ts";

/** The right to an order. */
export type OrderKey = { readonly id: string; readonly key: string };

export type HoldWish = {
  readonly event: string;
  readonly lines: readonly OrderLine[];
  /** An earlier hold, whose seats go to this one. */
  readonly instead: OrderKey | undefined;
};

/** Holds seats; the same wish under the same Idempotency-Key is held once. */
export function holdTickets({ event, lines, instead }: HoldWish, idempotencyKey: string): Promise<Answer<TicketOrder>> {
  const headers = { "idempotency-key": idempotencyKey };
  return withCaptchaOnDemand("hold", (captcha) => {
    const body = { event, lines: [...lines], instead, captcha };
    return ask(holdTicketsCall, { body, headers });
  });
}

export function findOrder({ id, key }: OrderKey): Promise<Answer<TicketOrder>> {
  return ask(findTicketOrderCall, { params: { id }, query: { key } });
}

/** One payment: kept in memory alone, because of what stands for the money in it. */
export type SentTickets = {
  readonly orderId: string;
  readonly body: TicketPayment;
  readonly idempotencyKey: string;
};

/** Sends one payment under its key. */
export function payTickets({ orderId, body, idempotencyKey }: SentTickets): Promise<Answer<Payment>> {
  const headers = { "idempotency-key": idempotencyKey };
  return ask(payTicketsCall, { params: { id: orderId }, body, headers });
}

/** What can be paid with, and how. */
export function findCheckout(): Promise<Answer<Checkout>> {
  return ask(checkoutCall);
}
