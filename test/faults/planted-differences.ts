import { randomUUID } from "node:crypto";
import { makeAttempt, makeDonation, makeRefund } from "#database/makers.ts";
import { findAttempt } from "#payments/attempts.ts";
import type { FindingKind } from "#payments/reconciliation/compare.ts";
import { customerOfDay, newReference } from "#payments/reference.ts";
import { post } from "#payments/settle.ts";
import type { ProviderName } from "#payments/tables.ts";
import { dayInSydney } from "#shared/sydney.ts";
import { createNonce } from "#simulators/control.ts";
import type { ExternalAct } from "#simulators/provider-part.ts";
import type { TestSite } from "../site.ts";

/** What was planted, and what undoes it; `house` where the house itself puts it right. */
export type Planted = {
  readonly kind: FindingKind;
  readonly provider: ProviderName;
  /** Empty where there is none. */
  readonly attemptId: string;
  readonly mend: "house" | (() => Promise<unknown>);
};

/** A payment that is on both sides' books. */
export type Paid = { readonly id: string; readonly provider: ProviderName; readonly transactionId: string };

/** Every way to make the two sides differ, each with its cure. */
export function createPlanter(site: TestSite) {
  const { database, pool, services, simulator, clock } = site;
  const sql = (text: string, values: unknown[]) => pool.query(text, values);

  /** Moves the receivable without anything else: what a ledger row that should not be there looks like. */
  const misbook = (attemptId: string, provider: ProviderName, cents: number, refundId: string | null = null) =>
    database.transaction().execute((transaction) =>
      post(
        transaction,
        { attemptId, refundId },
        [
          { account: `receivable:${provider}`, cents },
          { account: "donations:zakat", cents: -cents },
        ],
        clock.now(),
      ),
    );

  /** Charges at the provider behind the house's back. */
  async function charge(provider: ProviderName, orderReference: string, amountCents: number): Promise<string> {
    const instrument = provider === "payway" ? await site.cardToken() : await createNonce(simulator.url);
    const outcome = await services.providers[provider].charge({
      instrument,
      amountCents,
      currency: "AUD",
      orderReference,
      idempotencyKey: randomUUID(),
      customerReference: customerOfDay(dayInSydney(clock.now())),
      customerAddress: "203.0.113.9",
      isAuthenticated: false,
    });
    if (outcome.kind !== "succeeded") throw new Error(`The plant was not charged: ${JSON.stringify(outcome)}`);
    return outcome.transactionId;
  }

  const act = (done: ExternalAct["do"], transactionId: string, amountCents?: number) =>
    simulator.actExternally({ do: done, transactionId, ...(amountCents === undefined ? {} : { amountCents }) });

  return {
    async chargeWithoutPayment(provider: ProviderName): Promise<Planted> {
      const transactionId = await charge(provider, newReference("P"), 4200);
      const mend = () => act("void", transactionId);
      return { kind: "charge_without_payment", provider, attemptId: "", mend };
    },

    async chargedTwice({ id, provider }: Paid): Promise<Planted> {
      const { order_reference, amount_cents } = (await findAttempt(database, id))!;
      const transactionId = await charge(provider, order_reference, amount_cents);
      const mend = () => act("void", transactionId);
      return { kind: "charged_twice", provider, attemptId: id, mend };
    },

    async paymentWithoutCharge(provider: ProviderName): Promise<Planted> {
      const donationId = await makeDonation(database);
      const at = clock.now();
      const id = await makeAttempt(database, donationId, {
        provider,
        state: "succeeded",
        provider_transaction_id:
          provider === "payway" ? String(10 ** 9 + Math.trunc(Math.random() * 10 ** 8)) : "n0neher3",
        lease_until: null,
        sent_at: at,
        settled_at: at,
        created_at: at,
      });
      await misbook(id, provider, 10_658);
      const mend = async () => {
        await sql("update payment_attempts set state = 'failed' where id = $1", [id]);
        await misbook(id, provider, -10_658);
      };
      return { kind: "payment_without_charge", provider, attemptId: id, mend };
    },

    async amountDiffers({ id, provider }: Paid, cents: number): Promise<Planted> {
      const change = async (by: number) => {
        await sql("update payment_attempts set amount_cents = amount_cents + $2 where id = $1", [id, by]);
        await misbook(id, provider, by);
      };
      await change(cents);
      return { kind: "amount_differs", provider, attemptId: id, mend: () => change(-cents) };
    },

    async currencyDiffers({ id, provider }: Paid): Promise<Planted> {
      await pool.query("alter table payment_attempts drop constraint if exists payment_attempts_currency_check");
      const change = (currency: string) =>
        sql("update payment_attempts set currency = $2 where id = $1", [id, currency]);
      await change("NZD");
      return { kind: "currency_differs", provider, attemptId: id, mend: () => change("AUD") };
    },

    /** Our books say something else than that it was paid, and the provider holds the money. */
    async paidThereAlone(
      { id, provider }: Paid,
      state: "failed" | "not_found" | "cancelled" | "unknown",
    ): Promise<Planted> {
      const { amount_cents } = (await findAttempt(database, id))!;
      await sql("update payment_attempts set state = $2, sent_at = created_at where id = $1", [id, state]);
      await misbook(id, provider, -amount_cents);
      const mend = async () => {
        await sql("update payment_attempts set state = 'succeeded', next_check_at = null where id = $1", [id]);
        await misbook(id, provider, amount_cents);
      };
      return { kind: "status_differs", provider, attemptId: id, mend };
    },

    /** A declined payment of ours that the bank accepts after all; the reconciler takes it in. */
    async acceptedLate(attemptId: string): Promise<Planted> {
      const { provider_transaction_id } = (await findAttempt(database, attemptId))!;
      await act("accept", provider_transaction_id!);
      const mend = () => services.payments.tick(clock.now());
      return { kind: "status_differs", provider: "payway", attemptId, mend };
    },

    /** A declined payment of ours that the books call paid, as if the provider had taken it back: the house follows. */
    async paidHereAlone(attemptId: string): Promise<Planted> {
      const { amount_cents } = (await findAttempt(database, attemptId))!;
      await sql("update payment_attempts set state = 'succeeded' where id = $1", [attemptId]);
      await misbook(attemptId, "payway", amount_cents);
      return { kind: "status_differs", provider: "payway", attemptId, mend: "house" };
    },

    /** Done in the provider's own pages, or by it: the house follows. */
    async doneThere({ id, provider, transactionId }: Paid, done: ExternalAct["do"]): Promise<Planted> {
      await act(done, transactionId);
      return { kind: "status_differs", provider, attemptId: id, mend: "house" };
    },

    async refundedThere({ id, provider, transactionId }: Paid, cents: number): Promise<Planted> {
      await act("refund", transactionId, cents);
      return { kind: "refund_without_request", provider, attemptId: id, mend: "house" };
    },

    async refundMissing({ id, provider, transactionId }: Paid, refundKind: "refund" | "void"): Promise<Planted> {
      const { amount_cents } = (await findAttempt(database, id))!;
      const back =
        refundKind === "void" ? { "donations:zakat": 10_000, fees: amount_cents - 10_000 } : { "donations:zakat": 700 };
      const cents = refundKind === "void" ? amount_cents : 700;
      const { refund } = await makeRefund(database, id, back, {
        kind: refundKind,
        settled_at: clock.now(),
        created_at: clock.now(),
        ...(refundKind === "void" ? { provider_transaction_id: transactionId } : {}),
      });
      const mend = async () => {
        await sql("update refunds set state = 'failed' where id = $1", [refund.id]);
        await sql("update payment_attempts set state = 'succeeded' where id = $1", [id]);
        await misbook(id, provider, cents, refund.id);
      };
      return { kind: "refund_missing", provider, attemptId: id, mend };
    },

    /** Of a payment with a refund that both sides have. */
    async refundAmountDiffers({ id, provider }: Paid, cents: number): Promise<Planted> {
      const { rows } = await sql("select id from refunds where attempt_id = $1 and state = 'succeeded'", [id]);
      const change = async (by: number) => {
        await sql("update refunds set amount_cents = amount_cents + $2 where id = $1", [rows[0].id, by]);
        await misbook(id, provider, -by, rows[0].id);
      };
      await change(cents);
      return { kind: "refund_amount_differs", provider, attemptId: id, mend: () => change(-cents) };
    },

    async ledgerDiffers({ id, provider }: Paid, cents: number, ofRefund = false): Promise<Planted> {
      const { rows } = await sql("select id from refunds where attempt_id = $1", [id]);
      const refundId = ofRefund ? rows[0].id : null;
      await misbook(id, provider, cents, refundId);
      return { kind: "ledger_differs", provider, attemptId: id, mend: () => misbook(id, provider, -cents, refundId) };
    },
  };
}
