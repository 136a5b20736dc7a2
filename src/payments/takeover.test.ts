import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "#app/main.ts";
import { makeDonation } from "#database/factories.ts";
import { createPool } from "#shared/database/connect.ts";
import { holdPresence, listAbsentOwners, newProcessId } from "#shared/database/process-presence.ts";
import { watchDatabase } from "#shared/database/watch-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createScriptedBank } from "#test/scripted-bank.ts";
import { type Attempt, findAttempt } from "./attempts.ts";
import type { PaymentsContext } from "./context.ts";
import { nextStep } from "./decide.ts";
import { createPayments } from "./payments.ts";
import type { Charge, ChargeOutcome, Provider } from "./provider.ts";
import { settlePayment } from "./settle.ts";

const cents = 10_658;
const minute = 60_000;
let db: TestDatabase;
const connections: pg.Client[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  for (const connection of connections) await connection.end();
  await db.stop();
});

/** A bank that charges a key once, when told to answer, and shows its books immediately. */
function createSlowBank() {
  const calls: Charge[] = [];
  const charged = new Map<string, ChargeOutcome>();
  const waiting: ((charges: boolean) => void)[] = [];
  const provider: Provider = {
    ...createScriptedBank().provider,
    async charge(charge) {
      calls.push(charge);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.push(resolve);
      if (!(await promise)) return { kind: "unknown", reason: "no answer", mayResend: true };
      const { amountCents, currency, orderReference } = charge;
      const outcome = charged.get(charge.idempotencyKey) ?? {
        kind: "succeeded" as const,
        transactionId: randomUUID(),
        status: "approved",
        responseCode: "00",
        amountCents,
        paidCents: amountCents,
        currency,
        orderReference,
        raw: null,
      };
      charged.set(charge.idempotencyKey, outcome);
      return outcome;
    },
    findByOrderReference: async (orderReference) => ({
      outcomes: [...charged.values()].filter((one) => "orderReference" in one && one.orderReference === orderReference),
      isAuthoritative: true,
    }),
  };
  return {
    provider,
    calls,
    charged,
    /** Ends the longest waiting call: charged, or its answer lost with nothing charged. */
    answer: (charges = true) => waiting.shift()?.(charges),
  };
}

function open(bank: ReturnType<typeof createSlowBank>) {
  const clock = { at: new Date("2026-11-22T01:00:00Z") };
  const context: Omit<PaymentsContext, "processId"> = {
    database: db.database,
    providers: { payway: bank.provider, braintree: bank.provider },
    circuits: { isOpen: async () => false, note: async () => {}, watch: async () => {}, tick: async () => {} },
    subject: {
      settle: (connection, _, settling) =>
        settlePayment(connection, settling, [{ account: "donations:zakat", cents: -cents }]),
      settleRefused: async () => null,
      onFailed: async () => {},
      findUserId: async () => null,
      describePaid: async () => ({ message: "" }),
      findEmail: async () => undefined,
      onRefunded: async () => {},
      onAlert: async () => {},
      onRefundAlert: async () => {},
    },
    settings: {
      tries: 2,
      leaseMs: 160_000,
      customerWaitMs: 10,
      giveUpMs: 30_000,
      tickMs: 2000,
      crashPoint: undefined,
    },
    now: () => clock.at,
    log: createLog("silent"),
  };
  return {
    clock,
    context,
    begin: (processId: number, now = context.now) => createPayments({ ...context, processId, now }),
  };
}

async function submit(payments: ReturnType<typeof createPayments>): Promise<Attempt> {
  const id = await makeDonation(db.database);
  const submitted = await payments.submit(
    {
      subject: { kind: "donation", id },
      provider: "payway",
      clientKey: randomUUID(),
      requestHash: Buffer.from("request"),
      instrument: randomUUID(),
      amountCents: cents,
      customerIpAddress: "203.0.113.9",
      authentication: null,
    },
    { statement: (payment) => sql`select * from record_payment(${payment})` },
  );
  submitted!.charged?.catch(() => undefined);
  return submitted!.attempt;
}

const stateOf = async ({ id }: Attempt) => (await findAttempt(db.database, id))!.state;

/** A process with a visible presence, until its connection ends. */
async function appear(): Promise<{ processId: number; connection: pg.Client }> {
  const connection = new pg.Client({ connectionString: db.url });
  await connection.connect();
  connections.push(connection);
  const processId = newProcessId();
  await holdPresence(connection, processId);
  return { processId, connection };
}

/** A process that has lost its connection, and still waits for its answers. */
const disappeared = newProcessId;

test("REL-8: a live process keeps its payment, and a dead one's payment is looked up at the second check", async () => {
  const bank = createSlowBank();
  const { begin, clock } = open(bank);
  const { processId, connection } = await appear();
  const attempt = await submit(begin(processId));
  const other = begin((await appear()).processId);
  for (const _ of [1, 2, 3]) await other.tick(clock.at);
  expect(await stateOf(attempt)).toBe("submitting");
  bank.charged.set("booked, and its answer never heard", {
    kind: "succeeded",
    transactionId: randomUUID(),
    status: "approved",
    responseCode: "00",
    raw: null,
    amountCents: cents,
    paidCents: cents,
    currency: "AUD",
    orderReference: attempt.order_reference,
  });
  await connection.end();
  await expect.poll(() => listAbsentOwners(db.database)).toContain(processId);
  await other.tick(clock.at);
  expect(await stateOf(attempt), "it may be connecting again").toBe("submitting");
  await other.tick(clock.at);
  expect(await stateOf(attempt)).toBe("succeeded");
  expect(bank.calls).toHaveLength(1);
});

