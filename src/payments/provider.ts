import type { Authentication, ProviderName } from "./tables.ts";

/**
 * What a payment provider answers, in our terms. A decline is an answer, not an exception: an adapter never throws for
 * anything the network or provider does. `raw` is the provider's reply without card and token fields.
 */
export type ChargeOutcome =
  /** The provider has made (`succeeded`) or is still deciding on (`processing`) this charge. */
  | {
      readonly kind: "succeeded" | "processing";
      readonly transactionId: string;
      readonly status: string;
      readonly responseCode: string | null;
      readonly amountCents: number;
      /** What the payer was charged; differs from `amountCents` only if the provider adds a surcharge. */
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
  /** This call provably charged nothing: it was never sent, or was refused before processing. */
  | {
      readonly kind: "not_charged";
      readonly reason: string;
      readonly mayRetry: boolean;
      readonly retryAfterMs?: number;
    }
  /** Only a later query can tell. `mayResend`: the same key and instrument may be sent again. */
  | { readonly kind: "unknown"; readonly reason: string; readonly mayResend: boolean; readonly retryAfterMs?: number };

/** An outcome with an amount at the provider. */
export type Charged = Extract<ChargeOutcome, { amountCents: number }>;

export type Charge = {
  /** The single-use token (PayWay) or nonce (Braintree). Never logged, never stored past ten minutes. */
  readonly instrument: string;
  readonly amountCents: number;
  readonly currency: "AUD";
  /** Our unique reference, at most 20 ASCII characters. */
  readonly orderReference: string;
  readonly idempotencyKey: string;
  /** At most 20 characters, never an email address. The same for a whole day, so that its payments can be listed. */
  readonly customerReference: string;
  /** The payer's own address, which Westpac requires for public pages. */
  readonly customerIpAddress: string;
  /** Whether the payer's bank was asked first (3-D Secure), so that the provider looks its answer up. */
  readonly isAuthenticated: boolean;
};

/** What a provider's books show for one order reference. `isAuthoritative` is false if the provider's index may lag. */
export type FoundCharges = { readonly outcomes: readonly ChargeOutcome[]; readonly isAuthoritative: boolean };

/** Which charge to refund, and how much. A full refund before settlement is a void. */
export type RefundInstruction = {
  /** The provider's id of the charge. */
  readonly transactionId: string;
  readonly amountCents: number;
  readonly currency: "AUD";
  /** Whether this refunds the full charge. */
  readonly isWhole: boolean;
  /** Our unique reference for this refund, at most 20 ASCII characters. */
  readonly orderReference: string;
  readonly idempotencyKey: string;
};

/** The outcome of a refund request. Like `charge`, never an exception. */
export type RefundOutcome =
  | {
      readonly kind: "succeeded";
      /** With `void`, `transactionId` is the charge's own. */
      readonly how: "refund" | "void";
      readonly transactionId: string;
      readonly status: string;
      readonly raw: unknown;
    }
  /** The provider refuses it for good. */
  | { readonly kind: "refused"; readonly reason: string; readonly raw: unknown }
  /** The charge has not settled yet: try again in about an hour. */
  | { readonly kind: "too_early"; readonly reason: string }
  /** This call provably refunded nothing; it may be sent again. */
  | { readonly kind: "not_sent"; readonly reason: string }
  /** `mayResend`: the same key may be sent again without refunding twice. */
  | { readonly kind: "unknown"; readonly reason: string; readonly mayResend: boolean };

/** A charge or refund in the provider's books. */
export type ProviderTransaction = {
  readonly transactionId: string;
  readonly type: "payment" | "refund";
  /** `approved`: money moved or will move. `pending`: undecided. The others moved none, or it was returned. */
  readonly status: "approved" | "pending" | "declined" | "voided" | "unknown";
  readonly providerStatus: string;
  readonly amountCents: number;
  readonly currency: string;
  /** Null if there is none, or the provider's list omits it. */
  readonly orderReference: string | null;
  /** The refunded charge; null for a charge. */
  readonly parentId: string | null;
  /** Null if the provider's list omits it. */
  readonly at: Date | null;
  readonly dispute: "open" | "won" | "lost" | null;
};

export type AuthenticationRequest = {
  readonly instrument: string;
  readonly amountCents: number;
  readonly currency: "AUD";
  readonly email: string;
};

export type Provider = {
  readonly name: ProviderName;
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** @throws Error only if the books can't be read now; ask again later. */
  findByOrderReference(orderReference: string): Promise<FoundCharges>;
  refund(request: RefundInstruction): Promise<RefundOutcome>;
  /** Whether a refund is made only once, however often the same key is sent. */
  readonly hasRefundKeys: boolean;
  /** What the books show for a requested refund, or null; as in `FoundCharges`. @throws Error if they can't be read. */
  findRefund(request: RefundInstruction): Promise<{ outcome: RefundOutcome | null; isAuthoritative: boolean }>;
  /**
   * All payments of these days in Sydney (YYYY-MM-DD), and all refunds of those payments or made on those days. May
   * repeat a transaction or include one of an adjacent day.
   * @throws Error if the books can't be read now.
   */
  listTransactions(days: readonly string[]): Promise<ProviderTransaction[]>;
  /** One charge with its refunds; null if the provider has none with that id. Throws as above. */
  findPayment(payment: { transactionId: string; day: string }): Promise<ProviderTransaction[] | null>;
  /** 3-D Secure for one instrument, if the provider has it and it is on. */
  readonly authentication?: {
    begin(request: AuthenticationRequest): Promise<Authentication>;
    find(instrument: string): Promise<Authentication>;
  };
  /** @throws Error with a sentence for the operator if the credentials don't work. */
  checkCredentials(): Promise<void>;
};

export type Providers = Readonly<Record<ProviderName, Provider>>;
