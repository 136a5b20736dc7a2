import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "#shared/config/config.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { ChargeOutcome, Providers } from "./provider.ts";
import {
  addFailure,
  claimProbe,
  closeCircuit,
  type Health,
  listDueProbes,
  openCircuit,
  readHealth,
  resetFailures,
} from "./provider-health.ts";
import type { ProviderName } from "./tables.ts";

/** Which providers are unavailable, judged by their calls; shared by all processes. */
export type Circuits = {
  /** Whether this provider gets no payments now. Cached for two seconds; never throws. */
  isOpen(provider: ProviderName): Promise<boolean>;
  /** Counts the outcome of one charge; never throws. */
  note(provider: ProviderName, outcome: ChargeOutcome): Promise<void>;
  /** While a charge takes long, checks that the provider responds, and counts a failure if not; never throws. */
  watch(provider: ProviderName, charge: Promise<ChargeOutcome>): Promise<void>;
  /** Checks whether unavailable providers are back. */
  tick(at: Date): Promise<void>;
};

type CircuitsContext = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly providers: Providers;
  readonly settings: Config["circuit"];
  /** Payments are off: no provider gets any, and none is checked. */
  readonly isOff?: boolean;
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
  /** `WATCH_MS`; tests wait less. */
  readonly watchMs?: number;
};

const CACHE_MS = 2000;
/** After this long without an answer we check that the provider responds, and again after as long. */
export const WATCH_MS = 2000;

/** `failure`: the provider did not work. `answer`: it did, whatever the answer. Null: neither is known. */
export function signalOf(outcome: ChargeOutcome): "failure" | "answer" | null {
  if (outcome.kind === "not_charged") return outcome.mayRetry ? "failure" : null;
  return outcome.kind === "unknown" ? "failure" : "answer";
}

/**
 * One circuit per provider. `failures` failures in a row open it, and nothing new is sent. Every `probeMs` one process
 * checks the credentials and closes it if they work; one more failure then opens it again. A hanging provider is
 * noticed within ten seconds, however long its answers may take.
 */
export function createCircuits(context: CircuitsContext): Circuits {
  const { database, providers, settings, isOff = false, now, log, watchMs = WATCH_MS } = context;
  const known = new Map<ProviderName, { at: number; health: Promise<Health> }>();

  /** At most two seconds old, and never older than a failure that this process has counted. */
  function findHealth(provider: ProviderName): Promise<Health> {
    const at = now().getTime();
    const last = known.get(provider);
    if (last !== undefined && at >= last.at && at - last.at < CACHE_MS) return last.health;
    const health = readHealth(database, provider).catch((error: unknown) => {
      log.warn({ err: error }, "could not read whether a provider is unavailable");
      return { isOpen: false, hasFailed: true };
    });
    known.set(provider, { at, health });
    return health;
  }

  async function countFailure(provider: ProviderName): Promise<void> {
    const at = now();
    const isOpening = await database
      .transaction()
      .execute((transaction) => storeFailure(transaction, context, provider, at));
    known.delete(provider);
    if (!isOpening) return;
    log.error({ provider }, "a payment provider is unavailable: nothing is sent to it until it answers again");
  }

  async function endFailures(provider: ProviderName): Promise<void> {
    if (!(await findHealth(provider)).hasFailed) return;
    known.delete(provider);
    await resetFailures(database, provider);
  }

  async function probe(provider: ProviderName, at: Date): Promise<void> {
    if (!(await claimProbe(database, provider, { at, nextProbeAt: nextProbe(settings, at) }))) return;
    if (!(await isBack(providers[provider].checkCredentials(), settings.probeMs))) return;
    await closeCircuit(database, provider, settings.failures - 1);
    known.delete(provider);
    log.warn({ provider }, "a payment provider is back");
  }

  return {
    isOpen: async (provider) => isOff || (await findHealth(provider)).isOpen,

    async note(provider, outcome) {
      const signal = signalOf(outcome);
      if (signal === null) return;
      const noted = signal === "failure" ? countFailure(provider) : endFailures(provider);
      await noted.catch((error: unknown) => log.warn({ err: error, provider }, "could not count a charge"));
    },

    async watch(provider, charge) {
      let isAnswered = false;
      const note = () => {
        isAnswered = true;
      };
      const answered = charge.then(note, note);
      await Promise.race([answered, sleep(watchMs, undefined, { ref: false })]);
      while (!(isAnswered || (await this.isOpen(provider)))) {
        const round = sleep(watchMs, undefined, { ref: false });
        const isAlive = await isBack(providers[provider].checkCredentials(), watchMs);
        if (!(isAlive || isAnswered)) {
          await countFailure(provider).catch((error: unknown) =>
            log.warn({ err: error, provider }, "could not count a provider's failure to respond"),
          );
        }
        await Promise.race([answered, round]);
      }
    },

    async tick(at) {
      if (isOff) return;
      const due = await listDueProbes(database, at);
      await Promise.all(due.map((provider) => probe(provider, at)));
    },
  };
}

/** Counts one more failure, and opens the circuit at the last one that is allowed. True if this failure opened it. */
async function storeFailure(
  transaction: Connection,
  { jobs, settings }: CircuitsContext,
  provider: ProviderName,
  at: Date,
): Promise<boolean> {
  const { failures, isOpen } = await addFailure(transaction, provider);
  if (failures < settings.failures || isOpen) return false;
  await openCircuit(transaction, provider, { at, nextProbeAt: nextProbe(settings, at) });
  // Keyed by the hour, so that a provider that keeps failing and recovering causes one email an hour.
  const once = `provider-unavailable ${provider} ${at.toISOString().slice(0, 13)}`;
  const email = { template: "provider-unavailable", provider, since: at.toISOString() } as const;
  await jobs.send(transaction, "emails", email, { once });
  return true;
}

const nextProbe = ({ probeMs }: CircuitsContext["settings"], at: Date) => new Date(at.getTime() + probeMs);

async function isBack(check: Promise<void>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  check.then(
    () => resolve(true),
    () => resolve(false),
  );
  return promise.finally(() => clearTimeout(timer));
}
