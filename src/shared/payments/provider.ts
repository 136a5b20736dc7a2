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
  /** At most 20 characters, never an e-mail address. */
  readonly customerReference: string;
  /** The payer's own address, as Westpac demands of a public page. */
  readonly customerAddress: string;
};

/** What a provider's books say of one order reference. `isAuthoritative` is false while the provider's index may lag. */
export type Found = { readonly outcomes: readonly Outcome[]; readonly isAuthoritative: boolean };

export type Provider = {
  readonly name: "payway" | "braintree";
  charge(charge: Charge): Promise<Outcome>;
  /** Throws only when the books cannot be read now; the caller asks again later. */
  findByOrderReference(orderReference: string): Promise<Found>;
  /** Throws with a sentence for the operator when the credentials do not work. */
  checkCredentials(): Promise<void>;
};
