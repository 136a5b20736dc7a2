import { randomUUID } from "node:crypto";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { findAttempt } from "#payments/attempts.ts";
import type { FindingKind } from "#payments/reconciliation/compare.ts";
import { customerOfDay, newReference } from "#payments/reference.ts";
import { postToLedger } from "#payments/settle.ts";
import type { ProviderName } from "#payments/tables.ts";
import { dayInSydney } from "#shared/language.ts";
import { createNonce } from "#simulators/control.ts";
import type { ExternalAct } from "#simulators/provider-part.ts";
import type { TestSite } from "../site.ts";

/** A planted difference and its cure; `site` if the site itself corrects it. */
export type Planted = {
  readonly kind: FindingKind;
  readonly provider: ProviderName;
  /** Empty if there is none. */
  readonly attemptId: string;
  readonly mend: "site" | (() => Promise<unknown>);
};

/** A payment on both sides' books. */
export type ProviderPayment = { readonly id: string; readonly provider: ProviderName; readonly transactionId: string };

/** Every way to make the two sides differ, with its cure. */
export function createPlanter(site: TestSite) {
  const { database, pool, services, simulator, clock } = site;
  const sql = (text: string, values: unknown[]) => pool.query(text, values);

  /** Moves only the receivable, as a stray ledger row would. */
  const misbook = (attemptId: string, provider: ProviderName, cents: number, refundId: string | null = null) =>
    database.transaction().execute((transaction) =>
      postToLedger(
        transaction,
        { attemptId, refundId },
        [
          { account: `receivable:${provider}`, cents },
          { account: "donations:zakat", cents: -cents },
        ],
        clock.now(),
      ),
    );

  /** Charges at the provider behind the site's back. */
  async function charge(provider: ProviderName, orderReference: string, amountCents: number): Promise<string> {
    const instrument = provider === "payway" ? await site.cardToken() : await createNonce(simulator.url);
    const outcome = await services.providers[provider].charge({
      instrument,
      amountCents,
      currency: "AUD",
      orderReference,
      idempotencyKey: randomUUID(),
      customerReference: customerOfDay(dayInSydney(clock.now())),
      customerIpAddress: "203.0.113.9",
      isAuthenticated: false,
    });
    if (outcome.kind !== "succeeded") throw new Error(`The planted charge failed: ${JSON.stringify(outcome)}`);
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

    async chargedTwice({ id, provider }: ProviderPayment): Promise<Planted> {
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

    async amountDiffers({ id, provider }: ProviderPayment, cents: number): Promise<Planted> {
      const change = async (by: number) => {
        await sql("update payment_attempts set amount_cents = amount_cents + $2 where id = $1", [id, by]);
        await misbook(id, provider, by);
      };
      await change(cents);
      return { kind: "amount_differs", provider, attemptId: id, mend: () => change(-cents) };
    },

    async currencyDiffers({ id, provider }: ProviderPayment): Promise<Planted> {
      await pool.query("alter table payment_attempts drop constraint if exists payment_attempts_currency_check");
      const change = (currency: string) =>
        sql("update payment_attempts set currency = $2 where id = $1", [id, currency]);
      await change("NZD");
      return { kind: "currency_differs", provider, attemptId: id, mend: () => change("AUD") };
    },

    /** The provider holds the money, but our books do not say that it was paid. */
    async paidThereAlone(
      { id, provider }: ProviderPayment,
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

    /** A declined payment that the bank accepts after all; the reconciler records it. */
    async acceptedLate(attemptId: string): Promise<Planted> {
      const { provider_transaction_id } = (await findAttempt(database, attemptId))!;
      await act("accept", provider_transaction_id!);
      const mend = () => services.payments.tick(clock.now());
      return { kind: "status_differs", provider: "payway", attemptId, mend };
    },

    /** A declined payment that our books call paid, as if the provider had reversed it: the site follows. */
    async paidHereAlone(attemptId: string): Promise<Planted> {
      const { amount_cents } = (await findAttempt(database, attemptId))!;
      await sql("update payment_attempts set state = 'succeeded' where id = $1", [attemptId]);
      await misbook(attemptId, "payway", amount_cents);
      return { kind: "status_differs", provider: "payway", attemptId, mend: "site" };
    },

    /** Done by the provider, or by staff on its pages: the site follows. */
    async doneThere({ id, provider, transactionId }: ProviderPayment, done: ExternalAct["do"]): Promise<Planted> {
      await act(done, transactionId);
      return { kind: "status_differs", provider, attemptId: id, mend: "site" };
    },

    async refundedThere({ id, provider, transactionId }: ProviderPayment, cents: number): Promise<Planted> {
      await act("refund", transactionId, cents);
      return { kind: "refund_without_request", provider, attemptId: id, mend: "site" };
    },

    async refundMissing(
      { id, provider, transactionId }: ProviderPayment,
      refundKind: "refund" | "void",
    ): Promise<Planted> {
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

    /** For a payment whose refund is on both sides' books. */
    async refundAmountDiffers({ id, provider }: ProviderPayment, cents: number): Promise<Planted> {
      const { rows } = await sql("select id from refunds where attempt_id = $1 and state = 'succeeded'", [id]);
      const change = async (by: number) => {
        await sql("update refunds set amount_cents = amount_cents + $2 where id = $1", [rows[0].id, by]);
        await misbook(id, provider, -by, rows[0].id);
      };
      await change(cents);
      return { kind: "refund_amount_differs", provider, attemptId: id, mend: () => change(-cents) };
    },

    async ledgerDiffers({ id, provider }: ProviderPayment, cents: number, ofRefund = false): Promise<Planted> {
      const { rows } = await sql("select id from refunds where attempt_id = $1", [id]);
      const refundId = ofRefund ? rows[0].id : null;
      await misbook(id, provider, cents, refundId);
      return { kind: "ledger_differs", provider, attemptId: id, mend: () => misbook(id, provider, -cents, refundId) };
    },
  };
}
