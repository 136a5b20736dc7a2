import type { Authentication, ProviderName } from "./tables.ts";

/**
 * What a payment provider answers, in our terms. A decline is an answer, not an exception; an adapter never throws for
 * anything the network or the provider may do. `raw` is the provider's reply with card and token fields removed.
 */
export type Outcome =
  /** The provider holds (`succeeded`) or is still deciding on (`processing`) this charge. */
  | {
      readonly kind: "succeeded" | "processing";
      readonly transactionId: string;
      readonly status: string;
      readonly responseCode: string | null;
      readonly amountCents: number;
      /** What the payer's card was charged; differs from `amountCents` only where the facility adds a surcharge. */
      readonly paidCents: number;
      readonly currency: string;
      readonly orderReference: string;
      readonly raw: unknown;
    }
  /** Refused by the bank or the provider: nothing was charged. */
  | {
      readonly kind: "declined";
      readonly transactionId: string | null;
      readonly status: string;
      readonly responseCode: string | null;
      readonly raw: unknown;
    }
  /** Provably nothing was charged by this call: it never left, or was refused before processing. */
  | {
      readonly kind: "not_charged";
      readonly reason: string;
      readonly mayRetry: boolean;
      readonly retryAfterMs?: number;
    }
  /** Nobody here can say: only a later query settles it. `mayResend`: the same key and instrument may be sent once more. */
  | { readonly kind: "unknown"; readonly reason: string; readonly mayResend: boolean; readonly retryAfterMs?: number };

/** An outcome that the provider holds an amount for. */
export type Charged = Extract<Outcome, { amountCents: number }>;

export type Charge = {
  /** The single-use token (PayWay) or nonce (Braintree). Never logged, never stored past ten minutes. */
  readonly instrument: string;
  readonly amountCents: number;
  readonly currency: "AUD";
  /** Ours, unique, at most 20 ASCII characters. */
  readonly orderReference: string;
  readonly idempotencyKey: string;
  /** At most 20 characters, never an e-mail address: the day's, so that a day's payments can be listed. */
  readonly customerReference: string;
  /** The payer's own address, as Westpac demands of a public page. */
  readonly customerAddress: string;
  /** Whether the payer's bank was asked first (3-D Secure), so that the provider looks for its answer. */
  readonly isAuthenticated: boolean;
};

/** What a provider's books say of one order reference. `isAuthoritative` is false while the provider's index may lag. */
export type Found = { readonly outcomes: readonly Outcome[]; readonly isAuthoritative: boolean };

/** How much of which charge goes back. A whole charge that has not settled yet is voided instead of refunded. */
export type RefundRequest = {
  /** The provider's id of the charge. */
  readonly transactionId: string;
  readonly amountCents: number;
  readonly currency: "AUD";
  /** Whether it is all that was charged. */
  readonly isWhole: boolean;
  /** Ours, of this refund alone, at most 20 ASCII characters. */
  readonly orderReference: string;
  readonly idempotencyKey: string;
};

/** What asking for a refund came to. Like `charge`, never an exception. */
export type RefundOutcome =
  | {
      readonly kind: "succeeded";
      /** `void` where the charge itself was taken back; its transaction is then the charge's own. */
      readonly how: "refund" | "void";
      readonly transactionId: string;
      readonly status: string;
      readonly raw: unknown;
    }
  /** The provider will not do it, now or later. */
  | { readonly kind: "refused"; readonly reason: string; readonly raw: unknown }
  /** The charge has not settled yet: ask again in an hour or so. */
  | { readonly kind: "too_early"; readonly reason: string }
  /** Provably nothing was given back by this call; it may be sent again. */
  | { readonly kind: "not_sent"; readonly reason: string }
  /** `mayResend`: the same key may be sent again without giving money back twice. */
  | { readonly kind: "unknown"; readonly reason: string; readonly mayResend: boolean };

/** A charge or a refund as the provider's books show it. */
export type ProviderTransaction = {
  readonly transactionId: string;
  readonly type: "payment" | "refund";
  /** `approved` is money that moved or will; `pending` is not decided; the rest moved none, or was taken back. */
  readonly status: "approved" | "pending" | "declined" | "voided" | "unknown";
  /** In the provider's own words. */
  readonly providerStatus: string;
  readonly amountCents: number;
  readonly currency: string;
  /** Null where the provider's list does not say, or it has none. */
  readonly orderReference: string | null;
  /** Of a refund: the charge. */
  readonly parentId: string | null;
  /** Null where the provider's list does not say. */
  readonly at: Date | null;
  readonly dispute: "open" | "won" | "lost" | null;
};

/**
 * What 3-D Secure says: the transaction status of EMV 3-D Secure. Y and A passed, C asks for a challenge, N and R refuse,
 * U could not be had.
 */
export type AuthenticationRequest = {
  readonly instrument: string;
  readonly amountCents: number;
  readonly currency: "AUD";
  readonly email: string;
};

export type Provider = {
  readonly name: ProviderName;
  charge(charge: Charge): Promise<Outcome>;
  /** Throws only when the books cannot be read now; the caller asks again later. */
  findByOrderReference(orderReference: string): Promise<Found>;
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** Whether a refund under the same key is made once, however often it is sent. */
  readonly hasRefundKeys: boolean;
  /**
   * What the books say of a refund that was asked for, null where they show none; authoritative as in `Found`. Throws
   * only when the books cannot be read now.
   */
  findRefund(request: RefundRequest): Promise<{ outcome: RefundOutcome | null; isAuthoritative: boolean }>;
  /**
   * Every payment of these days in Sydney (YYYY-MM-DD), and every refund of those payments or made on those days. May
   * hold a transaction twice, or one of a day beside. Throws when the books cannot be read now.
   */
  listTransactions(days: readonly string[]): Promise<ProviderTransaction[]>;
  /** One charge with its refunds; null where the provider has none of that id. Throws as above. */
  findPayment(payment: { transactionId: string; day: string }): Promise<ProviderTransaction[] | null>;
  /** 3-D Secure, where the provider has it and it is switched on: asks about, or looks again at, one instrument. */
  readonly authentication?: {
    begin(request: AuthenticationRequest): Promise<Authentication>;
    find(instrument: string): Promise<Authentication>;
  };
  /** Throws with a sentence for the operator when the credentials do not work. */
  checkCredentials(): Promise<void>;
};

export type Providers = Readonly<Record<ProviderName, Provider>>;
