import type { Connection } from "#shared/database/connect.ts";
import type { ProviderName } from "./tables.ts";

/** Whether a provider is unavailable, and whether a charge has failed since the last one that did not. */
export type Health = { readonly isOpen: boolean; readonly hasFailed: boolean };

export async function readHealth(connection: Connection, provider: ProviderName): Promise<Health> {
  const row = await connection
    .selectFrom("provider_health")
    .select(["opened_at", "failures"])
    .where("provider", "=", provider)
    .executeTakeFirst();
  return { isOpen: (row?.opened_at ?? null) !== null, hasFailed: (row?.failures ?? 0) > 0 };
}

/** Adds one failure to those in a row. */
export async function addFailure(connection: Connection, provider: ProviderName) {
  const { failures, opened_at } = await connection
    .insertInto("provider_health")
    .values({ provider, failures: 1, opened_at: null, next_probe_at: null })
    .onConflict((conflict) =>
      conflict.column("provider").doUpdateSet(({ ref, eb }) => ({
        failures: eb(ref("provider_health.failures"), "+", 1),
      })),
    )
    .returning(["failures", "opened_at"])
    .executeTakeFirstOrThrow();
  return { failures, isOpen: opened_at !== null };
}

/** Ends a row of failures, unless it has made the provider unavailable. */
export async function resetFailures(connection: Connection, provider: ProviderName): Promise<void> {
  await connection
    .updateTable("provider_health")
    .set({ failures: 0 })
    .where("provider", "=", provider)
    .where("failures", ">", 0)
    .where("opened_at", "is", null)
    .execute();
}

export async function openCircuit(
  connection: Connection,
  provider: ProviderName,
  { at, nextProbeAt }: { at: Date; nextProbeAt: Date },
): Promise<void> {
  await connection
    .updateTable("provider_health")
    .set({ opened_at: at, next_probe_at: nextProbeAt })
    .where("provider", "=", provider)
    .execute();
}

/** `failures` are those that it begins again with. */
export async function closeCircuit(connection: Connection, provider: ProviderName, failures: number): Promise<void> {
  await connection
    .updateTable("provider_health")
    .set({ failures, opened_at: null, next_probe_at: null })
    .where("provider", "=", provider)
    .execute();
}

/** The providers whose next check is due. */
export async function listDueProbes(connection: Connection, at: Date): Promise<ProviderName[]> {
  const due = await connection
    .selectFrom("provider_health")
    .select("provider")
    .where("next_probe_at", "<=", at)
    .execute();
  return due.map(({ provider }) => provider);
}

/** Takes a check that is due, and sets the time of the next. False if another process was quicker. */
export async function claimProbe(
  connection: Connection,
  provider: ProviderName,
  { at, nextProbeAt }: { at: Date; nextProbeAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable("provider_health")
    .set({ next_probe_at: nextProbeAt })
    .where("provider", "=", provider)
    .where("next_probe_at", "<=", at)
    .executeTakeFirst();
  return numUpdatedRows !== 0n;
}
