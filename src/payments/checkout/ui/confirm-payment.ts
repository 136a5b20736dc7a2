import type { Answer } from "#shared/contract/envelope.ts";
import type { Payment } from "../contract.ts";
import { neverArrived, type PaymentVerdict, readLookup, readPaymentAnswer } from "./outcome.ts";

const FIRST_WAIT_MS = 2000;
const MAX_WAIT_MS = 15_000;
const GIVE_UP_AFTER_MS = 180_000;
/** Before that, a lookup may find nothing only because it overtook the request. */
const TRUST_ABSENCE_AFTER_MS = 30_000;

export type Challenge = Extract<PaymentVerdict, { kind: "challenge" }>;

type Ways = {
  /** Looks the payment up by its id, or by the Idempotency-Key while no id is known. */
  readonly find: () => Promise<Answer<Payment>>;
  /** Resends the same payment with the same key. Missing after a reload, because card tokens are not kept. */
  readonly resend: (() => Promise<Answer<Payment>>) | undefined;
  /** Handles a bank's challenge; undefined to keep waiting. */
  readonly onChallenge: (challenge: Challenge) => Promise<PaymentVerdict | undefined>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/**
 * Asks until there is a definite answer: first after 2 seconds, then less and less often, up to every 15, for 3
 * minutes. Undefined if it gave up or was stopped. It can't charge twice: one key is one charge, however often it is
 * sent.
 */
export async function confirmPayment({
  find,
  resend,
  onChallenge,
  wait,
  now,
  signal,
}: Ways): Promise<PaymentVerdict | undefined> {
  const startedAt = now();
  // After a reload the payer has already waited.
  if (resend !== undefined) await wait(FIRST_WAIT_MS);
  for (let pause = FIRST_WAIT_MS; !signal.aborted; pause = Math.min(pause * 1.5, MAX_WAIT_MS)) {
    let found = readLookup(await find());
    if (found === "unknown") {
      if (now() - startedAt >= TRUST_ABSENCE_AFTER_MS) return signal.aborted ? undefined : neverArrived;
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

/** Resolves after so many milliseconds. */
export function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
