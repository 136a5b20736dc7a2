import { AppError } from "#shared/errors.ts";
import { addDays, dayInSydney, hourInSydney, startOfDayInSydney } from "#shared/language.ts";
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
  readReportData,
} from "./reconciliation-store.ts";

/** Longer than any comparison takes. */
const LEASE_MS = 2 * 3_600_000;
/** How long the report waits for a provider that can't be read, before it is sent without it. */
const REPORT_WAIT_HOURS = 6;

/** The daily comparison of the providers' books with ours; see `docs/money.md`. */
export type Reconciliation = ReturnType<typeof createReconciliation>;

/** Days are in Sydney, YYYY-MM-DD. */
export function createReconciliation(context: ReconciliationContext) {
  const { database, jobs, reconciliation, now, log, processId = null } = context;
  /** Those that this process is comparing now. Any other run of its own in the database has been cut off. */
  const underWay = new Set<ProviderName>();

  /** Compares one provider's day; null if that is being done already, or if it is done and `isAgain` is false. */
  async function reconcileDay(provider: ProviderName, day: string, { isAgain = false } = {}): Promise<Run | null> {
    if (underWay.has(provider)) return null;
    underWay.add(provider);
    try {
      return await compareOnce(provider, day, isAgain);
    } finally {
      underWay.delete(provider);
    }
  }

  async function compareOnce(provider: ProviderName, day: string, isAgain: boolean): Promise<Run | null> {
    const at = now();
    const lease = { now: at, leaseMs: LEASE_MS, owner: processId };
    const run = await beginRun(database, { provider, day, isAgain }, lease);
    if (run === null) return null;
    try {
      const { scope, ...result } = await compareDay(context, provider, day, at);
      return await keepResult(database, run, scope, result, at);
    } catch (error) {
      log.warn({ err: error, provider, day }, "could not compare a day; the next tick tries again");
      const detail = error instanceof AppError ? (error.cause as Error).message : "Something went wrong on our side.";
      return (await endRun(database, run, { state: "failed", detail }, now())) ?? null;
    }
  }

  return {
    reconcileDay,

    /**
     * From RECONCILE_HOUR in Sydney: compares yesterday for each provider that is not done yet, and sends the treasurer
     * one email when all are. Safe to call in several processes, and repeatedly.
     */
    async tick(at: Date = now()): Promise<void> {
      if (context.isOff) return;
      const today = dayInSydney(at);
      const hour = hourInSydney(at);
      if (hour < reconciliation.hour) return;
      const day = addDays(today, -1);
      const providers = await listProviders(context, day);
      for (const provider of providers) await reconcileDay(provider, day);
      const runs = await listRuns(database, day);
      const isWhole = providers.every((provider) =>
        runs.some((run) => run.provider === provider && run.state === "done"),
      );
      if (!isWhole && hour < Math.min(reconciliation.hour + REPORT_WAIT_HOURS, 23)) return;
      await jobs.send(database, "emails", { template: "reconciliation", day }, { once: `reconciliation ${day}` });
    },

    /** Compares a day now, even if done. Returns the report, and the providers that another process is comparing. */
    async run(day: string): Promise<{ report: ReportData; busy: ProviderName[] }> {
      const busy: ProviderName[] = [];
      for (const provider of await listProviders(context, day)) {
        if ((await reconcileDay(provider, day, { isAgain: true })) === null) busy.push(provider);
      }
      return { report: await readReportData(database, day), busy };
    },
  };
}

/** Includes PayPal, even if no longer offered, while the days to compare have PayPal payments. */
async function listProviders(
  { database, hasPaypal, reconciliation }: ReconciliationContext,
  day: string,
): Promise<ProviderName[]> {
  if (hasPaypal) return ["payway", "braintree"];
  const paypal = await database
    .selectFrom("payment_attempts")
    .select("id")
    .where("provider", "=", "braintree")
    .where("sent_at", ">=", startOfDayInSydney(addDays(day, -reconciliation.days)))
    .limit(1)
    .executeTakeFirst();
  return paypal === undefined ? ["payway"] : ["payway", "braintree"];
}
