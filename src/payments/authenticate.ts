import { type Attempt, findAttempt, moveAttempt } from "./attempts.ts";
import type { PaymentsContext } from "./context.ts";
import type { CrashPoint } from "./crash-points.ts";
import { INSTRUMENT_LIFE_MS } from "./send.ts";
import type { Authentication } from "./tables.ts";

/** `charge` sends it, `ask` waits for the payer to confirm at their bank, `cancel` charges nothing. */
export type Verdict = "charge" | "ask" | "cancel";

export type Asking = {
  /** Up to this much is charged although the payer's bank could not be asked (3-D Secure's U). */
  readonly unavailableMaximumCents: number;
  /** The payer closed the bank's question. */
  readonly isAbandoned?: boolean;
};

/**
 * What the word of the payer's bank leads to; null where it could not be had. A bank that has asked for a confirmation
 * is waited for: only its yes charges, and only the payer or the end of the card token gives it up.
 */
export function decideAuthentication(
  answer: Authentication | null,
  attempt: Pick<Attempt, "state" | "amount_cents">,
  { unavailableMaximumCents, isAbandoned = false }: Asking,
): Verdict {
  if (answer === "Y" || answer === "A") return "charge";
  if (answer === "N" || answer === "R" || isAbandoned) return "cancel";
  if (answer === "C" || (answer === null && attempt.state === "requires_action")) return "ask";
  return attempt.amount_cents <= unavailableMaximumCents ? "charge" : "cancel";
}

/** `isOurs` where this caller moved the attempt: then it alone may charge what is `submitting`. */
export type Asked = { readonly attempt: Attempt; readonly isOurs: boolean };

type Crash = { readonly crash: (point: CrashPoint) => void };

/** Asks the payer's bank about an attempt in state `created`, before anything is charged (DON-18). */
export async function beginAuthentication(
  context: PaymentsContext,
  attempt: Attempt,
  { email, crash, ...asking }: Asking & Crash & { readonly email: string },
): Promise<Asked> {
  const { authentication } = context.providers[attempt.provider];
  const answer = await hear(context, attempt, () =>
    authentication?.begin({
      instrument: attempt.instrument!,
      amountCents: attempt.amount_cents,
      currency: attempt.currency,
      email,
    }),
  );
  crash("authenticated");
  return follow(context, attempt, { answer, verdict: decideAuthentication(answer, attempt, asking) });
}

/** Asks the bank again about an attempt in state `requires_action`; nothing that the browser reports is proof. */
export async function continueAuthentication(
  context: PaymentsContext,
  attempt: Attempt,
  { crash, ...asking }: Asking & Crash,
): Promise<Asked> {
  const isTokenOver = context.now().getTime() >= endOfToken(attempt).getTime();
  if (isTokenOver || attempt.instrument === null) return follow(context, attempt, { answer: null, verdict: "cancel" });
  const { authentication } = context.providers[attempt.provider];
  const answer = await hear(context, attempt, () => authentication?.find(attempt.instrument!));
  crash("authenticated");
  return follow(context, attempt, { answer, verdict: decideAuthentication(answer, attempt, asking) });
}

const endOfToken = ({ created_at }: Attempt) => new Date(created_at.getTime() + INSTRUMENT_LIFE_MS);

/** A call that fails, like a provider that has no 3-D Secure any more, is no answer. */
async function hear(
  { circuits, log }: PaymentsContext,
  attempt: Attempt,
  ask: () => Promise<Authentication> | undefined,
): Promise<Authentication | null> {
  try {
    return (await ask()) ?? null;
  } catch (error) {
    log.warn({ err: error, attempt: attempt.id }, "the payer's bank could not be asked");
    await circuits.note(attempt.provider, { kind: "not_charged", reason: "no answer to 3-D Secure", mayRetry: true });
    return null;
  }
}

const states = { charge: "submitting", ask: "requires_action", cancel: "cancelled" } as const;

async function follow(
  { database, processId, settings, now }: PaymentsContext,
  attempt: Attempt,
  { answer, verdict }: { answer: Authentication | null; verdict: Verdict },
): Promise<Asked> {
  const to = states[verdict];
  if (to === attempt.state) return { attempt, isOurs: false };
  const at = now();
  const leaseUntil = { charge: new Date(at.getTime() + settings.leaseMs), ask: endOfToken(attempt), cancel: undefined };
  const lease = leaseUntil[verdict];
  const moved = await database.transaction().execute((transaction) =>
    moveAttempt(transaction, attempt, to, {
      actor: "request",
      now: at,
      authentication: answer ?? undefined,
      owner: processId ?? null,
      ...(lease === undefined ? {} : { leaseUntil: lease }),
    }),
  );
  if (moved === null) return { attempt: (await findAttempt(database, attempt.id))!, isOurs: false };
  return { attempt: moved, isOurs: true };
}
