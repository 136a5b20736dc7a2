import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { ProviderName } from "#payments/tables.ts";
import type { BookkeepingServices } from "./admin-parts.ts";

/** How long a screen waits for a comparison or an answer, which then continues in the background. */
export const SCREEN_WAIT_MS = 20_000;

/** Compares a day now; null if that takes longer than a screen waits. */
export function compareDayNow({ reconciliation }: BookkeepingServices, day: string, log: FastifyBaseLogger) {
  return waitFor(reconciliation.run(day), day, log);
}

/**
 * The sums of a provider's day are those of its last comparison, so what was put right since is in them only after
 * another one.
 */
export async function renewSums(
  { reconciliation }: BookkeepingServices,
  { provider, day }: { readonly provider: ProviderName; readonly day: string },
  log: FastifyBaseLogger,
): Promise<void> {
  await waitFor(reconciliation.reconcileDay(provider, day, { isAgain: true }), day, log).catch(() => undefined);
}

function waitFor<Result>(comparing: Promise<Result>, day: string, log: FastifyBaseLogger): Promise<Result | null> {
  comparing.catch((error: unknown) => log.error({ err: error, day }, "a day could not be compared"));
  return Promise.race([comparing, sleep(SCREEN_WAIT_MS, null, { ref: false })]);
}
