import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Attempt } from "#payments/attempts.ts";
import type { PaymentSubject } from "#payments/context.ts";
import { type Credit, mayBeUnsettled, roomOf, settledBy, shareOut } from "#payments/refunds/refund-rules.ts";
import { listCreditsLeft, listRefunds, type Refund } from "#payments/refunds/refund-store.ts";
import type { Subject } from "#payments/subject.ts";
import type { Connection } from "#shared/database/connect.ts";
import { dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { findPaymentOf, listRefunders, sumRefundedAlone } from "./request-store.ts";
import type { RefundForm } from "./shown-refund.ts";
import { listRefundsOf } from "./shown-refunds.ts";

type Asking = {
  readonly of: PaymentSubject;
  readonly staffId: number;
  /** Null for all that is left. */
  readonly amountCents: number | null;
  readonly limitCents: number;
  readonly now: Date;
};

/** What a refund would do; null if there is no such donation or ticket order. */
export async function readRefundForm(
  connection: Connection,
  subject: Pick<Subject, "listParts">,
  asking: Asking,
): Promise<RefundForm | null> {
  const { of, staffId, now } = asking;
  const refunded = await findRefunded(connection, of);
  if (refunded === undefined) return null;
  const payment = await findPaymentOf(connection, of);
  const made = payment === undefined ? [] : await listRefunds(connection, payment.id);
  const leftCents = leftOf(payment, made);
  const amountCents = Math.min(asking.amountCents ?? leftCents, leftCents);
  const isQuiet = made.every(({ state }) => state === "succeeded" || state === "failed");
  const { receipt, ...shown } = refunded;
  return {
    of: { ...of, ...shown },
    payment: showPayment(payment, now),
    leftCents,
    receipt,
    tickets: payment === undefined ? [] : ((await subject.listParts?.(connection, payment)) ?? []),
    parts:
      payment === undefined || !isQuiet || amountCents <= 0
        ? null
        : listParts(of, shareOut(amountCents, await listCreditsLeft(connection, payment.id))),
    refunds: await listRefundsOf(connection, of),
    aloneCents: await sumRefundedAlone(connection, staffId, startOfDayInSydney(dayInSydney(now))),
    limitCents: asking.limitCents,
    others: (await listRefunders(connection)).filter(({ id }) => id !== staffId).map(({ name }) => name),
    formId: randomUUID(),
  };
}

const leftOf = (payment: { amount_cents: number } | undefined, refunds: readonly Refund[]) =>
  payment === undefined ? 0 : roomOf(payment.amount_cents, refunds);

type Found = Omit<RefundForm["of"], keyof PaymentSubject> & Pick<RefundForm, "receipt">;

async function findRefunded(connection: Connection, { kind, id }: PaymentSubject): Promise<Found | undefined> {
  const { rows } = await (kind === "donation"
    ? sql<Found>`
        select reference, total_cents as "totalCents", email <> '' as "hasEmail", '' as event,
               case when not is_anonymous then nullif(trim(first_name || ' ' || last_name), '') end as "payerName",
               (select data ->> 'number' from receipts
                 where donation_id = donations.id and is_latest and voided_at is null) as receipt
          from donations where id = ${id}`
    : sql<Found>`
        select reference, total_cents as "totalCents", coalesce(email, '') <> '' as "hasEmail", event.title as event,
               nullif(trim(first_name || ' ' || last_name), '') as "payerName", null as receipt
          from ticket_orders orders join events event on event.id = event_id where orders.id = ${id}`
  ).execute(connection);
  return rows[0];
}

function showPayment(payment: Attempt | undefined, now: Date): RefundForm["payment"] {
  if (payment === undefined) return null;
  const { state, provider, amount_cents: amountCents, sent_at: chargedAt } = payment;
  return {
    state,
    provider,
    amountCents,
    mayBeUnsettled: mayBeUnsettled(chargedAt, now),
    settledBy: settledBy({ chargedAt, askedAt: now }),
  };
}

/** All gifts in one sum, because a cause can show somebody's faith. Tickets have no fees. */
function listParts({ kind }: PaymentSubject, credits: readonly Credit[]): { title: string; cents: number }[] | null {
  if (kind === "ticket_order") return null;
  const sumOf = (isPart: (account: string) => boolean) =>
    credits.reduce((sum, { account, cents }) => sum + (isPart(account) ? cents : 0), 0);
  return [
    { title: "Gifts", cents: sumOf((account) => !account.startsWith("fees:")) },
    { title: "Admin fee", cents: sumOf((account) => account === "fees:admin") },
    { title: "Merchant fee", cents: sumOf((account) => account === "fees:merchant") },
  ];
}
