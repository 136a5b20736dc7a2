import { isPaymentHeld } from "./held-payment.ts";
import { type PaymentVerdict, readPaymentAnswer } from "./outcome.ts";
import { finishChallenge } from "./payment-calls.ts";

/**
 * Abandons a bank's challenge from before a reload: without the card token the bank's page can't be opened again.
 * Undefined while another window may still be answering it.
 */
export async function giveUpChallenge({ id }: { id: string }, key: string): Promise<PaymentVerdict | undefined> {
  if (await isPaymentHeld(key)) return undefined;
  const verdict = readPaymentAnswer(await finishChallenge(id, true));
  if (verdict.kind !== "failed") return verdict.kind === "succeeded" ? verdict : undefined;
  return { kind: "failed", message: "You didn’t answer your bank, so this payment wasn’t completed." };
}
