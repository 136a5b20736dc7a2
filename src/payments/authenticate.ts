import { type Attempt, findAttempt, moveAttempt } from "./attempts.ts";
import type { PaymentsContext } from "./context.ts";
import type { CrashPoint } from "./crash-points.ts";
import { INSTRUMENT_LIFE_MS } from "./send.ts";
import type { Authentication } from "./tables.ts";

/** `charge` sends the payment, `ask` waits for the payer to confirm with their bank, `cancel` charges nothing. */
type AuthenticationVerdict = "charge" | "ask" | "cancel";

export type AuthenticationOptions = {
  /** Up to this amount is charged even if the payer's bank couldn't be asked (U in 3-D Secure). */
  readonly unavailableMaximumCents: number;
  /** The payer closed the bank's page. */
  readonly isAbandoned?: boolean;
};

/**
 * Decides by the answer of the payer's bank; null if there was none. Once the bank has asked for a confirmation, only
 * its yes leads to a charge, and only the payer or the card token's expiry cancels the payment.
 */
export function decideAuthentication(
  answer: Authentication | null,
  attempt: Pick<Attempt, "state" | "amount_cents">,
  { unavailableMaximumCents, isAbandoned = false }: AuthenticationOptions,
): AuthenticationVerdict {
  if (answer === "Y" || answer === "A") return "charge";
  if (answer === "N" || answer === "R" || isAbandoned) return "cancel";
  if (answer === "C" || (answer === null && attempt.state === "requires_action")) return "ask";
  return attempt.amount_cents <= unavailableMaximumCents ? "charge" : "cancel";
}

/** `isOurs` if this caller moved the attempt: then only it may charge while the state is `submitting`. */
export type AuthenticationResult = { readonly attempt: Attempt; readonly isOurs: boolean };

type Crash = { readonly crash: (point: CrashPoint) => void };

/** Asks the payer's bank about a `created` attempt before anything is charged (DON-18). */
export async function beginAuthentication(
  context: PaymentsContext,
  attempt: Attempt,
  { email, crash, ...request }: AuthenticationOptions & Crash & { readonly email: string },
): Promise<AuthenticationResult> {
  const { authentication } = context.providers[attempt.provider];
  const answer = await queryBank(context, attempt, () =>
    authentication?.begin({
      instrument: attempt.instrument!,
      amountCents: attempt.amount_cents,
      currency: attempt.currency,
      email,
    }),
  );
  crash("authenticated");
  return follow(context, attempt, { answer, verdict: decideAuthentication(answer, attempt, request) });
}

/** Asks the bank again about a `requires_action` attempt; the browser's report is not proof. */
export async function continueAuthentication(
  context: PaymentsContext,
  attempt: Attempt,
  { crash, ...request }: AuthenticationOptions & Crash,
): Promise<AuthenticationResult> {
  const isTokenOver = context.now().getTime() >= endOfToken(attempt).getTime();
  if (isTokenOver || attempt.instrument === null) return follow(context, attempt, { answer: null, verdict: "cancel" });
  const { authentication } = context.providers[attempt.provider];
  const answer = await queryBank(context, attempt, () => authentication?.find(attempt.instrument!));
  crash("authenticated");
  return follow(context, attempt, { answer, verdict: decideAuthentication(answer, attempt, request) });
}

const endOfToken = ({ created_at }: Attempt) => new Date(created_at.getTime() + INSTRUMENT_LIFE_MS);

/** Null if the call fails or the provider no longer has 3-D Secure. */
async function queryBank(
  { circuits, log }: PaymentsContext,
  attempt: Attempt,
  ask: () => Promise<Authentication> | undefined,
): Promise<Authentication | null> {
  try {
    return (await ask()) ?? null;
  } catch (error) {
    log.warn({ err: error, attempt: attempt.id }, "the payer's bank did not answer about 3-D Secure");
    await circuits.note(attempt.provider, { kind: "not_charged", reason: "no answer to 3-D Secure", mayRetry: true });
    return null;
  }
}

const states = { charge: "submitting", ask: "requires_action", cancel: "cancelled" } as const;

async function follow(
  { database, processId, settings, now }: PaymentsContext,
  attempt: Attempt,
  { answer, verdict }: { answer: Authentication | null; verdict: AuthenticationVerdict },
): Promise<AuthenticationResult> {
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
