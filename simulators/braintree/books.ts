import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Ledger, LedgerRow } from "../ledger.ts";

/** `fault` is a PayPal approval whose amount decides what happens; the others are approved whatever the amount. */
export type NonceKind = "paypal" | "card" | "fault";
export type Nonce = { readonly id: string; readonly kind: NonceKind; readonly at: number };

export type Dispute = { readonly id: string; readonly status: "open" | "won" | "lost"; readonly at: string };

/** A transaction's automatic next status: at `at`, or earlier when the clock is moved. */
export type Prospect = { readonly status: string; readonly at: number; readonly onAdvance: boolean };

/** What Braintree knows of a transaction beyond the row of the common ledger. */
export type Detail = {
  readonly instrument: "paypal_account" | "credit_card";
  readonly responseCode: string;
  readonly responseText: string;
  readonly responseType: "approved" | "soft_declined" | "hard_declined";
  readonly rejectionReason: string | null;
  readonly nonceId: string | null;
  readonly prospect: Prospect | null;
  readonly disputes: readonly Dispute[];
  readonly history: readonly { readonly status: string; readonly at: string }[];
};

export type Transaction = LedgerRow & { readonly detail: Detail };

/** Which request made a line of the books; `hash` tells another body under the same `api_request_key`. */
export type Trace = { readonly key: string; readonly hash: string };

/** Called for each change that Braintree would send a webhook for. */
type Listener = (kind: NotificationKind, transaction: Transaction) => void;
export type NotificationKind = (typeof notificationKinds)[number];
export const notificationKinds = [
  "transaction_settled",
  "transaction_settlement_declined",
  "dispute_opened",
  "dispute_won",
  "dispute_lost",
] as const;

export type Books = {
  addNonce(kind: NonceKind): Nonce;
  findNonce(id: string): Nonce | undefined;
  isNonceUsed(id: string): boolean;
  /** Books a transaction as it now is. In the file before this returns. */
  record(transaction: Transaction, trace?: Trace | null): void;
  /** Changes a transaction's status and cancels its automatic one. */
  changeStatus(transaction: Transaction, status: string, trace?: Trace | null): Transaction;
  addDispute(transaction: Transaction, status: Dispute["status"]): void;
  find(transactionId: string): Transaction | undefined;
  /** The first answer to this `api_request_key`. */
  findFirstAnswer(key: string): { readonly hash: string; readonly transaction: Transaction } | undefined;
  /** The refunds of a sale, oldest first. */
  listRefunds(saleId: string): Transaction[];
  /** The newest first, as Braintree lists them. */
  list(): Transaction[];
  takeId(): string;
  now(): number;
  /** Applies the changes that wait until a test moves the clock, and those that are due. */
  resolvePending(): void;
};

type Line = { readonly detail: Detail; readonly trace: Trace | null };

/** Braintree's books: read from the ledger's entries, and written through to it. */
export function openBooks(ledger: Ledger, clock: Clock, listener: Listener): Books {
  const nonces = new Map<string, Nonce>();
  const usedNonces = new Set<string>();
  const transactions = new Map<string, Transaction>();
  const refunds = new Map<string, Set<string>>();
  const firstAnswers = new Map<string, { hash: string; transaction: Transaction }>();
  const waiting = new Map<string, Prospect>();
  let nextDue = Number.POSITIVE_INFINITY;

  function remember(transaction: Transaction, trace: Trace | null): void {
    const { transactionId, parentId, detail } = transaction;
    transactions.set(transactionId, transaction);
    if (detail.nonceId !== null) usedNonces.add(detail.nonceId);
    if (parentId !== null) refunds.set(parentId, (refunds.get(parentId) ?? new Set()).add(transactionId));
    if (trace !== null && !firstAnswers.has(trace.key)) firstAnswers.set(trace.key, { hash: trace.hash, transaction });
    if (detail.prospect === null) waiting.delete(transactionId);
    else {
      waiting.set(transactionId, detail.prospect);
      nextDue = Math.min(nextDue, detail.prospect.at);
    }
  }

  function record(transaction: Transaction, trace: Trace | null = null): void {
    const { detail, ...row } = transaction;
    // One line has charge, used nonce and key, so a kill cannot separate them.
    const line: Line = { detail, trace };
    ledger.append({ kind: "transaction", row, detail: line });
    remember(transaction, trace);
  }

  function changeStatus(transaction: Transaction, status: string, trace: Trace | null = null): Transaction {
    const at = new Date(clock.now()).toISOString();
    const history = [...transaction.detail.history, { status, at }];
    const changed = { ...transaction, status, detail: { ...transaction.detail, prospect: null, history } };
    record(changed, trace);
    const isSale = transaction.type === "payment";
    if (isSale && status === "settled") listener("transaction_settled", changed);
    if (isSale && status === "settlement_declined") listener("transaction_settlement_declined", changed);
    return changed;
  }

  function addDispute(transaction: Transaction, status: Dispute["status"]): void {
    const { disputes } = transaction.detail;
    const at = new Date(clock.now()).toISOString();
    const id = disputes.at(-1)?.status === "open" ? disputes.at(-1)!.id : `dispute-${randomUUID()}`;
    const others = disputes.filter((dispute) => dispute.id !== id);
    const changed = { ...transaction, detail: { ...transaction.detail, disputes: [...others, { id, status, at }] } };
    record(changed);
    listener(status === "open" ? "dispute_opened" : `dispute_${status}`, changed);
  }

  function resolve(isAdvance: boolean): void {
    const now = clock.now();
    if (!isAdvance && now < nextDue) return;
    nextDue = Number.POSITIVE_INFINITY;
    for (const [id, prospect] of [...waiting]) {
      if (now >= prospect.at || (isAdvance && prospect.onAdvance)) changeStatus(transactions.get(id)!, prospect.status);
      else nextDue = Math.min(nextDue, prospect.at);
    }
  }

  for (const entry of ledger.entries) {
    if (entry.kind === "token" && entry.provider === "braintree") {
      const nonce = entry.token as Nonce;
      nonces.set(nonce.id, nonce);
    }
    if (entry.kind === "transaction" && entry.row.provider === "braintree") {
      const { detail, trace } = entry.detail as Line;
      remember({ ...entry.row, detail }, trace);
    }
  }

  return {
    addNonce(kind) {
      const nonce: Nonce = { id: randomUUID(), kind, at: clock.now() };
      ledger.append({ kind: "token", provider: "braintree", token: nonce });
      nonces.set(nonce.id, nonce);
      return nonce;
    },
    findNonce: (id) => nonces.get(id),
    isNonceUsed: (id) => usedNonces.has(id),
    record,
    changeStatus,
    addDispute,
    find(transactionId) {
      resolve(false);
      return transactions.get(transactionId);
    },
    findFirstAnswer: (key) => firstAnswers.get(key),
    listRefunds: (saleId) => [...(refunds.get(saleId) ?? [])].map((id) => transactions.get(id)!),
    list() {
      resolve(false);
      return [...transactions.values()].reverse();
    },
    // Letters and digits, like Braintree's own ids, and never equal to one of PayWay's.
    takeId: () => Number(ledger.takeId()).toString(36),
    now: clock.now,
    resolvePending: () => resolve(true),
  };
}
