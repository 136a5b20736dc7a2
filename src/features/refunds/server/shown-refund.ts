import type { PaymentSubject } from "#payments/context.ts";
import type { RefundState } from "#payments/refunds/refund-states.ts";
import type { PaymentState } from "#payments/states.ts";
import type { PaidPart } from "#payments/subject.ts";
import type { ProviderName, RefundKind } from "#payments/tables.ts";

/** What a refund is of: a donation or a ticket order. */
type Refunded = PaymentSubject & {
  readonly reference: string;
  /** Null for an anonymous donor, or somebody whose details were erased. */
  readonly payerName: string | null;
  readonly totalCents: number;
  /** What the tickets are for; "" for a donation. */
  readonly event: string;
};

/** A refund as screens show it: what staff asked for, what the provider did, or both. */
export type ShownRefund = {
  /** The id in the address of its screen: the request's or, without one, the refund's. */
  readonly id: string;
  readonly at: Date;
  readonly amountCents: number;
  readonly reason: string;
  readonly of: Refunded;
  readonly payment: { readonly state: PaymentState; readonly provider: ProviderName };
  /** Null if staff did not ask for it in the back office. */
  readonly request: {
    readonly by: Person;
    readonly leftCents: number;
    readonly limitCents: number;
    /** How many tickets it cancels. */
    readonly tickets: number;
    /** The payment is reversed because the provider doesn't have it. */
    readonly isReversal: boolean;
    readonly decision: "alone" | "approved" | "declined" | "withdrawn" | null;
    readonly decidedBy: Person | null;
    readonly decidedAt: Date | null;
    readonly decisionReason: string;
  } | null;
  /** Null while a request waits, or if it was declined or withdrawn. */
  readonly refund: {
    readonly id: string;
    readonly state: RefundState;
    readonly kind: RefundKind;
    readonly reference: string;
    readonly requestedBy: "staff" | "system" | "provider";
    /** The provider's last message. */
    readonly providerStatus: string | null;
    readonly nextCheckAt: Date | null;
    readonly settledAt: Date | null;
    /** Set if a person noted that the failed refund was dealt with by hand. */
    readonly byHand: { readonly by: string; readonly at: Date; readonly note: string } | null;
  } | null;
};

type Person = { readonly id: number; readonly name: string };

/**
 * The groups of the list, in this order: those that wait for a second person, for us, or for a provider, and the rest.
 */
export type RefundGroup = "to approve" | "failed" | "under way" | "done";

/** What the screen of a refund's form needs. */
export type RefundForm = {
  readonly of: Refunded & { readonly hasEmail: boolean };
  /** Null if it has not been paid. */
  readonly payment: {
    readonly state: PaymentState;
    readonly provider: ProviderName;
    readonly amountCents: number;
    /** Whether the charge may still be unsettled. If so, a partial refund waits until about `settledBy`. */
    readonly mayBeUnsettled: boolean;
    readonly settledBy: Date;
  } | null;
  readonly leftCents: number;
  /** A donation's valid receipt. */
  readonly receipt: string | null;
  /** The valid tickets of an order. */
  readonly tickets: readonly PaidPart[];
  /** How much this amount takes from gifts and from fees; null while another refund is under way. */
  readonly parts: readonly { readonly title: string; readonly cents: number }[] | null;
  readonly refunds: readonly ShownRefund[];
  /** What the person has refunded alone today, and the limit. */
  readonly aloneCents: number;
  readonly limitCents: number;
  /** The others who may approve. */
  readonly others: readonly string[];
  /** A new id, for the form that is shown. */
  readonly formId: string;
};

export type RefundList = {
  /** Only the first page has these three. */
  readonly toApprove: readonly ShownRefund[];
  readonly failed: readonly ShownRefund[];
  readonly underWay: readonly ShownRefund[];
  readonly done: readonly ShownRefund[];
  readonly isFirst: boolean;
  /** Where the next page with older refunds begins, for the address. */
  readonly older: string | null;
};
