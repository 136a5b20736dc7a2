import { readPaymentAnswer, type Verdict } from "./outcome.ts";
import { finishChallenge } from "./payment-calls.ts";

/** Tells this device's other windows that this one is busy with a payment, until the function that comes back is called. */
export function holdPayment(key: string): () => void {
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks?.request(lockOf(key), () => isOver).catch(() => undefined);
  return release;
}

/** Whether a window is busy with this payment; none is where browsers cannot tell. */
async function isPaymentHeld(key: string): Promise<boolean> {
  const locks = await navigator.locks?.query().catch(() => undefined);
  return locks?.held?.some(({ name }) => name === lockOf(key)) ?? false;
}

const lockOf = (key: string) => `payment-${key}`;

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
    message: "Your bank's question was not answered, so this payment was not finished. Nothing was charged.",
  };
}
