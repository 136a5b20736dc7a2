import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createLog } from "#app/main.ts";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { type Attempt, findAttempt } from "#payments/attempts.ts";
import type { PaymentsContext } from "#payments/context.ts";
import { createCrash } from "#payments/crash-points.ts";
import { newReference } from "#payments/reference.ts";
import { refundEventOf } from "#payments/refunds/refund-states.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { createRefunds } from "#payments/refunds/refunds.ts";
import type { RequestedRefund } from "#payments/refunds/request-refund.ts";
import { settle, settlePayment } from "#payments/settle.ts";
import { eventOf, type PaymentState } from "#payments/states.ts";
import type { Posting, Subject } from "#payments/subject.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { createTestDatabase } from "./database.ts";
import { createScriptedBank, type RefundTurn } from "./scripted-bank.ts";

/** The subject's notifications, in order: 'refunded', or the reason of an alert. */
type Told = { readonly id: string; readonly what: string };

const usual: readonly Posting[] = [
  { account: "donations:zakat", cents: -10_000 },
  { account: "fees:admin", cents: -500 },
  { account: "fees:merchant", cents: -158 },
];

export type RefundFixture = Awaited<ReturnType<typeof openRefundFixture>>;

/** Refunds on a real database, with a scripted bank and a clock that tests move. */
export async function openRefundFixture() {
  const db = await createTestDatabase();
  const bank = createScriptedBank();
  const told: Told[] = [];
  const credits = new Map<string, readonly Posting[]>();
  const pools: { destroy(): Promise<void> }[] = [];
  const clock = { at: new Date("2026-11-21T01:00:00Z") };

  const subject: Subject = {
    settle: (connection, attempt, settling) => settlePayment(connection, settling, credits.get(attempt.id) ?? usual),
    settleRefused: async () => null,
    onFailed: async () => {},
    findUserId: async () => null,
    describePaid: async () => ({ message: "" }),
    findEmail: async () => undefined,
    onRefunded: async (_transaction, _attempt, refund) => void told.push({ id: refund.id, what: "refunded" }),
    onAlert: async (_connection, attempt, what) => void told.push({ id: attempt.id, what }),
    onRefundAlert: async (_connection, refund, what) => void told.push({ id: refund.id, what }),
  };

  const context: PaymentsContext = {
    database: db.database,
    providers: { payway: bank.provider, braintree: createScriptedBank({ name: "braintree" }).provider },
    circuits: { isOpen: async () => false, note: async () => {}, watch: async () => {}, tick: async () => {} },
    subject,
    settings: {
      tries: 2,
      leaseMs: 100_000,
      customerWaitMs: 2000,
      giveUpMs: 30_000,
      tickMs: 2000,
      crashPoint: undefined,
    },
    now: () => clock.at,
    log: createLog("silent"),
  };

  const refunds = createRefunds(context);
  const tick = () => refunds.tick(clock.at);
  const find = (id: string): Promise<Refund> =>
    db.database.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const requestFor = (attempt: Attempt, changes: Partial<RequestedRefund> = {}): RequestedRefund => ({
    attemptId: attempt.id,
    amountCents: null,
    requestKey: randomUUID(),
    requestedBy: "staff",
    reason: "asked for by the donor",
    ...changes,
  });

  return {
    bank,
    told,
    context,
    clock,
    pool: db.pool,
    database: db.database,
    refunds,
    tick,
    find,
    requestFor,
    /** The refunds of another process, with its own connections. */
    besides(crash = createCrash(undefined), changes: Partial<PaymentsContext> = {}) {
      const database = createDatabase(createPool(db.url, () => undefined));
      pools.push(database);
      return createRefunds({ ...context, database, ...changes }, crash);
    },
    advance(milliseconds: number) {
      clock.at = new Date(clock.at.getTime() + milliseconds);
    },
    /** A charged and settled payment with its ledger entries; $106.58 unless `postings` are given. */
    async takePayment(postings: readonly Posting[] = usual): Promise<Attempt> {
      const amount = -postings.reduce((sum, { cents }) => sum + cents, 0);
      const donationId = await makeDonation(db.database);
      const orderReference = newReference("P");
      const id = await makeAttempt(db.database, donationId, {
        amount_cents: amount,
        order_reference: orderReference,
        sent_at: clock.at,
        created_at: clock.at,
      });
      credits.set(id, postings);
      return settle(
        context,
        (await findAttempt(db.database, id))!,
        {
          kind: "succeeded",
          transactionId: bank.take(amount, orderReference),
          status: "approved",
          responseCode: "08",
          amountCents: amount,
          paidCents: amount,
          currency: "AUD",
          orderReference,
          raw: null,
        },
        { actor: "request", now: clock.at },
      );
    },
    /** A payment with a requested refund, and the bank's scripted answers to it. */
    async begin(amountCents: number | null, ...turns: RefundTurn[]) {
      const payment = await this.takePayment();
      return {
        payment,
        refund: await this.ask(payment, amountCents, ...turns),
        chargeId: payment.provider_transaction_id!,
      };
    },
    /** A requested refund, with the bank's scripted answers. */
    async ask(payment: Attempt, amountCents: number | null, ...turns: RefundTurn[]): Promise<Refund> {
      const reply = await refunds.request(requestFor(payment, { amountCents }));
      if (!reply.ok) throw new Error(reply.problem);
      bank.script(...turns);
      return reply.refund;
    },
    /** The same, and sent. */
    async send(payment: Attempt, amountCents: number | null, ...turns: RefundTurn[]): Promise<Refund> {
      const refund = await this.ask(payment, amountCents, ...turns);
      await tick();
      return refund;
    },
    /** Moves the clock and ticks until the refund is in a state; fails if it never is. */
    async until({ id }: Refund, state: Refund["state"], { stepMs = 6000, steps = 40 } = {}): Promise<Refund> {
      for (let step = 0; step < steps && (await find(id)).state !== state; step += 1) {
        this.advance(stepMs);
        await tick();
      }
      const refund = await find(id);
      expect(refund.state).toBe(state);
      return refund;
    },
    stateOf: async (attempt: Attempt) => (await findAttempt(db.database, attempt.id))!.state,
    refundsOf: (attempt: Attempt): Promise<Refund[]> =>
      db.database
        .selectFrom("refunds")
        .selectAll()
        .where("attempt_id", "=", attempt.id)
        .orderBy("created_at")
        .orderBy("amount_cents")
        .execute(),
    noticesOf: (id: string) => told.filter((entry) => entry.id === id).map(({ what }) => what),
    /** The cents of a payment in each account. */
    async ledgerOf(attempt: Attempt): Promise<Record<string, number>> {
      const { rows } = await db.pool.query<{ account: string; cents: number }>(
        "select account, sum(amount_cents)::bigint as cents from ledger_entries where attempt_id = $1 group by account order by account",
        [attempt.id],
      );
      return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
    },
    /** Checks what must always hold for a payment. */
    async check(attempt: Attempt) {
      const ledger = await this.ledgerOf(attempt);
      const refunds = await this.refundsOf(attempt);
      const made = refunds.filter(({ state }) => state === "succeeded");
      const returned = made.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
      const kept = attempt.amount_cents - returned;
      const { [`receivable:${attempt.provider}`]: receivable = 0, ...accounts } = ledger;
      expect(receivable).toBe(kept);
      expect(Object.values(accounts).reduce((sum, cents) => sum + cents, kept)).toBe(0);
      expect(Object.values(accounts).every((cents) => cents <= 0)).toBe(true);
      const state = await this.stateOf(attempt);
      if (state !== "disputed") {
        const expected = kept === 0 ? ["refunded"] : returned > 0 ? ["partially_refunded"] : ["succeeded"];
        expect(expected).toContain(state);
      }
      for (const { id } of made) expect(this.noticesOf(id).filter((what) => what === "refunded")).toHaveLength(1);
      await expectLegalHistories(db.pool, attempt);
      return { kept, made };
    },
    async stop() {
      for (const pool of pools) await pool.destroy();
      await db.stop();
    },
  };
}

type Queryable = { query(text: string, values: unknown[]): Promise<{ rows: Record<string, string | number>[] }> };

/** Replays the events of a payment and its refunds from the start to their states, along the allowed moves. */
async function expectLegalHistories(pool: Queryable, attempt: Attempt) {
  const { rows: refunds } = await pool.query("select id, state, state_version from refunds where attempt_id = $1", [
    attempt.id,
  ]);
  for (const refund of refunds) {
    const { rows } = await pool.query("select * from refund_events where refund_id = $1 order by id", [refund.id]);
    let at: string | null = null;
    for (const { from_state, to_state, event } of rows) {
      expect(from_state).toBe(at);
      if (at !== null) expect(refundEventOf(at as "requested", to_state as "requested")).toBe(event);
      at = String(to_state);
    }
    expect(at).toBe(refund.state);
    expect(rows).toHaveLength(Number(refund.state_version));
  }
  const { rows } = await pool.query("select * from payment_events where attempt_id = $1 order by id", [attempt.id]);
  for (const { from_state, to_state, event } of rows) {
    expect(eventOf(from_state as PaymentState, to_state as PaymentState)).toBe(event);
  }
}
