import { checkoutCall, type Payment } from "#payments/checkout/contract.ts";
import { withCaptchaOnDemand } from "#shared/captcha/ui/captcha-on-demand.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask, askFor } from "#shared/ui/ask.ts";
import {
  bookTicketsCall,
  type FreeBooking,
  findTicketOrderCall,
  holdTicketsCall,
  payTicketsCall,
  type TicketOrder,
  type TicketPayment,
} from "../../contract.ts";
import type { OrderLine } from "../../order.ts";

export type OrderKey = { readonly id: string; readonly key: string };

export type SeatRequest = {
  readonly event: string;
  readonly lines: readonly OrderLine[];
  /** An earlier hold, which this one replaces. */
  readonly instead: OrderKey | undefined;
  readonly access: string | undefined;
  readonly discount: string | undefined;
};

/** Holds seats. The same request under the same Idempotency-Key gives the same hold. */
export function holdTickets({ lines, ...request }: SeatRequest, idempotencyKey: string): Promise<Answer<TicketOrder>> {
  const headers = { "idempotency-key": idempotencyKey };
  return withCaptchaOnDemand("hold", (captcha) => {
    const body = { ...request, lines: [...lines], captcha };
    return ask(holdTicketsCall, { body, headers });
  });
}

export function fetchOrder({ id, key }: OrderKey): Promise<Answer<TicketOrder>> {
  return ask(findTicketOrderCall, { params: { id }, query: { key } });
}

/** Books an order that costs nothing. A copy gets the same order. */
export function bookTickets(id: string, booking: FreeBooking): Promise<Answer<TicketOrder>> {
  return withCaptchaOnDemand("hold", (captcha) =>
    ask(bookTicketsCall, { params: { id }, body: { ...booking, captcha } }),
  );
}

/** A payment; kept in memory only, because it holds the card's token or PayPal's nonce. */
export type SentTickets = {
  readonly orderId: string;
  readonly body: TicketPayment;
  readonly idempotencyKey: string;
};

/** Never throws; to send the payment again, pass the same `SentTickets`. */
export function payTickets({ orderId, body, idempotencyKey }: SentTickets): Promise<Answer<Payment>> {
  const headers = { "idempotency-key": idempotencyKey };
  return ask(payTicketsCall, { params: { id: orderId }, body, headers });
}

export const findWaysToPay = () => askFor(checkoutCall);