test("REL-8: an answer to a live process whose payment was taken over is booked, and the payment charged once", async () => {
  const bank = createSlowBank();
  const { begin, clock } = open(bank);
  const one = begin(disappeared());
  const attempt = await submit(one);
  const other = begin((await appear()).processId);
  await other.tick(clock.at);
  await other.tick(clock.at);
  expect(await stateOf(attempt)).toBe("unknown");
  bank.answer();
  await one.finish();
  expect(await stateOf(attempt)).toBe("succeeded");
  expect(bank.calls).toHaveLength(1);
  const { rows } = await db.pool.query("select event from payment_events where attempt_id = $1 order by id", [
    attempt.id,
  ]);
  expect(rows.map(({ event }) => event)).toEqual(["submission_started", "answer_lost", "charge_found"]);
  const entries = await db.pool.query("select count(*) from ledger_entries where attempt_id = $1", [attempt.id]);
  expect(entries.rows[0].count).toBe(2);
});

test("REL-8: after a takeover only one of the two processes sends again, with the same key, and it is charged once", async () => {
  const bank = createSlowBank();
  const { begin, clock } = open(bank);
  const one = begin(disappeared());
  const attempt = await submit(one);
  const other = begin((await appear()).processId);
  await other.tick(clock.at);
  await other.tick(clock.at);
  bank.answer(false);
  await one.finish();
  expect(bank.calls, "the first process leaves the second sending to whoever took over").toHaveLength(1);
  clock.at = new Date(clock.at.getTime() + 6000);
  const sending = other.tick(clock.at);
  await expect.poll(() => bank.calls.length).toBe(2);
  bank.answer();
  await sending;
  expect(await stateOf(attempt)).toBe("succeeded");
  expect(new Set(bank.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect(bank.charged.size).toBe(1);
});

test("REL-8: a process that was held up before it sent asks first whether the payment is still its own", async () => {
  const bank = createSlowBank();
  const { begin, clock } = open(bank);
  const one = begin(newProcessId(), () => {
    const at = clock.at;
    clock.at = new Date(at.getTime() + 1500);
    return at;
  });
  const attempt = await submit(one);
  await expect.poll(() => bank.calls.length).toBe(1);
  bank.answer();
  await one.finish();
  expect(await findAttempt(db.database, attempt.id)).toMatchObject({ state: "succeeded", sends: 2 });
  expect(bank.calls).toHaveLength(1);
});

test("REL-14: an answer that could not be recorded is found again at the next tick, long before the lease expires", async () => {
  const bank = createSlowBank();
  const { context, clock } = open(bank);
  let isAway = true;
  const settle: PaymentsContext["subject"]["settle"] = (...args) => {
    if (isAway) throw Object.assign(new Error("The database does not answer"), { code: "08006" });
    return context.subject.settle(...args);
  };
  const { processId } = await appear();
  const payments = createPayments({ ...context, processId, subject: { ...context.subject, settle } });
  const [attempt, waiting] = [await submit(payments), await submit(payments)];
  bank.answer();
  await expect.poll(() => bank.charged.size).toBe(1);
  await expect.poll(() => payments.tick(clock.at).then(() => stateOf(attempt))).toBe("unknown");
  isAway = false;
  clock.at = new Date(clock.at.getTime() + 10_000);
  await payments.tick(clock.at);
  expect(await stateOf(attempt)).toBe("succeeded");
  expect(await stateOf(waiting), "the bank has not answered this one yet").toBe("submitting");
  bank.answer();
  await payments.finish();
  expect([await stateOf(waiting), bank.calls.length]).toEqual(["succeeded", 2]);
});

test("REL-8: a payment that was taken over is not given up before its lease expires", () => {
  const sent_at = new Date("2026-11-22T01:00:00Z");
  const at = (milliseconds: number) => new Date(sent_at.getTime() + milliseconds);
  const lost = { state: "unknown", checks: 4, sent_at } as const;
  const step = (lease_until: Date | null, milliseconds: number) =>
    nextStep(
      { ...lost, lease_until },
      { outcomes: [], isAuthoritative: true },
      { now: at(milliseconds), giveUpMs: 30_000 },
    );
  expect(step(null, 30_000).isGivenUp).toBe(true);
  expect(step(at(2 * minute), 2 * minute - 1).isGivenUp).toBe(false);
  expect(step(at(2 * minute), 2 * minute).isGivenUp).toBe(true);
});

test("REL-8: the connection that watches the database holds the process's presence, again after it was cut", async () => {
  const processId = newProcessId();
  const pool = createPool(db.url, () => undefined);
  const watch = watchDatabase(db.url, pool, processId);
  const holders = async () =>
    (await db.pool.query("select pid from pg_locks where locktype = 'advisory' and objid = $1", [processId])).rows;
  await watch.ready;
  const before = await holders();
  expect(before).toHaveLength(1);
  await db.pool.query("select pg_terminate_backend($1)", [before[0].pid]);
  await expect.poll(async () => (await holders()).map(({ pid }) => pid !== before[0].pid)).toEqual([true]);
  await watch.stop();
  await pool.end();
  await expect.poll(holders).toEqual([]);
});
