import { useEffect } from "react";
import { holdPayment } from "#payments/checkout/ui/held-payment.ts";
import { type PaymentRefusal, type PaymentVerdict, readPaymentAnswer } from "#payments/checkout/ui/outcome.ts";
import type { Instrument } from "#payments/checkout/ui/pay-by-card.tsx";
import { sendingText } from "#payments/checkout/ui/words.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { Buyer } from "../../contract.ts";
import { isUnderWay } from "./checkout-flow.ts";
import { payTickets } from "./ticket-calls.ts";
import type { TicketCheckout } from "./use-checkout.ts";

/** Pays for the held seats once, and follows the outcome. */
export function useTicketPayment({ flow, latest, dispatch, hold, sent, finish }: TicketCheckout) {
  const busyWith = isUnderWay(flow) && flow.verdict?.kind !== "confirming" ? flow.order?.id : undefined;
  // While a payment is sent or its bank asks for confirmation, only this window follows it.
  useEffect(() => (busyWith === undefined ? undefined : holdPayment(busyWith)), [busyWith]);

  const decide = (verdict: PaymentVerdict) => {
    if (verdict.kind !== "confirming" && verdict.kind !== "challenge") sent.current = undefined;
    dispatch({ type: "decided", verdict });
    const { order } = latest.current;
    if (order !== undefined && (verdict.kind === "succeeded" || verdict.kind === "refunded")) finish(order);
    // Perhaps another window has paid: show that order.
    if (verdict.kind === "refused" && verdict.error === "order_closed") void hold.open();
  };
  const refuse = (message: string): PaymentRefusal => {
    const verdict = refusalOf(message);
    dispatch({ type: "decided", verdict });
    return verdict;
  };

  return {
    decide,
    /** Seats whose hold ended while the payer was at PayPal are first held again, if possible. */
    async pay(buyer: Buyer, captcha: string, instrument: Instrument): Promise<PaymentVerdict | undefined> {
      const { isHeld, order: known } = latest.current;
      const asking = hold.asking();
      const order = await (asking === undefined && isHeld ? known : (asking ?? hold.open()));
      // The page already says why there is none.
      if (order === undefined) return refusalOf("");
      // The payer approved the total that was shown.
      if (order.totalCents !== known?.totalCents)
        return refuse("The price of these tickets has changed. Please check your order, then pay again.");
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
      dispatch({ type: "sent", payment: { key, totalCents, email: buyer.email, method } });
      const verdict = readPaymentAnswer(await whileLoading(payTickets(payment), sendingText[method]));
      decide(verdict);
      return verdict;
    },
  };
}

function refusalOf(message: string): PaymentRefusal {
  return { kind: "refused", error: "invalid_input", message, fields: {} };
}

export type TicketPaying = ReturnType<typeof useTicketPayment>;
