import type { FastifyBaseLogger } from "fastify";
import type { Config } from "#shared/config.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Attempt } from "./attempts.ts";
import type { Circuits } from "./circuits.ts";
import type { Providers } from "./provider.ts";
import type { Subject } from "./subject.ts";
import type { ProviderName } from "./tables.ts";

/** What a payment is for, by its id there. */
export type PaymentSubject = { readonly kind: "donation" | "ticket_order"; readonly id: string };

export type Submission = {
  readonly subject: PaymentSubject;
  readonly provider: ProviderName;
  /** The client's Idempotency-Key, or a digest of the card token where it sent none. */
  readonly clientKey: string;
  /** Of the whole request but its captcha: the same key with another hash is another submission. */
  readonly requestHash: Buffer;
  readonly instrument: string;
  readonly amountCents: number;
  readonly customerAddress: string;
  readonly browser?: string | undefined;
  /** Whether the payer's bank is asked first (3-D Secure), and how much is charged when it cannot be. */
  readonly authentication: { readonly email: string; readonly unavailableMaximumCents: number } | null;
};

/** `charged` is there for whoever brought the payment on its way, and goes on when the payer's wait is over. */
export type Submitted = { readonly attempt: Attempt; readonly charged?: Promise<Attempt> };

/** Writes what is bought, and spends the captcha, in the transaction that records the attempt. Throws to undo it all. */
export type Open = (transaction: Connection, at: Date) => Promise<void>;

export type PaymentsContext = {
  readonly database: Database;
  /** What this process signs its payments with, if others can see whether it lives. */
  readonly processId?: number | undefined;
  readonly providers: Providers;
  readonly circuits: Circuits;
  readonly subject: Subject;
  readonly settings: Config["payments"];
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
};
