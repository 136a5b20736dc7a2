import type { Answer } from "#shared/contract/envelope.ts";
import type { Payment } from "../contract.ts";
import { neverArrived, readLookUp, readPaymentAnswer, type Verdict } from "./outcome.ts";
import type { PayWords } from "./words.ts";

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 15_000;
const GIVE_UP_AFTER_MS = 180_000;
/** A request may still be on its way when the first look-ups say that nothing is known. */
const TRUST_ABSENCE_AFTER_MS = 30_000;

export type Challenge = Extract<Verdict, { kind: "challenge" }>;

type Ways = {
  /** Looks the payment up by its id, or by the Idempotency-Key while no id is known. */
  readonly find: () => Promise<Answer<Payment>>;
  /** Sends the very same payment with the very same key again; absent after a reload, for card tokens are not kept. */
  readonly resend: (() => Promise<Answer<Payment>>) | undefined;
  /** What comes of a payment that the card's bank asks about; nothing where it is still to be waited for. */
  readonly onChallenge: (challenge: Challenge) => Promise<Verdict | undefined>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** What is paid for. */
  readonly noun: PayWords["noun"];
};

/**
 * Asks until a definite answer came: after 2 seconds, then ever less often up to 15, for 3 minutes. Nothing when it
 * gave up or was stopped. Nothing here can charge twice: one key is one charge, however often it is sent.
 */
export async function confirmPayment({
  find,
  resend,
  onChallenge,
  wait,
  now,
  signal,
  noun,
}: Ways): Promise<Verdict | undefined> {
  const startedAt = now();
  // Somebody who reopened the page has waited already.
  if (resend !== undefined) await wait(FIRST_WAIT_MS);
  for (let pause = FIRST_WAIT_MS; !signal.aborted; pause = Math.min(pause * 1.5, LONGEST_WAIT_MS)) {
    let found = readLookUp(await find());
    if (found === "unknown") {
      if (now() - startedAt >= TRUST_ABSENCE_AFTER_MS) return signal.aborted ? undefined : neverArrived(noun);
      found = resend === undefined || signal.aborted ? undefined : readPaymentAnswer(await resend());
    }
    if (signal.aborted) return undefined;
    if (found?.kind === "challenge") found = await onChallenge(found);
    if (signal.aborted) return undefined;
    if (found !== undefined && found.kind !== "confirming") return found;
    if (now() - startedAt + pause > GIVE_UP_AFTER_MS) return undefined;
    await wait(pause);
  }
  return undefined;
}

export function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
