import { type Selectable, sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { isPresent } from "#shared/database/process-presence.ts";
import type { Tables } from "#shared/database/tables.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import type { ProviderName } from "../tables.ts";
import type { BookedPayment, Finding, FindingKind, ProviderComparison } from "./compare.ts";

export type Run = Selectable<Tables["reconciliation_runs"]>;
export type KeptFinding = Selectable<Tables["reconciliation_findings"]>;

/**
 * Starts the comparison of one provider's day. Null if another process is comparing that provider, or if the day is
 * done and `isAgain` is false. A comparison whose process has died is replaced immediately, and one of unknown `owner` after
 * its lease. The lease also tells the run from a later one.
 */
export async function beginRun(
  database: Database,
  { provider, day, isAgain }: { provider: ProviderName; day: string; isAgain: boolean },
  { now, leaseMs, owner }: { now: Date; leaseMs: number; owner: number | null },
): Promise<Run | null> {
  const lease = new Date(now.getTime() + leaseMs);
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`reconciliation ${provider}`}))`.execute(transaction);
    const busy = await transaction
      .selectFrom("reconciliation_runs")
      .select("id")
      .where("provider", "=", provider)
      .where("lease_until", ">", now)
      .where(sql<boolean>`(owner is null or (owner is distinct from ${owner} and ${isPresent(sql.ref("owner"))}))`)
      .executeTakeFirst();
    if (busy !== undefined) return null;
    const running = { state: "running", detail: "", lease_until: lease, owner } as const;
    const begun = { ...running, started_at: now, finished_at: null };
    const run = await transaction
      .insertInto("reconciliation_runs")
      .values({ provider, day, provider_cents: null, ledger_cents: null, transactions: null, ...begun })
      .onConflict((conflict) =>
        conflict
          .columns(["provider", "day"])
          .doUpdateSet(begun)
          .where((where) =>
            where.or([where("reconciliation_runs.state", "!=", "done"), where.val(isAgain).$castTo<boolean>()]),
          ),
      )
      .returningAll()
      .executeTakeFirst();
    return run ?? null;
  });
}

/** Ends the caller's run; undefined if its lease expired and another process has taken over. */
export async function endRun(
  connection: Connection,
  run: Run,
  end: Pick<Run, "state" | "detail"> & Partial<Pick<Run, "provider_cents" | "ledger_cents" | "transactions">>,
  now: Date,
): Promise<Run | undefined> {
  return connection
    .updateTable("reconciliation_runs")
    .set({ ...end, lease_until: null, finished_at: now })
    .where("id", "=", run.id)
    .where("lease_until", "=", run.lease_until)
    .returningAll()
    .executeTakeFirst();
}

/** The comparisons of one day (YYYY-MM-DD), one per provider. */
export function listRuns(connection: Connection, day: string): Promise<Run[]> {
  return connection.selectFrom("reconciliation_runs").selectAll().where("day", "=", day).execute();
}

/** The payments to compare: those of the days, and all that are named. */
export type Scope = {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly attemptIds: readonly string[];
  readonly transactionIds: readonly string[];
  readonly orderReferences: readonly string[];
};

/** Our payments with their refunds and ledger amounts, in one consistent snapshot. */
export async function listBooked(database: Database, provider: ProviderName, scope: Scope): Promise<BookedPayment[]> {
  return database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const attempts = await listAttempts(transaction, provider, scope);
      const ids = attempts.map(({ id }) => id);
      const refunds = await transaction
        .selectFrom("refunds")
        .selectAll()
        .where(sql<boolean>`attempt_id = any(${ids}::uuid[])`)
        .orderBy("created_at")
        .execute();
      const cents = await readLedger(transaction, provider, ids);
      const refundsOf = Map.groupBy(refunds, ({ attempt_id }) => attempt_id);
      return attempts.map((attempt) => ({
        attemptId: attempt.id,
        orderReference: attempt.order_reference,
        transactionId: attempt.provider_transaction_id,
        state: attempt.state,
        amountCents: attempt.amount_cents,
        currency: attempt.currency,
        sentAt: attempt.sent_at,
        day: dayInSydney(attempt.created_at),
        ledgerCents: cents.get(attempt.id) ?? 0,
        refunds: (refundsOf.get(attempt.id) ?? []).map((refund) => {
          const at = refund.settled_at ?? refund.sent_at ?? refund.created_at;
          return {
            refundId: refund.id,
            orderReference: refund.order_reference,
            transactionId: refund.provider_transaction_id,
            kind: refund.kind,
            state: refund.state,
            amountCents: refund.amount_cents,
            at,
            day: dayInSydney(at),
            ledgerCents: cents.get(refund.id) ?? 0,
          };
        }),
      }));
    });
}

function listAttempts(connection: Connection, provider: ProviderName, scope: Scope) {
  const start = startOfDayInSydney(scope.firstDay);
  const end = startOfDayInSydney(addDays(scope.lastDay, 1));
  return connection
    .selectFrom("payment_attempts")
    .select([
      "id",
      "order_reference",
      "provider_transaction_id",
      "state",
      "amount_cents",
      "currency",
      "sent_at",
      "created_at",
    ])
    .where("provider", "=", provider)
    .where(
      // Nothing is sent before it is created, so the index on sent_at finds the days.
      sql<boolean>`(sent_at >= ${start} and created_at >= ${start} and created_at < ${end})
        or id = any(${scope.attemptIds}::uuid[])
        or provider_transaction_id = any(${scope.transactionIds}::text[])
        or order_reference = any(${scope.orderReferences}::text[])`,
    )
    .orderBy("created_at")
    .execute();
}

/** What the provider owes us by the ledger, in cents, by refund id or else attempt id. */
async function readLedger(connection: Connection, provider: ProviderName, attemptIds: readonly string[]) {
  const { rows } = await sql<{ of: string; cents: number }>`
    select coalesce(refund_id, attempt_id) as of, sum(amount_cents)::bigint as cents
      from ledger_entries
     where attempt_id = any(${attemptIds}::uuid[]) and account = ${`receivable:${provider}`}
     group by 1`.execute(connection);
  return new Map(rows.map(({ of, cents }) => [of, cents]));
}

/** Makes the reconciler check a payment at its next tick. */
export async function scheduleCheck(connection: Connection, attemptId: string, now: Date): Promise<void> {
  await connection
    .updateTable("payment_attempts")
    .set({ next_check_at: now })
    .where("id", "=", attemptId)
    .where((where) => where.or([where("next_check_at", "is", null), where("next_check_at", ">", now)]))
    .execute();
}

/** An open finding of this kind, locked until the transaction ends; undefined if there is none. */
export function lockOpenFinding(
  transaction: Connection,
  { id, kind }: { id: number; kind: FindingKind },
): Promise<KeptFinding | undefined> {
  return transaction
    .selectFrom("reconciliation_findings")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("resolved_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The open finding of this kind about a payment; undefined if there is none. */
export function findOpenFindingOf(
  connection: Connection,
  { attemptId, kind }: { attemptId: string; kind: FindingKind },
): Promise<KeptFinding | undefined> {
  return connection
    .selectFrom("reconciliation_findings")
    .selectAll()
    .where("attempt_id", "=", attemptId)
    .where("kind", "=", kind)
    .where("resolved_at", "is", null)
    .executeTakeFirst();
}

/** Differences that nobody has resolved, oldest first. */
export function listOpenFindings(connection: Connection, provider: ProviderName): Promise<KeptFinding[]> {
  return connection
    .selectFrom("reconciliation_findings")
    .selectAll()
    .where("provider", "=", provider)
    .where("resolved_at", "is", null)
    .orderBy("id")
    .execute();
}

export type Result = {
  readonly comparison: ProviderComparison;
  /** What was found and already resolved, with what was done about it. */
  readonly settled: readonly Finding[];
  readonly detail: string;
};

/**
 * Saves a run's findings. A known one keeps its first time; one that this run should have seen is resolved. @throws
 * Error if another run has taken over.
 */
export async function keepResult(database: Database, run: Run, scope: Scope, result: Result, now: Date): Promise<Run> {
  const { comparison, settled, detail } = result;
  return database.transaction().execute(async (transaction) => {
    for (const finding of settled) await keepFinding(transaction, run.provider, finding, { now, resolvedAt: now });
    for (const finding of comparison.findings) {
      await keepFinding(transaction, run.provider, finding, { now, resolvedAt: null });
    }
    await transaction
      .updateTable("reconciliation_findings")
      .set({ resolved_at: now })
      .where("provider", "=", run.provider)
      .where("resolved_at", "is", null)
      .where("last_seen_at", "<", now)
      .where((where) =>
        where.or([
          where("attempt_id", "is not", null),
          where("kind", "=", "charge_without_payment"),
          where.and([where("day", ">=", scope.firstDay), where("day", "<=", scope.lastDay)]),
        ]),
      )
      .execute();
    const { theirsCents, oursCents, transactions } = comparison;
    const sums = { provider_cents: theirsCents, ledger_cents: oursCents, transactions };
    const ended = await endRun(transaction, run, { state: "done", detail, ...sums }, now);
    // Rolls the findings back too: the other process writes them.
    if (ended === undefined)
      throw new Error(`The comparison of ${run.provider} took too long; another one has started.`);
    return ended;
  });
}

async function keepFinding(
  connection: Connection,
  provider: ProviderName,
  { kind, reference, ...finding }: Finding,
  { now, resolvedAt }: { now: Date; resolvedAt: Date | null },
) {
  const seen = {
    day: finding.day,
    attempt_id: finding.attemptId,
    refund_id: finding.refundId,
    ours_cents: finding.oursCents,
    theirs_cents: finding.theirsCents,
    detail: finding.detail,
    last_seen_at: now,
    resolved_at: resolvedAt,
  };
  // What a person has closed stays closed while the amounts are the same.
  const kept = sql`reconciliation_findings.closed_at is not null
    and (reconciliation_findings.ours_cents, reconciliation_findings.theirs_cents)
      is not distinct from (excluded.ours_cents, excluded.theirs_cents)`;
  await connection
    .insertInto("reconciliation_findings")
    .values({ provider, kind, reference, found_at: now, ...seen })
    .onConflict((conflict) =>
      conflict.columns(["provider", "kind", "reference"]).doUpdateSet({
        ...seen,
        attempt_id: sql`case when ${kept} then reconciliation_findings.attempt_id else excluded.attempt_id end`,
        resolved_at: sql`case when ${kept} then reconciliation_findings.resolved_at else excluded.resolved_at end`,
        closed_at: sql`case when ${kept} then reconciliation_findings.closed_at end`,
        closed_by: sql`case when ${kept} then reconciliation_findings.closed_by end`,
        closed_reason: sql`case when ${kept} then reconciliation_findings.closed_reason else '' end`,
      }),
    )
    .execute();
}

type Closing = {
  readonly id: number;
  /** The id of the member of staff. */
  readonly by: number;
  readonly reason: string;
  /** The payment that now stands for it. */
  readonly attemptId?: string;
  readonly now: Date;
};

/** Closes an open finding by hand; null if it is no longer open. */
export async function closeFinding(
  connection: Connection,
  { id, by, reason, attemptId, now }: Closing,
): Promise<KeptFinding | null> {
  const closed = await connection
    .updateTable("reconciliation_findings")
    .set({ resolved_at: now, closed_at: now, closed_by: by, closed_reason: reason })
    .$if(attemptId !== undefined, (query) => query.set({ attempt_id: attemptId! }))
    .where("id", "=", id)
    .where("resolved_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  return closed ?? null;
}

/** The report of one day: its runs, all open findings, and those that the runs resolved. */
export async function readReportData(connection: Connection, day: string) {
  const runs = await connection
    .selectFrom("reconciliation_runs")
    .selectAll()
    .where("day", "=", day)
    .orderBy("provider", "desc")
    .execute();
  const findings = await connection
    .selectFrom("reconciliation_findings as finding")
    .leftJoin("payment_attempts as attempt", "attempt.id", "finding.attempt_id")
    .leftJoin("refunds as refund", "refund.id", "finding.refund_id")
    .selectAll("finding")
    .select(["attempt.order_reference as payment", "refund.order_reference as refund", "refund.kind as refundKind"])
    .orderBy("finding.id")
    .where((where) =>
      where.or([
        where("finding.resolved_at", "is", null),
        ...runs.map(({ provider, started_at }) =>
          where.and([where("finding.provider", "=", provider), where("finding.resolved_at", ">=", started_at)]),
        ),
      ]),
    )
    .execute();
  return { day, runs, findings };
}

export type ReportData = Awaited<ReturnType<typeof readReportData>>;
