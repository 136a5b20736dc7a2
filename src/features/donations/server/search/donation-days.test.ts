import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeManyDonations, makeRefund, makeUser } from "#database/factories.ts";
import { isPaid, type PaymentState } from "#payments/states.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { keepDonationDays } from "./donation-days.ts";
import { type DonationFilter, noFilter } from "./donation-filter.ts";
import { donationStates } from "./donation-states.ts";
import { sumDonations } from "./sum-donations.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const MINUTE = 60_000;
let clock = new Date("2026-11-26T02:00:00Z").getTime();
const keep = () => keepDonationDays({ database: db.database, now: () => new Date(clock) });

type Given = {
  donation: string;
  attempt: string;
  at: Date;
  funds: string[];
  method: "cc" | "pp";
  state: PaymentState;
  cents: number;
  refundedCents: number;
};
const book: Given[] = [];

async function writeEvent(attempt: string, state: PaymentState) {
  await db.pool.query(
    `insert into payment_events (attempt_id, to_state, event, actor, at) values ($1, $2, 'made', 'request', now())`,
    [attempt, state],
  );
}

async function give(at: string, state: PaymentState, cents: number, more: Partial<Given> = {}) {
  const { method = "cc", funds = ["zakat"] } = more;
  const created_at = new Date(at);
  const donation = await makeDonation(db.database, {
    donation: {
      method,
      created_at,
      subtotal_cents: cents - 200,
      total_cents: cents,
      admin_fee_cents: 150,
      merchant_fee_cents: 50,
    },
    line: {
      fund: funds[0]!,
      unit_cents: cents - 200,
      line_cents: cents - 200,
      admin_share_cents: 150,
      merchant_share_cents: 50,
    },
  });
  const attempt = await makeAttempt(db.database, donation, {
    state,
    amount_cents: cents,
    created_at,
    sent_at: created_at,
  });
  await writeEvent(attempt, state);
  const given: Given = { donation, attempt, at: created_at, funds, method, state, cents, refundedCents: 0 };
  book.push(given);
  return given;
}

async function settle(given: Given, state: PaymentState) {
  await db.pool.query("update payment_attempts set state = $2 where id = $1", [given.attempt, state]);
  await writeEvent(given.attempt, state);
  given.state = state;
}

async function refund(given: Given, cents: number) {
  const { attempt } = await makeRefund(db.database, given.attempt, { "donations:zakat": cents });
  given.refundedCents += cents;
  given.state = attempt.state;
}

/** As staff move it: the line, and two entries of the ledger. */
async function moveFund(given: Given, fund: string) {
  await db.pool.query("update donation_lines set fund = $2 where donation_id = $1", [given.donation, fund]);
  await db.pool.query(
    `insert into ledger_entries (transaction_id, attempt_id, account, amount_cents, at)
     select id, $1, account, cents, now() from gen_random_uuid() as id,
       (values ('donations:zakat', 5), ('donations:' || $2, -5)) as entry (account, cents)`,
    [given.attempt, fund],
  );
  given.funds = [fund];
}

function sumOfBook({ from, until, method, state, fund }: DonationFilter) {
  const found = book.filter(
    (one) =>
      (from === null || one.at >= from) &&
      (until === null || one.at < until) &&
      (method === null || one.method === method) &&
      (fund === null || one.funds.includes(fund)) &&
      (state === null || (donationStates[state].states as readonly PaymentState[]).includes(one.state)),
  );
  const paid = found.filter((one) => isPaid(one.state));
  const sum = (list: readonly Given[], of: (given: Given) => number) => list.reduce((all, one) => all + of(one), 0);
  return {
    count: found.length,
    givenCents: sum(paid, ({ cents }) => cents),
    feeCents: paid.length * 200,
    adminFeeCents: paid.length * 150,
    refundedCents: sum(found, ({ refundedCents }) => refundedCents),
    paidCount: paid.length,
  };
}

const filters: Partial<DonationFilter>[] = [
  {},
  { from: new Date("2025-07-01T00:00:00+10:00"), until: new Date("2026-07-01T00:00:00+10:00") },
  { from: new Date("2026-10-04T00:00:00+10:00"), until: new Date("2026-10-05T00:00:00+11:00") },
  { method: "pp" },
  { state: "paid" },
  { state: "refunded", fund: "zakat" },
  { state: "declined" },
  { fund: "ambulance", method: "cc" },
  { fund: "zakat" },
];

async function expectBook() {
  for (const filter of filters) {
    const whole = { ...noFilter, ...filter };
    expect(await sumDonations(db.database, whole, 0), JSON.stringify(filter)).toEqual(sumOfBook(whole));
  }
}

test("DESK-3: the sums from totals by day are those of the donations, whatever changed since they were counted", async () => {
  const early = await give("2025-06-30T13:59:59.999Z", "succeeded", 10_000);
  const late = await give("2025-06-30T14:00:00Z", "unknown", 20_000, { method: "pp" });
  // The day on which clocks in Sydney go forward has 23 hours.
  const short = await give("2026-10-03T14:00:00Z", "succeeded", 5000);
  await give("2026-10-04T12:59:59Z", "failed", 7000);
  await give("2026-11-26T01:00:00Z", "succeeded", 6000);
  await expectBook();
  await keep();
  await expectBook();

  await settle(late, "succeeded");
  await refund(early, 2500);
  await moveFund(short, "ambulance");
  await give("2026-11-26T02:30:00Z", "processing", 9000);
  await give("2026-02-01T00:00:00Z", "succeeded", 11_000, { funds: ["ambulance"] });
  await expectBook();
  await keep();
  await expectBook();
  await refund(early, 7500);
  await Promise.all([keep(), keep(), keep()]);
  await expectBook();
});

test("DESK-3: once a day, everything is counted again if donations are missing from the totals", async () => {
  await give("2024-01-01T00:00:00Z", "succeeded", 3000);
  await keep();
  // Later events than those that are read again each time.
  await db.pool.query("select setval(pg_get_serial_sequence('payment_events', 'id'), 100000)");
  await writeEvent(book[0]!.attempt, book[0]!.state);
  await keep();
  await db.pool.query("delete from donation_days where day = '2024-01-01'");
  await keep();
  const all = sumOfBook(noFilter);
  expect(await sumDonations(db.database, noFilter, 0)).toMatchObject({ count: all.count - 1 });
  clock += 24 * 60 * MINUTE;
  await keep();
  await expectBook();
  // Only the ledger mentions it.
  await moveFund(book[1]!, "ambulance");
  await expectBook();
  await keep();
  await expectBook();
});

test("DESK-3: more than 10,000 donations are added up too, if whole days are asked for", async () => {
  const { id } = await makeUser(db.database);
  await makeManyDonations(db.database, { userId: id, count: 10_050, until: new Date("2020-01-01T00:00:00Z") });
  clock += 24 * 60 * MINUTE;
  await keep();
  const until = new Date("2021-01-01T00:00:00Z");
  const sums = await sumDonations(db.database, { ...noFilter, until }, 0);
  expect(sums).toMatchObject({ count: 10_050, givenCents: 10_050 * 10_658, feeCents: 10_050 * 658, refundedCents: 0 });
  expect(await sumDonations(db.database, { ...noFilter, until, minCents: 1 }, 0)).toBe("many");
});
