import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "#shared/config.ts";
import type { Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import type { Outcome, Providers } from "./provider.ts";
import type { ProviderName } from "./tables.ts";

/** Which providers are away, by what their calls came to; the same for all processes. */
export type Circuits = {
  /** Whether payments are not to be sent to this provider just now. Read at most once in two seconds; never throws. */
  isOpen(provider: ProviderName): Promise<boolean>;
  /** Takes note of what one charge came to; never throws. */
  note(provider: ProviderName, outcome: Outcome): Promise<void>;
  /** Where a charge is long in being answered, asks the provider for a sign of life, and notes that none comes; never throws. */
  watch(provider: ProviderName, charge: Promise<Outcome>): Promise<void>;
  /** Asks providers that are away whether they are back. */
  tick(at: Date): Promise<void>;
};

type CircuitsContext = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly providers: Providers;
  readonly settings: Config["circuit"];
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
};

const CACHE_MS = 2000;
/** After so long without an answer a provider is asked for a sign of life, and again after each `ASK_EVERY_MS`. */
const SUSPICIOUS_MS = 2000;
const ASK_EVERY_MS = 2000;

/** `trouble`: the provider did not do its work. `answer`: it did, whatever it said. Null tells neither. */
export function whatItTells(outcome: Outcome): "trouble" | "answer" | null {
  if (outcome.kind === "not_charged") return outcome.mayRetry ? "trouble" : null;
  return outcome.kind === "unknown" ? "trouble" : "answer";
}

/**
 * A circuit for each provider: `failures` troubles in a row open it, and nothing new is sent there; every `probeMs` one
 * process asks whether the credentials work again, and closes it. One more trouble then opens it again. A provider that
 * hangs is found out within ten seconds, however long its answers may take.
 */
export function createCircuits({ database, jobs, providers, settings, now, log }: CircuitsContext): Circuits {
  const known = new Map<ProviderName, { at: number; isOpen: Promise<boolean> }>();
  const later = (at: Date) => new Date(at.getTime() + settings.probeMs);

  const readOpen = (provider: ProviderName) =>
    database
      .selectFrom("provider_health")
      .select("opened_at")
      .where("provider", "=", provider)
      .executeTakeFirst()
      .then((row) => row !== undefined && row.opened_at !== null)
      .catch((error: unknown) => {
        log.warn({ err: error }, "whether a provider is away could not be read");
        return false;
      });

  async function countTrouble(provider: ProviderName): Promise<void> {
    const at = now();
    const isOpening = await database.transaction().execute(async (transaction) => {
      const { failures, opened_at } = await transaction
        .insertInto("provider_health")
        .values({ provider, failures: 1, opened_at: null, next_probe_at: null })
        .onConflict((conflict) =>
          conflict.column("provider").doUpdateSet(({ ref, eb }) => ({
            failures: eb(ref("provider_health.failures"), "+", 1),
          })),
        )
        .returning(["failures", "opened_at"])
        .executeTakeFirstOrThrow();
      if (failures < settings.failures || opened_at !== null) return false;
      await transaction
        .updateTable("provider_health")
        .set({ opened_at: at, next_probe_at: later(at) })
        .where("provider", "=", provider)
        .execute();
      // Named by the hour: one that comes and goes is one letter in an hour, not one every few seconds.
      const once = `provider-away ${provider} ${at.toISOString().slice(0, 13)}`;
      await jobs.send(transaction, "letters", { letter: "provider-away", provider, since: at.toISOString() }, { once });
      return true;
    });
    if (!isOpening) return;
    known.delete(provider);
    log.error({ provider }, "a payment provider is away: nothing is sent there until it answers again");
  }

  async function forgetTroubles(provider: ProviderName): Promise<void> {
    await database
      .updateTable("provider_health")
      .set({ failures: 0 })
      .where("provider", "=", provider)
      .where("failures", ">", 0)
      .where("opened_at", "is", null)
      .execute();
  }

  async function probe(provider: ProviderName, at: Date): Promise<void> {
    const { numUpdatedRows } = await database
      .updateTable("provider_health")
      .set({ next_probe_at: later(at) })
      .where("provider", "=", provider)
      .where("next_probe_at", "<=", at)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || !(await isBack(providers[provider].checkCredentials(), settings.probeMs))) return;
    await database
      .updateTable("provider_health")
      .set({ failures: settings.failures - 1, opened_at: null, next_probe_at: null })
      .where("provider", "=", provider)
      .execute();
    known.delete(provider);
    log.warn({ provider }, "a payment provider is back");
  }

  return {
    isOpen(provider) {
      const at = now().getTime();
      const last = known.get(provider);
      if (last !== undefined && at >= last.at && at - last.at < CACHE_MS) return last.isOpen;
      const isOpen = readOpen(provider);
      known.set(provider, { at, isOpen });
      return isOpen;
    },

    async note(provider, outcome) {
      const told = whatItTells(outcome);
      if (told === null) return;
      const noted = told === "trouble" ? countTrouble(provider) : forgetTroubles(provider);
      await noted.catch((error: unknown) => log.warn({ err: error, provider }, "a charge could not be noted"));
    },

    async watch(provider, charge) {
      let isAnswered = false;
      const note = () => {
        isAnswered = true;
      };
      const answered = charge.then(note, note);
      await Promise.race([answered, sleep(SUSPICIOUS_MS, undefined, { ref: false })]);
      while (!(isAnswered || (await this.isOpen(provider)))) {
        const round = sleep(ASK_EVERY_MS, undefined, { ref: false });
        const isAlive = await isBack(providers[provider].checkCredentials(), ASK_EVERY_MS);
        if (!(isAlive || isAnswered)) {
          await countTrouble(provider).catch((error: unknown) =>
            log.warn({ err: error, provider }, "that a provider hangs could not be noted"),
          );
        }
        await Promise.race([answered, round]);
      }
    },

    async tick(at) {
      const due = await database
        .selectFrom("provider_health")
        .select("provider")
        .where("next_probe_at", "<=", at)
        .execute();
      await Promise.all(due.map(({ provider }) => probe(provider, at)));
    },
  };
}

/** One that takes longer than the time between two probes is not back. */
async function isBack(check: Promise<void>, milliseconds: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  check.then(
    () => resolve(true),
    () => resolve(false),
  );
  return promise.finally(() => clearTimeout(timer));
}
