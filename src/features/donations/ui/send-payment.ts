import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { send } from "#shared/ui/send.ts";
import { type CardPayment, findPaymentCall, type Payment, payByCardCall } from "../contract.ts";

const noAnswer = { ok: false, status: 0, error: "no_answer", message: "" } as const;

/** Whether a payment can be put on the wire at all; one that cannot was never sent. */
export function isSendable(body: CardPayment): boolean {
  return payByCardCall.body.safeEncode(body).success;
}

/** Sends one donation under its key. An answer that cannot be read counts as none: money may have moved. */
export function sendCardPayment(body: CardPayment, key: string): Promise<Answer<Payment>> {
  return call(send, payByCardCall, { body, headers: { "idempotency-key": key } }).catch(() => noAnswer);
}

/** Looks a payment up by its id, or by the key that it was sent with while no id is known. */
export function findPayment(idOrKey: string): Promise<Answer<Payment>> {
  return call(send, findPaymentCall, { params: { id: idOrKey } }).catch(() => noAnswer);
}
