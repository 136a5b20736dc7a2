import { applyRetention } from "#shared/retention/retention.ts";
import { allFeatures, type Chore } from "./feature.ts";
import { listHoldings, rulesOf } from "./holdings.ts";
import type { Services } from "./services.ts";

/** The longest that a chore waits for its first run: a process that has just started has what waited while none ran. */
const FIRST_MS = 60_000;

/** The chores of every feature, and of the site: each by itself, so that one that fails keeps no other waiting. */
export function startTicks(services: Services): () => void {
  const rules = rulesOf(listHoldings(services));
  const chores: readonly Chore[] = [
    ...allFeatures.flatMap((feature) => feature.chores ?? []),
    // Also a process that is restarted every hour erases what is due.
    { name: "retention", every: "ten minutes", run: () => applyRetention(services, rules) },
  ];
  const stops = chores.map((chore) => startChore(chore, services));
  return () => stops.forEach((stop) => void stop());
}

/** Runs a chore again and again, never twice at once; one that fails is logged and tried again at its next turn. */
export function startChore({ name, every, run }: Chore, services: Services): () => void {
  const { config, log } = services;
  const periodMs = { tick: config.payments.tickMs, "ten minutes": 600_000, hour: 3_600_000 }[every];
  let isBusy = false;
  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    await run(services).catch((error: unknown) =>
      log.warn({ err: error, chore: name }, "a chore failed; it is tried again"),
    );
    isBusy = false;
  };
  const first = setTimeout(work, Math.min(periodMs, FIRST_MS));
  const timer = setInterval(work, periodMs);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
