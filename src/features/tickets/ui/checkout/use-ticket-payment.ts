import { useEffect } from "react";
import { holdPayment } from "#payments/checkout/ui/held-payment.ts";
import { type Refusal, readPaymentAnswer, type Verdict } from "#payments/checkout/ui/outcome.ts";
import type { Instrument } from "#payments/checkout/ui/pay-by-card.tsx";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { Buyer } from "../../contract.ts";
import { isUnderWay } from "./checkout-flow.ts";
import { payTickets } from "./ticket-calls.ts";
import type { Checkout } from "./use-checkout.ts";

/** Pays for the seats that are held, once, and takes up what becomes of it. */
export function useTicketPayment({ flow, latest, tell, hold, sent, finish }: Checkout) {
  const busyWith = isUnderWay(flow) && flow.verdict?.kind !== "confirming" ? flow.order?.id : undefined;
  // While a payment is sent, or its bank asks, this window alone decides what becomes of it.
  useEffect(() => (busyWith === undefined ? undefined : holdPayment(busyWith)), [busyWith]);

  const decide = (verdict: Verdict) => {
    if (verdict.kind !== "confirming" && verdict.kind !== "challenge") sent.current = undefined;
    tell({ type: "decided", verdict });
    const { order } = latest.current;
    if (order !== undefined && (verdict.kind === "succeeded" || verdict.kind === "refunded")) finish(order);
    // Paid, from another window perhaps: that is what is shown then.
    if (verdict.kind === "refused" && verdict.error === "order_closed") void hold.open();
  };
  const refuse = (message: string): Refusal => {
    const verdict = refusalOf(message);
    tell({ type: "decided", verdict });
    return verdict;
  };

  return {
    decide,
    /** Seats whose time ran out while the payer was at PayPal are held again first, if they can be. */
    async pay(buyer: Buyer, captcha: string, instrument: Instrument): Promise<Verdict | undefined> {
      const { isHeld, order: known } = latest.current;
      const asking = hold.asking();
      const order = await (asking === undefined && isHeld ? known : (asking ?? hold.open()));
      // Why there is none has been told.
      if (order === undefined) return refusalOf("");
      // What was approved was the sum that was shown.
      if (order.totalCents !== known?.totalCents)
        return refuse("The price of these tickets has changed. Please check your order.");
      const { method } = instrument;
      const { totalCents } = order;
      const key = crypto.randomUUID();
      const body = {
        ...buyer,
        key: order.key,
        method,
        instrument: method === "cc" ? instrument.token : instrument.nonce,
        totalCents,
        captcha,
      };
      const payment = { orderId: order.id, body, idempotencyKey: key };
      sent.current = payment;
      tell({ type: "sent", payment: { key, totalCents, email: buyer.email, method } });
      const verdict = readPaymentAnswer(await whileLoading(payTickets(payment)));
      decide(verdict);
      return verdict;
    },
  };
}

function refusalOf(message: string): Refusal {
  return { kind: "refused", error: "invalid_input", message, fields: {} };
}

export type TicketPaying = ReturnType<typeof useTicketPayment>;
