import type { Payment } from "#payments/checkout/contract.ts";
import { call, noAnswer } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { send } from "#shared/ui/send.ts";
import { payByCardCall, payByPayPalCall } from "../../contract.ts";
import type { DonationPayment } from "./payment-body.ts";

/** Whether a payment can be put on the wire at all; one that cannot was never sent. */
export function isSendable(body: DonationPayment): boolean {
  const route = body.method === "braintree" ? payByPayPalCall : payByCardCall;
  return route.body.safeEncode(body as never).success;
}

/** Sends one donation under its key. An answer that cannot be read counts as none: money may have moved. */
export function sendPayment(body: DonationPayment, key: string): Promise<Answer<Payment>> {
  const headers = { "idempotency-key": key };
  const sent =
    body.method === "braintree"
      ? call(send, payByPayPalCall, { body, headers })
      : call(send, payByCardCall, { body, headers });
  return sent.catch(() => noAnswer);
}
