import { isPaymentHeld } from "./held-payment.ts";
import { readPaymentAnswer, type Verdict } from "./outcome.ts";
import { finishChallenge } from "./payment-calls.ts";

/**
 * Gives up what a bank asked about before a reload: the card is not known any more, so its bank cannot be answered. Nothing
 * comes back while another window may still be at it.
 */
export async function giveUpChallenge({ id }: { id: string }, key: string): Promise<Verdict | undefined> {
  if (await isPaymentHeld(key)) return undefined;
  const verdict = readPaymentAnswer(await finishChallenge(id, true));
  if (verdict.kind !== "failed") return verdict.kind === "succeeded" ? verdict : undefined;
  return {
    kind: "failed",
    message: "Your bank's question was not answered, so this payment was not finished.",
  };
}
