import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { freeLapsedHolds } from "#features/tickets/server/hold/lapsed-holds.ts";
import { forgetOldCaptchaUses } from "#shared/captcha/captcha.ts";
import { forgetOldCounts } from "#shared/limits/count.ts";
import { createSteadyClock } from "#shared/steady-clock.ts";
import { testCards } from "#simulators/control.ts";
import { startSimulators } from "#simulators/start.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { openMember } from "#test/member.ts";
import { newKey, openTestSite, type TestSite, wirePayment } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

const hour = 3_600_000;
const MachineDate = globalThis.Date;
let shift = 0;

/** The machine's clock, as this process reads it. */
class JumpingDate extends MachineDate {
  constructor(given: number | string | Date = JumpingDate.now()) {
    super(given);
  }
  static override now() {
    return MachineDate.now() + shift;
  }
}

let site: TestSite;
beforeAll(async () => {
  globalThis.Date = JumpingDate as DateConstructor;
  const now = createSteadyClock(
    () => Date.now(),
    () => performance.now(),
  );
  const openBank = (dataDir: string) => startSimulators({ port: 0, dataDir });
  const environment = { CUSTOMER_WAIT_MS: "300", PROVIDER_TIMEOUT_MS: "20000", LIMITS_DECLINES: "2" };
  site = await openTestSite(environment, { now, openBank });
  await site.services.jobs.work("emails", sendEmails(site.services));
});
afterAll(async () => {
  globalThis.Date = MachineDate;
  await site.close();
});

/** Runs what the site runs every two seconds, and every hour. */
async function tick() {
  const { payments, circuits, database, sessions, now } = site.services;
  await payments.tick();
  await circuits.tick(now());
  await freeLapsedHolds(database, now());
  await forgetOldCaptchaUses(database, now());
  await forgetOldCounts(database, now());
  await sessions.forgetOld();
}

const listReceiptEmails = async (email: string) =>
  (
    await site.database
      .selectFrom("mailbox_messages")
      .select("subject")
      .where("recipient", "=", email)
      .where("subject", "like", "%eceipt%")
      .execute()
  ).length;

test.each([1, -1])(
  "REL-10: when the server's clock jumps by %d h, nothing ends early or late, and no payment, email or receipt is made twice or lost",
  async (hours) => {
    const name = hours > 0 ? "forward" : "back";
    const donorEmail = `${name}@donors.example`;
    const member = await openMember(site, { email: `${name}@members.example` });
    const visitor = await site.visitor("203.0.113.30");
    const buyer = createBuyer(site, await site.visitor("203.0.113.31"));
    const event = await makeTicketedEvent(site.database);
    const { data: held } = await buyer.hold(event.slug, [{ type: "standard", quantity: 1 }]);
    const captcha = await visitor.solveCaptcha();
    const declined = await site.visitor(hours > 0 ? "203.0.113.32" : "203.0.113.33");
    const stranger = { donor_email: `${name}@strangers.example`, donorEmail: `${name}@strangers.example` };
    for (let nth = 0; nth < 3; nth += 1) await site.give(declined, { card: testCards.declined, changes: stranger });
    const paid = await site.give(visitor, { changes: { donor_email: donorEmail, donorEmail } });
    await site.simulator.installFault({ match: { op: "charge" }, do: "slow", ms: 4000, times: 1 });
    const waiting = await site.give(visitor, { changes: { repeat: true } });
    expect(waiting.answer.data.state).toBe("processing");

    shift = hours * hour;
    await tick();
    await tick();

    // A payment that is being charged is left to the process charging it.
    expect(await stateOf(waiting.key)).toBe("submitting");
    expect((await member.visitor.ask({ url: "/api/sessions" })).statusCode, "session").toBe(200);
    expect((await buyer.find(held)).data.state, "hold").toBe("held");
    await untilPaid((await buyer.pay(held)).key, "tickets");
    const again = await visitor.post("/api/payway-payment", paid.body, paid.key);
    expect(again.data.id, "the same key").toBe(paid.answer.data.id);
    const token = await site.cardToken();
    const later = newKey();
    await visitor.post("/api/payway-payment", wirePayment(token, captcha, { repeat: true }), later);
    await untilPaid(later, "a captcha that was solved before");
    const { answer: refused } = await site.give(declined, { changes: stranger });
    expect(refused).toMatchObject({ code: "429" });
    expect(refused.data?.retryAfterSeconds ?? 900, "the wait is as long as before").toBeLessThanOrEqual(900);

    await untilPaid(waiting.key, "the payment under way");
    shift = 0;
    await tick();
    await expect.poll(() => listReceiptEmails(donorEmail)).toBe(1);
    const { rows } = await site.pool.query(
      "select count(*)::int as receipts, count(distinct donation_id)::int as donations, max(number) - min(number) + 1 as span from receipts",
    );
    expect(rows[0].receipts).toBe(rows[0].donations);
    expect(rows[0].receipts).toBe(Number(rows[0].span));
    await expectBooksAgree(site);
  },
);

/** A customer waits 300 ms here; a payment on a busy machine may take longer. */
function untilPaid(key: { "idempotency-key": string }, what: string) {
  return expect.poll(() => stateOf(key), { message: what }).toBe("succeeded");
}

async function stateOf(key: { "idempotency-key": string }): Promise<string | undefined> {
  const { rows } = await site.pool.query("select state from payment_attempts where client_key = $1", [
    key["idempotency-key"],
  ]);
  return rows[0]?.state;
}
