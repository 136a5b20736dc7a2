import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, truncateSync, writeSync } from "node:fs";
import path from "node:path";

/** One transaction on the provider's books. Amounts are cents; `at` is the simulator's time, ISO 8601. */
export type LedgerRow = {
  readonly provider: "payway" | "braintree";
  readonly transactionId: string;
  readonly orderReference: string;
  readonly type: "payment" | "refund";
  /** In the provider's own words: `approved` is PayWay's, `settled` Braintree's. */
  readonly status: string;
  readonly amountCents: number;
  readonly currency: "AUD";
  readonly parentId: string | null;
  readonly at: string;
};

const MOVES_MONEY = ["approved", "approved*", "submitted_for_settlement", "settling", "settled"];

/** Whether a payment was charged, or a refund paid out, and not voided or reversed since, in either provider's words. */
export function hasMovedMoney({ status }: Pick<LedgerRow, "status">): boolean {
  return MOVES_MONEY.includes(status);
}

/** A line of the file. Only the provider's part reads `detail` and `token`. */
export type LedgerEntry =
  | { readonly kind: "begin"; readonly firstId: number }
  | { readonly kind: "clock"; readonly offsetMs: number }
  | { readonly kind: "token"; readonly provider: LedgerRow["provider"]; readonly token: unknown }
  | { readonly kind: "transaction"; readonly row: LedgerRow; readonly detail: unknown };

export type Ledger = {
  /** The entries of the file when it was opened, oldest first. */
  readonly entries: readonly LedgerEntry[];
  /** Writes to the file before it returns: a provider that has answered has also booked. Throws once closed. */
  append(entry: LedgerEntry): void;
  /** Transaction ids never repeat, not even after a reset: a site's own tables may hold the older ones. */
  takeId(): string;
  close(): void;
};

const FILE_NAME = "simulator-ledger.jsonl";

/** Opens or creates the append-only books in `dataDir`. */
export function openLedger(dataDir: string): Ledger {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, FILE_NAME);
  const entries = existsSync(file) ? readEntries(file) : [];
  const handle = openSync(file, "a");
  let nextId = idAfter(entries);
  let isOpen = true;

  function append(entry: LedgerEntry): void {
    if (!isOpen) throw new Error("The ledger was closed: a reset came during this call.");
    writeSync(handle, `${JSON.stringify(entry)}\n`);
  }

  if (entries.length === 0) append({ kind: "begin", firstId: nextId });
  return {
    entries,
    append,
    takeId: () => String(nextId++),
    close() {
      isOpen = false;
      closeSync(handle);
    },
  };
}

/** Moves the current file to a numbered name; the next `openLedger` starts a new one. */
export function archiveLedger(dataDir: string): void {
  const file = path.join(dataDir, FILE_NAME);
  if (!existsSync(file)) return;
  let number = 1;
  while (existsSync(path.join(dataDir, `simulator-ledger-${number}.jsonl`))) number += 1;
  renameSync(file, path.join(dataDir, `simulator-ledger-${number}.jsonl`));
}

function readEntries(file: string): LedgerEntry[] {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf("\n") + 1;
  // A kill in the middle of a write leaves half a line, whose call was never answered, so it does not count.
  if (end < bytes.length) truncateSync(file, end);
  const lines = bytes.subarray(0, end).toString("utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as LedgerEntry);
}

function idAfter(entries: readonly LedgerEntry[]): number {
  // Hundredths of a second since 2025: ten digits, like PayWay's own ids, and ahead of any busy run before.
  let id = Math.floor((Date.now() - Date.UTC(2025, 0, 1)) / 10);
  for (const entry of entries) {
    if (entry.kind === "begin") id = Math.max(id, entry.firstId);
    if (entry.kind === "transaction") {
      const { provider, transactionId } = entry.row;
      id = Math.max(id, Number.parseInt(transactionId, provider === "braintree" ? 36 : 10) + 1);
    }
  }
  return id;
}
