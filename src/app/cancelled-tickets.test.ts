import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSite, type TestSite } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { sendEmails } from "./emails.ts";
import { startScheduledTasks } from "./scheduled-tasks.ts";

const hour = 3_600_000;
/** When the test gives up; not a limit for the site. */
const patient = { timeout: 60_000 };

// The site's own scheduled tasks and jobs do everything here; the tests only move the clocks.
let site: TestSite;
let stopScheduledTasks: () => void;
beforeAll(async () => {
  site = await openTestSite({ SETTLE_TICK_MS: "100", LIMITS_TICKET_HOLDS: "1000" });
  await site.services.jobs.work("emails", sendEmails(site.services));
  stopScheduledTasks = startScheduledTasks(site.services);
});
afterAll(async () => {
  stopScheduledTasks();
  await site.close();
});

async function pass(milliseconds: number) {
  site.clock.advance(milliseconds);
  await site.simulator.advance(milliseconds);
}

async function subjects(): Promise<string[]> {
  const { rows } = await site.pool.query("select subject from mailbox_messages order by id");
  return rows.map(({ subject }) => subject);
}

/** How many refunds were requested from the provider too early. */
async function putOff(): Promise<number | null> {
  const asked = "select 1 from refunds where state = 'requested' and provider_status is not null";
  return (await site.pool.query(asked)).rowCount;
}

async function book(payPal = false) {
  await site.pool.query("truncate mailbox_messages");
  const event = await makeTicketedEvent(site.database);
  const buyer = createBuyer(site, await site.visitor());
  const { data: order } = await buyer.hold(event.slug, [{ type: "standard", quantity: 2 }]);
  await buyer.pay(order, { payPal });
  const read = async () => (await buyer.find(order)).data;
  return { order, read, buyer, tickets: ((await read()).tickets as { id: string }[]).map(({ id }) => id) };
}

test.each([
  ["card", false],
  ["PayPal", true],
] as const)(
  "TIC-8: a partial refund that waits for settlement is paid to the %s automatically, when the page says, with an email before and after",
  async (_, payPal) => {
    const { order, read, buyer, tickets } = await book(payPal);
    const { data } = await buyer.cancel(order, [tickets[0]!]);
    expect(data.refunds).toEqual([
      expect.objectContaining({ amount: 50, state: "waiting", paidAt: null, isSecondPayment: false }),
    ]);
    const expectedBy = Date.parse(data.refunds[0].expectedBy);
    await expect.poll(subjects, patient).toContain("We are refunding $50.00 for your tickets");
    await expect.poll(putOff, patient).toBe(1);
    await pass(20 * hour);
    expect((await read()).refunds[0]).toMatchObject({
      state: "waiting",
      expectedBy: new Date(expectedBy).toISOString(),
    });
    // Settled now; the next hourly try pays it.
    await pass(5 * hour);
    await expect.poll(async () => (await read()).refunds[0].state, patient).toBe("paid");
    const [refund] = (await read()).refunds;
    expect(Date.parse(refund.paidAt)).toBeLessThanOrEqual(expectedBy);
    expect((await read()).refunded).toBe(50);
    await expect.poll(subjects, patient).toContain("We have refunded $50.00 for your tickets");
    const { rows } = await site.pool.query(
      "select text_body from mailbox_messages where subject like 'We are refunding $50.00%'",
    );
    expect(rows[0].text_body).toContain("takes about a day. We then pay it automatically, by");
    expect(rows[0].text_body).toContain("We will email you again when it is paid.");
  },
  180_000,
);

test("TIC-8: when all tickets are cancelled, the refund is made immediately and automatically, with an email", async () => {
  const { order, read, buyer, tickets } = await book();
  await buyer.cancel(order, tickets);
  await expect.poll(async () => (await read()).refunds[0].state, patient).toBe("paid");
  expect(await read()).toMatchObject({ state: "cancelled", refunded: 100 });
  await expect.poll(subjects, patient).toContain("We have refunded your tickets: $100.00");
});
