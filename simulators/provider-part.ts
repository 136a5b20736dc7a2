import type { Answer, Call, Subject } from "./exchange.ts";
import type { Fault } from "./faults.ts";
import type { LedgerRow } from "./ledger.ts";

/** All of them; each provider knows some, and says so of the others. */
export const externalActs = [
  "refund",
  "void",
  "accept",
  "cancel",
  "settle",
  "settlement_decline",
  "dispute_open",
  "dispute_won",
  "dispute_lost",
] as const;

/** What the bank or the provider's staff do without being asked through the API. */
export type ExternalAct = {
  readonly do: (typeof externalActs)[number];
  readonly transactionId: string;
  readonly amountCents?: number | undefined;
};

/** A provider inside the simulator: its own paths, protocol and books. The server around it lends HTTP, faults and log. */
export type ProviderPart = {
  owns(path: string): boolean;
  describe(call: Call): Subject;
  /** The fault that this call's own card asks for, when no rule has fired. */
  faultOfCard(call: Call): Fault | null;
  /** Carries the call out, with those faults that belong to the provider's protocol. Rejects only after a reset. */
  answer(call: Call, fault: Fault | null): Promise<Answer>;
  /** The protocol's own way of saying this HTTP error. */
  failure(status: number): Answer;
  rows(): readonly LedgerRow[];
  resolvePending(): void;
  /** Null when done, else a sentence that says why not. */
  actExternally(act: ExternalAct): string | null;
};
