import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";
import { paidStates } from "#payments/states.ts";
import type { Database } from "#shared/database/connect.ts";
import type { ReadingDatabase } from "#shared/database/reading-database.ts";

type Upkeep = {
  readonly lastPaidAt: number | null;
  readonly findings: number;
  readonly oldestFinding: number;
  readonly oldestEmail: number;
  readonly takenAt: number | null;
  readonly provedAt: number | null;
  readonly archivedAt: number | null;
};

async function readUpkeep(database: Database, now: Date): Promise<Upkeep> {
  const { rows } = await sql<Upkeep>`
    select
      (select extract(epoch from settled_at)::float8 from payment_attempts
        where settled_at is not null and state = any (${[...paidStates]}) order by settled_at desc limit 1) as "lastPaidAt",
      (select count(*)::integer from reconciliation_findings where resolved_at is null) as findings,
      (select coalesce(extract(epoch from ${now}::timestamptz - min(found_at)), 0)::float8
         from reconciliation_findings where resolved_at is null) as "oldestFinding",
      (select coalesce(greatest(extract(epoch from ${now}::timestamptz - min(start_after)), 0), 0)::float8
         from pgboss.job where name = 'emails' and state in ('created', 'retry')) as "oldestEmail",
      (select extract(epoch from max(taken_at))::float8 from backups) as "takenAt",
      (select extract(epoch from max(proved_at))::float8 from backups) as "provedAt",
      (select extract(epoch from last_archived_time)::float8 from pg_stat_archiver) as "archivedAt"`.execute(database);
  return rows[0]!;
}

export type UpkeepOptions = {
  readonly database: Database;
  readonly now: () => Date;
  /** Whether the site takes backups itself. */
  readonly hasBackups: boolean;
  /** Whether its database archives what changes after them. */
  readonly hasArchive: boolean;
  readonly readingDatabase: Pick<ReadingDatabase, "isInUse">;
};

/**
 * Adds what alarms need besides requests and payments: the books, emails, backups, their archive and the replica. The
 * result updates them.
 */
export function addUpkeepMetrics(
  registry: Registry,
  { database, now, hasBackups, hasArchive, readingDatabase }: UpkeepOptions,
): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const lastPaid = gauge("payments_last_paid_timestamp_seconds", "When the last payment succeeded; 0 for none");
  const findings = gauge("reconciliation_findings_open", "Differences to the providers' books that nobody has closed");
  const oldest = gauge("reconciliation_oldest_finding_seconds", "Age of the oldest of them");
  const email = gauge("emails_oldest_waiting_seconds", "How long the oldest email that is due has waited");
  // A site whose database others back up has none of these, so that nothing raises an alarm.
  const backups = hasBackups && {
    taken: gauge("backup_last_taken_timestamp_seconds", "When the last backup was taken; 0 for none"),
    proved: gauge("backup_last_proved_timestamp_seconds", "When a backup was last restored and read whole; 0 for none"),
  };
  const replica =
    readingDatabase.isInUse() !== null && gauge("replica_in_use", "1 while reports read from the replica, otherwise 0");
  const archived =
    hasArchive && gauge("archive_last_copied_timestamp_seconds", "When changes were last archived; 0 for never");
  return async () => {
    if (replica) replica.set(Number(readingDatabase.isInUse()));
    const upkeep = await readUpkeep(database, now());
    lastPaid.set(upkeep.lastPaidAt ?? 0);
    findings.set(upkeep.findings);
    oldest.set(upkeep.oldestFinding);
    email.set(upkeep.oldestEmail);
    if (archived) archived.set(upkeep.archivedAt ?? 0);
    if (backups) {
      backups.taken.set(upkeep.takenAt ?? 0);
      backups.proved.set(upkeep.provedAt ?? 0);
    }
  };
}
