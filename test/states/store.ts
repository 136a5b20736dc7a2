import type { Attempt } from "#payments/attempts.ts";
import type { ChargeOutcome } from "#payments/provider.ts";
import type { Credit } from "#payments/refunds/refund-rules.ts";
import type { RefundState } from "#payments/refunds/refund-states.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { isPaid, type PaymentState } from "#payments/states.ts";
import { splitCents } from "#shared/money.ts";
import type { Rules } from "./rules.ts";

/** The columns of `payment_attempts` that matter for decisions. */
export type AttemptRow = Pick<
  Attempt,
  | "id"
  | "provider"
  | "order_reference"
  | "idempotency_key"
  | "client_key"
  | "instrument"
  | "amount_cents"
  | "currency"
  | "state"
  | "state_version"
  | "provider_transaction_id"
  | "sends"
  | "lease_until"
  | "owner"
  | "sent_at"
  | "next_check_at"
  | "checks"
  | "was_uncertain"
  | "settled_at"
  | "authentication"
  | "created_at"
> & { readonly token: string };

/** The columns of `refunds` that matter for decisions, with data of the latest event. */
export type ModelRefund = Pick<
  Refund,
  | "id"
  | "attempt_id"
  | "kind"
  | "request_key"
  | "order_reference"
  | "idempotency_key"
  | "amount_cents"
  | "state"
  | "state_version"
  | "provider_transaction_id"
  | "sends"
  | "lease_until"
  | "owner"
  | "sent_at"
  | "next_check_at"
  | "checks"
  | "settled_at"
  | "created_at"
> & { readonly mayResend: boolean };

export type StateEvent<State> = {
  readonly of: string;
  readonly from: State | null;
  readonly to: State;
  readonly event: string;
};
type ModelLedgerEntry = {
  readonly attemptId: string;
  readonly refundId: string | null;
  readonly account: string;
  readonly cents: number;
};
type ModelReceipt = { readonly attemptId: string; isVoid: boolean };

/** The tables and their guarantees. Every function is one transaction, so nothing interrupts it. */
export type Store = ReturnType<typeof createStore>;

