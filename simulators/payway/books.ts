import type { Clock } from "../clock.ts";
import type { Ledger, LedgerRow } from "../ledger.ts";
import type { TransStatus, Verdict } from "./cards.ts";

type MaskedCard = {
  readonly cardNumber: string;
  readonly expiryDateMonth: string;
  readonly expiryDateYear: string;
  readonly cardScheme: string;
};

export type Token = {
  readonly id: string;
  readonly card: MaskedCard;
  readonly verdict: Verdict;
  readonly at: number;
  /** The result of 3-D Secure; null if the frame was made without it. */
  readonly willAuthenticate: TransStatus | null;
  readonly authentication: TokenAuthentication | null;
};

/** The status of a token's authentication, and the amount it was requested for. */
type TokenAuthentication = { readonly transStatus: TransStatus; readonly amountCents: number };

/** What PayWay knows of a transaction beyond the row of the common ledger. */
export type Detail = {
  readonly responseCode: string;
  readonly surchargeCents: number;
  readonly customerNumber: string;
  readonly customerIpAddress: string;
  readonly card: MaskedCard | null;
  readonly tokenId: string | null;
  readonly idempotencyKey: string | null;
  /** Distinguishes another body under the same key. */
  readonly requestHash: string;
  /** What a pending transaction becomes at the next advance of the clock, or a minute after it was made. */
  readonly resolvesTo: "approved" | "declined" | null;
};

/** Which request made a transaction. */
export type Trace = Pick<Detail, "idempotencyKey" | "requestHash">;

export type Transaction = LedgerRow & { readonly detail: Detail };

export type Books = {
  /** Books a token, or its authentication's new status. */
  keepToken(token: Token): void;
  findToken(id: string): Token | undefined;
  isTokenUsed(id: string): boolean;
  /** Books a transaction, or its new status. In the file before this returns. */
  record(transaction: Transaction): void;
  /** Changes a transaction's status and response code. */
  changeStatus(transaction: Transaction, status: string, responseCode?: string): void;
  find(transactionId: string): Transaction | undefined;
  /** The transaction of this key as it was first answered. */
  findFirstAnswer(idempotencyKey: string): Transaction | undefined;
  /** The newest first, as PayWay lists them. */
  list(): Transaction[];
  takeId(): string;
  now(): number;
  resolvePending(): void;
};

const PENDING_MS = 60_000;

/** PayWay's books: read from the ledger's entries, and written through to it. */
export function openBooks(ledger: Ledger, clock: Clock): Books {
  const tokens = new Map<string, Token>();
  const transactions = new Map<string, Transaction>();
  const firstAnswers = new Map<string, Transaction>();
  const usedTokens = new Set<string>();
  const pending = new Set<string>();

  function remember(transaction: Transaction): void {
    const { tokenId, idempotencyKey } = transaction.detail;
    transactions.set(transaction.transactionId, transaction);
    if (transaction.status === "pending") pending.add(transaction.transactionId);
    else pending.delete(transaction.transactionId);
    if (tokenId !== null) usedTokens.add(tokenId);
    if (idempotencyKey !== null && !firstAnswers.has(idempotencyKey)) firstAnswers.set(idempotencyKey, transaction);
  }

  function record(transaction: Transaction): void {
    const { detail, ...row } = transaction;
    // One line has charge, used token and key, so a kill cannot separate them.
    ledger.append({ kind: "transaction", row, detail });
    remember(transaction);
  }

  function changeStatus(transaction: Transaction, status: string, responseCode?: string): void {
    const detail = { ...transaction.detail, responseCode: responseCode ?? transaction.detail.responseCode };
    record({ ...transaction, status, detail });
  }

  function resolvePending(isDue: (transaction: Transaction) => boolean): void {
    for (const id of [...pending]) {
      const transaction = transactions.get(id);
      if (transaction === undefined || !isDue(transaction)) continue;
      const outcome = transaction.detail.resolvesTo ?? "approved";
      changeStatus(transaction, outcome, outcome === "approved" ? "00" : "05");
    }
  }

  function resolveOldPending(): void {
    resolvePending((transaction) => clock.now() - Date.parse(transaction.at) >= PENDING_MS);
  }

  for (const entry of ledger.entries) {
    if (entry.kind === "token" && entry.provider === "payway") {
      const token = entry.token as Token;
      tokens.set(token.id, token);
    }
    if (entry.kind === "transaction" && entry.row.provider === "payway") {
      remember({ ...entry.row, detail: entry.detail as Detail });
    }
  }

  return {
    keepToken(token) {
      ledger.append({ kind: "token", provider: "payway", token });
      tokens.set(token.id, token);
    },
    findToken: (id) => tokens.get(id),
    isTokenUsed: (id) => usedTokens.has(id),
    record,
    changeStatus,
    find(transactionId) {
      resolveOldPending();
      return transactions.get(transactionId);
    },
    findFirstAnswer: (key) => firstAnswers.get(key),
    list() {
      resolveOldPending();
      return [...transactions.values()].reverse();
    },
    takeId: ledger.takeId,
    now: clock.now,
    resolvePending: () => resolvePending(() => true),
  };
}
