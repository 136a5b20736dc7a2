import { randomUUID } from "node:crypto";
import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { type Attempt, bytea, describeMove, insertAttempt } from "../attempts.ts";
import { hashInstrument } from "../payments.ts";
import type { ChargeOutcome, Providers, ProviderTransaction } from "../provider.ts";
import { newReference } from "../reference.ts";
import type { Subject } from "../subject.ts";
import type { ProviderName } from "../tables.ts";
import { bookedCents } from "./compare-terms.ts";
import type { KeptFinding } from "./reconciliation-store.ts";

/** A charge that the provider holds and that none of our payments stands for, as the provider's books have it now. */
export type ForeignCharge = {
  readonly provider: ProviderName;
  readonly transactionId: string;
  readonly amountCents: number;
  /** What the provider still holds of it. */
  readonly heldCents: number;
  /** When it was charged. */
  readonly at: Date;
  readonly status: string;
  readonly orderReference: string | null;
  /** The charge and its refunds. */
  readonly rows: readonly ProviderTransaction[];
};

/**
 * Reads the charge of a finding `charge_without_payment` from the provider's books. Null if they no longer have it as
 * approved, or have it in another currency. @throws Error if the books can't be read now.
 */
export async function readForeignCharge(
  providers: Providers,
  { provider, reference, day }: Pick<KeptFinding, "provider" | "reference" | "day">,
): Promise<ForeignCharge | null> {
  const rows = (await providers[provider].findPayment({ transactionId: reference, day })) ?? [];
  const charge = rows.find(({ type, transactionId }) => type === "payment" && transactionId === reference);
  if (charge === undefined || charge.status !== "approved" || charge.currency !== "AUD") return null;
  const { amountCents, orderReference, providerStatus: status } = charge;
  const refunds = rows.filter(({ type, parentId }) => type === "refund" && parentId === reference);
  const onDay = (row: ProviderTransaction) => ({ ...row, day: dayInSydney(row.at ?? startOfDayInSydney(day)) });
  return {
    provider,
    transactionId: reference,
    amountCents,
    status,
    orderReference,
    rows,
    heldCents: bookedCents({ ...onDay(charge), refunds: refunds.map(onDay) }),
    at: charge.at ?? startOfDayInSydney(day),
  };
}

/**
 * Records a charge as the payment of a donation, on the day of the charge; `settleTakenIn` puts it on the books. Null,
 * and nothing is written, if one of our payments stands for it.
 */
export async function recordTakenIn(
  transaction: Connection,
  { donationId, charge }: { donationId: string; charge: ForeignCharge },
): Promise<Attempt | null> {
  const { provider, transactionId, amountCents, at, orderReference } = charge;
  const known = await transaction
    .selectFrom("payment_attempts")
    .select("id")
    .where("provider", "=", provider)
    .where((where) =>
      where.or([
        where("provider_transaction_id", "=", transactionId),
        ...(orderReference === null ? [] : [where("order_reference", "=", orderReference)]),
      ]),
    )
    .executeTakeFirst();
  if (known !== undefined) return null;
  // The transaction stands for the card token: a second payment with it is refused by the database.
  const hash = bytea(hashInstrument(`${provider} ${transactionId}`));
  const recording = {
    id: randomUUID(),
    donation_id: donationId,
    ticket_order_id: null,
    provider,
    order_reference: newReference("P"),
    idempotency_key: randomUUID(),
    client_key: randomUUID(),
    request_hash: hash,
    instrument_hash: hash,
    instrument: null,
    amount_cents: amountCents,
    currency: "AUD",
    state: "unknown",
    event: "charged_elsewhere",
    lease_until: null,
    owner: null,
    sent_at: at,
    created_at: at,
    customer_ip_address: "",
    browser_id: null,
  };
  return insertAttempt(transaction, JSON.stringify(recording));
}

/**
 * Settles it like any payment: the ledger, the receipt and the emails. Call it last in the transaction, because receipts
 * wait for each other.
 */
export async function settleTakenIn(
  transaction: Connection,
  subject: Pick<Subject, "settle">,
  { attempt, charge }: { attempt: Attempt; charge: ForeignCharge },
  now: Date,
): Promise<void> {
  const { transactionId, status, amountCents } = charge;
  const outcome: ChargeOutcome = {
    kind: "succeeded",
    transactionId,
    status,
    responseCode: null,
    amountCents,
    paidCents: amountCents,
    currency: "AUD",
    orderReference: attempt.order_reference,
    raw: null,
  };
  const move = describeMove(attempt, "succeeded", { actor: "reconciler", now, outcome });
  const settled = await subject.settle(transaction, attempt, { now, move });
  if (settled === null) throw new Error(`Payment ${attempt.id} was moved before it was committed.`);
}
