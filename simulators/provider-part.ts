import type { Call, CallSubject, SimulatedAnswer } from "./exchange.ts";
import type { Fault } from "./faults.ts";
import type { LedgerRow } from "./ledger.ts";
import type { BookedPast, PastPayment } from "./past.ts";

/** All external acts; each provider knows some, and refuses the others. */
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

/** What the bank or the provider's staff do outside the API. */
export type ExternalAct = {
  readonly do: (typeof externalActs)[number];
  readonly transactionId: string;
  readonly amountCents?: number | undefined;
};

/** A provider inside the simulator: its paths, protocol and books. The server around it provides HTTP, faults and log. */
export type ProviderPart = {
  owns(path: string): boolean;
  describe(call: Call): CallSubject;
  /** The fault that this call's card asks for, if no rule has fired. */
  faultOfCard(call: Call): Fault | null;
  /** Carries the call out, with those faults that belong to the provider's protocol. Rejects only after a reset. */
  answer(call: Call, fault: Fault | null): Promise<SimulatedAnswer>;
  /** This HTTP error in the protocol's format. */
  failure(status: number): SimulatedAnswer;
  rows(): readonly LedgerRow[];
  resolvePending(): void;
  /** Null when done, otherwise a sentence that says why not. */
  actExternally(act: ExternalAct): string | null;
  recordPast(payment: PastPayment): BookedPast;
};
