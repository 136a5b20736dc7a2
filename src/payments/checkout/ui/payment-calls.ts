import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask } from "#shared/ui/ask.ts";
import { send } from "#shared/ui/send.ts";
import { clientTokenCall, findPaymentCall, finishChallengeCall, type Payment } from "../contract.ts";

/** Looks a payment up by its id, or by the key that it was sent with while no id is known. */
export function findPayment(idOrKey: string): Promise<Answer<Payment>> {
  return call(send, findPaymentCall, { params: { id: idOrKey } });
}

/** Goes on with a payment that the card's bank asked about, or gives it up; the server asks the bank itself. */
export function finishChallenge(id: string, isAbandoned: boolean): Promise<Answer<Payment>> {
  return ask(finishChallengeCall, { body: { id, isAbandoned } });
}

/** The token with which PayPal opens. Rejects with a sentence for the payer. */
export async function findClientToken(): Promise<string> {
  const answer = await ask(clientTokenCall);
  if (answer.ok && answer.clientToken) return answer.clientToken;
  const isSaid = !answer.ok && answer.status !== 0 && answer.message !== "";
  throw new Error(
    isSaid ? answer.message : "PayPal could not be prepared. Please check your connection and try again.",
  );
}
