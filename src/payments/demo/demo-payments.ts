import { createHash, randomUUID } from "node:crypto";
import { describeRecording } from "#payments/attempts.ts";
import type { PaymentSubject } from "#payments/context.ts";
import type { ChargeOutcome } from "#payments/provider.ts";
import { customerOfDay, newReference } from "#payments/reference.ts";
import { dayInSydney } from "#shared/language.ts";

const HOUR_MS = 3_600_000;

/** A payment as it is put on the simulator's books, with the simulator's ids of it and its refunds. */
export type Past = {
  readonly provider: "payway" | "braintree";
  readonly orderReference: string;
  readonly customerNumber: string;
  readonly amountCents: number;
  readonly at: string;
  readonly isDeclined?: boolean;
  readonly isDisputed?: boolean;
  readonly refunds?: { orderReference: string; amountCents: number; at: string }[];
};
export type BookedPast = { readonly transactionId: string; readonly refundIds: readonly string[] };
export type BookPast = (payments: readonly Past[]) => Promise<readonly BookedPast[]>;

/** An invented payment, the same for the provider's books and ours. */
export type DemoPayment = {
  readonly orderReference: string;
  readonly method: "cc" | "pp";
  readonly amountCents: number;
  readonly at: Date;
  readonly isDeclined: boolean;
  readonly isDisputed: boolean;
  /** Null if none of it is refunded. */
  readonly refund: { readonly cents: number; readonly at: Date } | null;
};

/** What a feature adds to the demo’s past: payments, which the simulators book first, and then its rows. */
export type DemoPast = {
  readonly payments: readonly DemoPayment[];
  /** Gets the booked payments in the same order. */
  add(booked: readonly BookedPast[]): Promise<void>;
};

export const newPaymentReference = () => newReference("P");

const providerOf = ({ method }: Pick<DemoPayment, "method">) => (method === "cc" ? "payway" : "braintree");

/** A payment in the form that the simulator books. */
export function describePast(payment: DemoPayment): Past {
  const { orderReference, amountCents, at, isDeclined, isDisputed, refund } = payment;
  return {
    provider: providerOf(payment),
    orderReference,
    customerNumber: customerOfDay(dayInSydney(at)),
    amountCents,
    at: at.toISOString(),
    isDeclined,
    isDisputed,
    refunds:
      refund === null
        ? []
        : [{ orderReference: newReference("R"), amountCents: refund.cents, at: refund.at.toISOString() }],
  };
}

/** The attempt as the argument of `record_payment`, ready to be settled. */
export function describeDemoRecording(subject: PaymentSubject, payment: DemoPayment): string {
  const { orderReference, amountCents, at } = payment;
  return describeRecording(
    {
      id: randomUUID(),
      donation_id: subject.kind === "donation" ? subject.id : null,
      ticket_order_id: subject.kind === "ticket_order" ? subject.id : null,
      provider: providerOf(payment),
      order_reference: orderReference,
      idempotency_key: randomUUID(),
      client_key: randomUUID(),
      request_hash: Buffer.alloc(32),
      instrument_hash: createHash("sha256").update(orderReference).digest(),
      instrument: null,
      amount_cents: amountCents,
      customer_ip_address: "203.0.113.7",
      browser_id: null,
      owner: null,
    },
    { state: "submitting", now: at, leaseMs: HOUR_MS },
  );
}

/** The provider's answer to the charge. */
export function outcomeOf(payment: DemoPayment, { transactionId }: BookedPast): ChargeOutcome {
  const { amountCents, orderReference, method, isDeclined } = payment;
  const answer = { transactionId, responseCode: isDeclined ? "05" : "08", raw: null };
  if (isDeclined) return { kind: "declined", status: "declined", ...answer };
  return {
    kind: "succeeded",
    status: method === "cc" ? "approved" : "settled",
    ...answer,
    amountCents,
    paidCents: amountCents,
    currency: "AUD",
    orderReference,
  };
}
