import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { send } from "#shared/ui/send.ts";
import { clientTokenCall, findPaymentCall, finishChallengeCall, type Payment } from "../contract.ts";
import { withMoney } from "./outcome.ts";

/** Looks a payment up by its id or, while that is unknown, by its Idempotency-Key. */
export function findPayment(idOrKey: string): Promise<Answer<Payment>> {
  return call(send, findPaymentCall, { params: { id: idOrKey } });
}

/** Continues a payment after the bank's challenge, or abandons it; the server asks the bank itself. */
export function finishChallenge(id: string, isAbandoned: boolean): Promise<Answer<Payment>> {
  return ask(finishChallengeCall, { body: { id, isAbandoned } });
}

/** The token for opening PayPal. Rejects with a sentence for the payer. */
export async function findClientToken(): Promise<string> {
  const answer = await ask(clientTokenCall);
  if (answer.ok && answer.clientToken) return answer.clientToken;
  throw new Error(withMoney(answer.ok ? "PayPal isn’t available at the moment." : describeRefusal(answer)));
}
