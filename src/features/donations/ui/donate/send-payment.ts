import type { Payment } from "#payments/checkout/contract.ts";
import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { send } from "#shared/ui/send.ts";
import { payByCardCall, payByPayPalCall } from "../../contract.ts";
import type { PaymentBody } from "./payment-body.ts";

/** Never throws. To send the payment again, use the same body and Idempotency-Key (`key`). */
export function sendPayment(body: PaymentBody, key: string): Promise<Answer<Payment>> {
  const headers = { "idempotency-key": key };
  return body.method === "braintree"
    ? call(send, payByPayPalCall, { body, headers })
    : call(send, payByCardCall, { body, headers });
}
