import { AppError } from "#shared/errors.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/sydney.ts";
import type { ProviderName } from "../tables.ts";
import type { ReconciliationContext } from "./context.ts";
import { compareDay } from "./reconciliation-day.ts";
import {
  beginRun,
  endRun,
  keepResult,
  listRuns,
  type ReportData,
  type Run,
  readReport,
} from "./reconciliation-store.ts";

const hourMs = 3_600_000;
/** Longer than any comparison takes; a killed one is begun again after it. */
const LEASE_MS = 2 * hourMs;
/** For so many hours a provider that cannot be read is waited for; then the report goes out without it. */
const PATIENCE_HOURS = 6;

/** The daily comparison of the providers' books with ours. What it compares, and how: `docs/money.md`. */
export type Reconciliation = ReturnType<typeof createReconciliation>;

export function createReconciliation(context: ReconciliationContext) {
  const { database, jobs, reconciliation, now, log } = context;

  /** Compares one provider's day; null when another process is at it, or has done it and `isAgain` is not set. */
  async function reconcileDay(provider: ProviderName, day: string, { isAgain = false } = {}): Promise<Run | null> {
    const at = now();
    const run = await beginRun(database, { provider, day, isAgain }, { now: at, leaseMs: LEASE_MS });
    if (run === null) return null;
    try {
      const { scope, ...result } = await compareDay(context, provider, day, at);
      return await keepResult(database, run, scope, result, at);
    } catch (error) {
      log.warn({ err: error, provider, day }, "a day could not be compared; the next tick tries again");
      const detail = error instanceof AppError ? (error.cause as Error).message : "Something went wrong on our side.";
      return (await endRun(database, run, { state: "failed", detail }, now())) ?? null;
    }
  }

  /** PayPal's books stay of interest as long as payments of the days that are looked at were made through it. */
  async function listProviders(day: string): Promise<ProviderName[]> {
    if (context.hasPaypal) return ["payway", "braintree"];
    const start = startOfDayInSydney(addDays(day, -reconciliation.days));
    const paypal = await database
      .selectFrom("payment_attempts")
      .select("id")
      .where("provider", "=", "braintree")
      .where("sent_at", ">=", start)
      .limit(1)
      .executeTakeFirst();
    return paypal === undefined ? ["payway"] : ["payway", "braintree"];
  }

  return {
    reconcileDay,

    /**
     * Once RECONCILE_HOUR has come in Sydney: compares yesterday, each provider that is not done yet, and sends the
     * treasurer one letter when all are. Safe in any number of processes, as often as one likes.
     */
    async tick(at: Date = now()): Promise<void> {
      const today = dayInSydney(at);
      const hours = (at.getTime() - startOfDayInSydney(today).getTime()) / hourMs;
      if (hours < reconciliation.hour) return;
      const day = addDays(today, -1);
      const providers = await listProviders(day);
      for (const provider of providers) await reconcileDay(provider, day);
      const runs = await listRuns(database, day);
      const isWhole = providers.every((provider) =>
        runs.some((run) => run.provider === provider && run.state === "done"),
      );
      if (!isWhole && hours < Math.min(reconciliation.hour + PATIENCE_HOURS, 23)) return;
      await jobs.send(database, "letters", { letter: "reconciliation", day }, { once: `reconciliation ${day}` });
    },

    /** Compares a day now, done or not. The report, and the providers whose books another process is comparing. */
    async run(day: string): Promise<{ report: ReportData; busy: ProviderName[] }> {
      const busy: ProviderName[] = [];
      for (const provider of await listProviders(day)) {
        if ((await reconcileDay(provider, day, { isAgain: true })) === null) busy.push(provider);
      }
      return { report: await readReport(database, day), busy };
    },
  };
}