/** The tables in memory, with the guarantees of the real ones, except those that `rules` breaks. */
export function createStore(rules: Rules) {
  const attempts = new Map<string, AttemptRow>();
  const refunds = new Map<string, ModelRefund>();
  const paymentEvents: StateEvent<PaymentState>[] = [];
  const refundEvents: StateEvent<RefundState>[] = [];
  const ledger: ModelLedgerEntry[] = [];
  const receipts: ModelReceipt[] = [];
  /** Payments that staff were alerted about. */
  const alerted = new Set<string>();
  let ids = 0;
  const newId = (prefix: string) => `${prefix}${++ids}`;

  function insertAttempt(row: AttemptRow, event: string): AttemptRow | null {
    if (rules.hasUniqueKeys && findAttemptOf(row.client_key, row.token) !== undefined) return null;
    attempts.set(row.id, row);
    paymentEvents.push({ of: row.id, from: null, to: row.state, event });
    return row;
  }

  function findAttemptOf(clientKey: string, token: string): AttemptRow | undefined {
    let byToken: AttemptRow | undefined;
    for (const row of attempts.values()) {
      if (row.client_key === clientKey) return row;
      if (row.token === token) byToken = row;
    }
    return byToken;
  }

  function moveAttempt(
    attempt: AttemptRow,
    to: PaymentState,
    { now, outcome, authentication, leaseUntil = null, owner = null }: AttemptMove,
  ): AttemptRow | null {
    const event = rules.eventOf(attempt.state, to);
    if (event === undefined) throw new Error(`I5: a payment may not move from ${attempt.state} to ${to}`);
    const current = attempts.get(attempt.id)!;
    const isSame = current.state === attempt.state && current.state_version === attempt.state_version;
    if (rules.hasCompareAndSet && !isSame) return null;
    const isUncertain = to === "unknown" || to === "processing";
    const isBegun = to === "submitting" || to === "requires_action";
    const wasPaid = isPaid(attempt.state);
    const keepsInstrument = isBegun || rules.maySendAgain(to, outcome);
    const moved: AttemptRow = {
      ...current,
      state: to,
      state_version: attempt.state_version + 1,
      lease_until: leaseUntil,
      ...(to === "submitting" ? { sent_at: now, owner } : {}),
      next_check_at: wasPaid ? current.next_check_at : isUncertain ? now : null,
      settled_at: wasPaid ? current.settled_at : isUncertain || isBegun ? null : now,
      was_uncertain: attempt.was_uncertain || isUncertain,
      instrument: keepsInstrument ? current.instrument : null,
      authentication: authentication ?? current.authentication,
      provider_transaction_id:
        outcome !== undefined && "transactionId" in outcome ? outcome.transactionId : current.provider_transaction_id,
    };
    attempts.set(moved.id, moved);
    paymentEvents.push({ of: moved.id, from: attempt.state, to, event });
    return moved;
  }

  function setAttempt(id: string, changes: Partial<AttemptRow>) {
    attempts.set(id, { ...attempts.get(id)!, ...changes });
  }

  /** As `settle.ts` does: the move, the ledger, the receipt, together. */
  function settle(attempt: AttemptRow, outcome: ChargeOutcome, now: Date): AttemptRow {
    const to = rules.stateAfter(attempt.state, outcome);
    if (to === undefined) return attempt;
    const moved = moveAttempt(attempt, to, { now, outcome });
    if (moved === null) {
      const current = attempts.get(attempt.id)!;
      const isTakenOver = attempt.state === "submitting" && current.state === "unknown";
      return isTakenOver ? settle(current, outcome, now) : current;
    }
    if (to === "succeeded" || to === "succeeded_late") {
      post(moved.id, null, [
        { account: `receivable:${moved.provider}`, cents: moved.amount_cents },
        ...creditsOf(moved),
      ]);
      receipts.push({ attemptId: moved.id, isVoid: false });
    }
    return moved;
  }

  function post(attemptId: string, refundId: string | null, postings: readonly Credit[]) {
    if (postings.reduce((sum, { cents }) => sum + cents, 0) !== 0)
      throw new Error("I2: a posting does not sum to zero");
    for (const { account, cents } of postings) if (cents !== 0) ledger.push({ attemptId, refundId, account, cents });
  }

  function listRefunds(attemptId: string): ModelRefund[] {
    return [...refunds.values()].filter(({ attempt_id }) => attempt_id === attemptId);
  }

  function insertRefund(row: ModelRefund, event: string): ModelRefund | null {
    for (const other of refunds.values()) {
      if (other.request_key === row.request_key) return null;
      const isSame =
        other.attempt_id === row.attempt_id && other.provider_transaction_id === row.provider_transaction_id;
      if (isSame && row.provider_transaction_id !== null) return null;
    }
    refunds.set(row.id, row);
    refundEvents.push({ of: row.id, from: null, to: row.state, event });
    requireRoom(row.attempt_id);
    return row;
  }

  function moveRefund(
    refund: ModelRefund,
    to: RefundState,
    now: Date,
    facts: Partial<ModelRefund>,
  ): ModelRefund | null {
    const event = rules.refundEventOf(refund.state, to);
    if (event === undefined) throw new Error(`I5: a refund may not move from ${refund.state} to ${to}`);
    const current = refunds.get(refund.id)!;
    const isSame = current.state === refund.state && current.state_version === refund.state_version;
    if (rules.hasCompareAndSet && !isSame) return null;
    const moved: ModelRefund = {
      ...current,
      state: to,
      state_version: refund.state_version + 1,
      lease_until: null,
      next_check_at: null,
      settled_at: to === "succeeded" || to === "failed" ? now : null,
      mayResend: false,
      ...facts,
    };
    refunds.set(moved.id, moved);
    refundEvents.push({ of: moved.id, from: refund.state, to, event });
    requireRoom(moved.attempt_id);
    return moved;
  }

  function requireRoom(attemptId: string) {
    if (!rules.hasRoomTrigger) return;
    const { amount_cents } = attempts.get(attemptId)!;
    const promised = listRefunds(attemptId).reduce(
      (sum, row) => (row.state === "failed" ? sum : sum + row.amount_cents),
      0,
    );
    if (promised > amount_cents)
      throw new Error(`I11: refunds of ${promised} exceed the ${amount_cents} of ${attemptId}`);
  }

  function setRefund(id: string, changes: Partial<ModelRefund>) {
    refunds.set(id, { ...refunds.get(id)!, ...changes });
  }

  /** As `bookRefund` does: the payment's move, the ledger, the receipt. */
  function bookRefund(attempt: AttemptRow, refund: ModelRefund, now: Date): AttemptRow {
    const to = rules.paidStateAfter(attempt, listRefunds(attempt.id));
    const moved = to === "disputed" ? attempt : moveAttempt(attempt, to, { now })!;
    const debits = rules.shareOut(refund.amount_cents, listCreditsLeft(attempt.id));
    post(attempt.id, refund.id, [
      ...debits,
      { account: `receivable:${attempt.provider}`, cents: -refund.amount_cents },
    ]);
    for (const receipt of receipts) if (receipt.attemptId === attempt.id) receipt.isVoid = true;
    const kept = sumOf(ledger, attempt.id, `receivable:${attempt.provider}`);
    if (kept > 0) receipts.push({ attemptId: attempt.id, isVoid: false });
    return moved;
  }

  function listCreditsLeft(attemptId: string): Credit[] {
    const left = new Map<string, number>();
    for (const entry of ledger) {
      if (entry.attemptId !== attemptId || entry.account.startsWith("receivable:")) continue;
      left.set(entry.account, (left.get(entry.account) ?? 0) - entry.cents);
    }
    return [...left].filter(([, cents]) => cents > 0).map(([account, cents]) => ({ account, cents }));
  }

  return {
    attempts,
    refunds,
    paymentEvents,
    refundEvents,
    ledger,
    receipts,
    alerted,
    newId,
    insertAttempt,
    findAttemptOf,
    moveAttempt,
    setAttempt,
    settle,
    listRefunds,
    insertRefund,
    moveRefund,
    setRefund,
    bookRefund,
  };
}

type AttemptMove = {
  readonly now: Date;
  readonly outcome?: ChargeOutcome;
  readonly authentication?: AttemptRow["authentication"];
  readonly leaseUntil?: Date | null;
  readonly owner?: number | null;
};

/** The accounts of a donation: two funds and two fees, in proportions that leave odd cents. */
function creditsOf({ amount_cents }: AttemptRow): Credit[] {
  const [zakat = 0, sadaqah = 0, admin = 0, merchant = 0] = splitCents(amount_cents, [61, 31, 5, 3]);
  return [
    { account: "donations:zakat", cents: -zakat },
    { account: "donations:sadaqah", cents: -sadaqah },
    { account: "fees:admin", cents: -admin },
    { account: "fees:merchant", cents: -merchant },
  ];
}

export function sumOf(ledger: readonly ModelLedgerEntry[], attemptId: string, account: string): number {
  return ledger.reduce(
    (sum, entry) => (entry.attemptId === attemptId && entry.account === account ? sum + entry.cents : sum),
    0,
  );
}
