import type { FastifyBaseLogger } from "fastify";
import type { RawBuilder } from "kysely";
import type { Config } from "#shared/config/config.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Attempt } from "./attempts.ts";
import type { Circuits } from "./circuits.ts";
import type { Providers } from "./provider.ts";
import type { Subject } from "./subject.ts";
import type { ProviderName } from "./tables.ts";

/** What a payment is for. */
export type PaymentSubject = { readonly kind: "donation" | "ticket_order"; readonly id: string };

export type Submission = {
  readonly subject: PaymentSubject;
  readonly provider: ProviderName;
  /** The client's Idempotency-Key or, without one, a digest of the card token or nonce. */
  readonly clientKey: string;
  /** Hash of the request without its captcha. The same key with another hash is another submission. */
  readonly requestHash: Buffer;
  readonly instrument: string;
  readonly amountCents: number;
  readonly customerIpAddress: string;
  readonly browser?: string | undefined;
  /** Set if the payer's bank is asked first (3-D Secure); up to the maximum is charged if it can't be asked. */
  readonly authentication: { readonly email: string; readonly unavailableMaximumCents: number } | null;
};

/** Only the caller that sent the payment gets `charged`, which may resolve after the payer's wait. */
export type Submitted = { readonly attempt: Attempt; readonly charged?: Promise<Attempt> };

/**
 * How a payment is recorded. `statement` writes it and what is paid for, all or nothing, and returns the attempt, or no
 * row for a copy; its argument is that of `record_payment`. `admit`, if there is one, runs after it in the same
 * transaction and throws to roll it back.
 */
export type Recording = {
  readonly statement: (payment: string) => RawBuilder<Attempt>;
  readonly admit?: ((transaction: Connection, at: Date) => Promise<void>) | undefined;
};

export type PaymentsContext = {
  readonly database: Database;
  /** Marks this process's payments, so that other processes can tell whether it is still alive. */
  readonly processId?: number | undefined;
  readonly providers: Providers;
  readonly circuits: Circuits;
  readonly subject: Subject;
  readonly settings: Config["payments"];
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
};
