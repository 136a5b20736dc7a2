import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countMessages, stopClock } from "#test/count-messages.ts";
import { newKey, openTestSite, type TestSite, type Visitor, wirePayment } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const findPayment = async (visitor: Visitor, id: string) => (await visitor.ask({ url: `/api/payments/${id}` })).json();

async function refund(attemptId: string, amountCents: number | null) {
  const { refunds } = site.services.payments;
  const requested = { attemptId, amountCents, requestKey: randomUUID(), requestedBy: "staff", reason: "" } as const;
  const reply = await refunds.request(requested);
  if (!reply.ok) throw new Error(reply.problem);
  expect((await refunds.run(reply.refund.id)).state).toBe("succeeded");
}

test("PERF-12: a donation behind many paid ones takes no more messages to the database than the first", async () => {
  const visitor = await site.visitor();
  stopClock();
  for (let time = 0; time < 8; time += 1) await site.give(visitor, { changes: { repeat: true } });
  const body = wirePayment(await site.cardToken(), await visitor.solveCaptcha(), { repeat: true });
  expect(await countMessages(() => visitor.post("/api/payway-payment", body, newKey()))).toBe(3);
});

test.each(["card", "PayPal"] as const)(
  "API-13: a refund of a payment by %s is explained, and the receipt of what is kept stays available",
  async (way) => {
    const visitor = await site.visitor();
    const { answer } = await (way === "card" ? site.give(visitor) : site.givePayPal(visitor));
    await site.simulator.advance(25 * 3_600_000);
    await refund(answer.data.id, 5000);
    const part = await findPayment(visitor, answer.data.id);
    expect(part).toMatchObject({ status: "true", message: "$50.00 of this payment has been refunded." });
    expect(part.data).toMatchObject({ state: "refunded", message: part.message, reference: answer.data.reference });
    expect((await site.app.inject(part.data.receiptUrl)).statusCode).toBe(200);
    await refund(answer.data.id, null);
    const { data } = await findPayment(visitor, answer.data.id);
    expect(data).toEqual({ id: answer.data.id, state: "refunded", message: "This payment has been refunded." });
  },
);
