import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { approveRefund, askForRefund, declineRefund, noteByHand, withdrawRefund } from "./refund-requests.ts";

let site: RefundSite;
type Person = Awaited<ReturnType<RefundSite["join"]>>;
let amina: Person;
let yusuf: Person;
let peter: Person;
beforeAll(async () => {
  site = await openRefundSite();
  amina = await site.join("treasurer");
  yusuf = await site.join("treasurer");
  peter = await site.join("administrator");
});
afterEach(async () => {
  await site.simulator.clearFaults();
  site.nextDay();
});
afterAll(() => site.close());

const ask = async (donationId: string, person: Person, changes = {}) =>
  askForRefund(site.services, await site.wanted(donationId, changes), person.actor);
const approve = (id: string, person: Person) => approveRefund(site.services, id, person.actor);
/** A request that waits: its requester has refunded another gift today. */
async function request(person = amina) {
  await ask(await site.gift(), person);
  const donationId = await site.gift();
  const { requestId, refund } = await ask(donationId, person);
  expect(refund).toBeNull();
  return { donationId, requestId };
}
const settle = (run: readonly Promise<unknown>[]) => Promise.allSettled(run);
const count = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "fulfilled").length;
const setStaff = (id: number, changes: object) =>
  site.database.updateTable("staff").set(changes).where("id", "=", id).execute();

test("RFD-1: the database refuses approval by the requester, a refund of nothing or of more than is left, and a second open request", async () => {
  const { donationId, requestId } = await request();
  const decide = (by: number, decision: string) =>
    site.pool.query("update refund_requests set decision = $2, decided_by = $3, decided_at = now() where id = $1", [
      requestId,
      decision,
      by,
    ]);
  await expect(decide(amina.id, "approved")).rejects.toThrow(/violates check constraint/);
  await expect(decide(amina.id, "declined")).rejects.toThrow("refund_requests_two_people");
  await expect(decide(yusuf.id, "withdrawn")).rejects.toThrow("refund_requests_one_person");
  await expect(decide(amina.id, "alone")).rejects.toThrow(/violates check constraint/);
  const insert = (amount: number, left = 10_658, values = "") =>
    site.pool.query(
      `insert into refund_requests (id, donation_id, amount_cents, reason, requested_by, requested_at, left_cents, limit_cents${values && ", decision, decided_by, decided_at, refund_id"})
       values ($1, $2, $3, 'x', $4, now(), $5, 5000${values})`,
      [randomUUID(), donationId, amount, amina.id, left],
    );
  await expect(insert(0)).rejects.toThrow("amount_cents_check");
  await expect(insert(-1)).rejects.toThrow("amount_cents_check");
  await expect(insert(101, 100)).rejects.toThrow(/violates check constraint/);
  await expect(insert(100)).rejects.toThrow("refund_requests_one_open");
  const [refund] = await site.refundsOf((await site.requestsOf(donationId))[0]!.donation_id!);
  expect(refund).toBeUndefined();
});

test("RFD-1: with a refund to link, the two-person constraint alone refuses the requester", async () => {
  const { donationId, requestId } = await request();
  const payment = await site.paymentOf(donationId);
  const facts = { attemptId: payment.id, amountCents: 10_658, requestKey: randomUUID(), reason: "" };
  const reply = await site.services.payments.refunds.request({ ...facts, requestedBy: "staff" });
  const refundId = reply.ok ? reply.refund.id : "";
  const decide = (by: number, decision = "approved", refund = refundId) =>
    site.pool.query(
      "update refund_requests set decision = $2, decided_by = $3, decided_at = now(), refund_id = $4 where id = $1",
      [requestId, decision, by, refund],
    );
  await expect(decide(amina.id)).rejects.toThrow("refund_requests_two_people");
  await expect(decide(yusuf.id, "alone")).rejects.toThrow("refund_requests_one_person");
  await site.pool.query("update refund_requests set reason = '' where id = $1", [requestId]);
  const { rows } = await site.pool.query("select id from refunds where id <> $1 limit 1", [refundId]);
  await expect(decide(yusuf.id, "approved", rows[0].id)).rejects.toThrow("is not what request");
  await expect(decide(yusuf.id)).resolves.toBeDefined();
});

test("RFD-1: a request can be neither changed nor removed, and its decision is written once", async () => {
  const { donationId, requestId } = await request();
  const run = (text: string) => site.pool.query(text.replace("ID", `'${requestId}'`));
  for (const change of ["amount_cents = 1", "reason = 'other'", "requested_by = requested_by + 1", "left_cents = 1"]) {
    await expect(run(`update refund_requests set ${change} where id = ID`), change).rejects.toThrow("append only");
  }
  await declineRefund(site.services, requestId, { actor: yusuf.actor, reason: "Not twice" });
  for (const change of ["decision = 'withdrawn', decided_by = requested_by", "decision_reason = 'other'"]) {
    await expect(run(`update refund_requests set ${change} where id = ID`), change).rejects.toThrow("append only");
  }
  await expect(run("delete from refund_requests where id = ID")).rejects.toThrow(/append only|permission denied/);
  await expect(run("truncate refund_requests")).rejects.toThrow(/append only|permission denied/);
  const [kept] = await site.requestsOf(donationId);
  expect(kept).toMatchObject({ decision: "declined", decision_reason: "Not twice", amount_cents: 10_658 });
});

test("RFD-2: up to the limit one person refunds immediately; their own refunds of the day in Sydney count, others' do not", async () => {
  const first = await site.gift();
  expect((await ask(first, amina)).refund).toMatchObject({ state: "succeeded", amount_cents: 10_658 });
  const second = await site.gift();
  expect((await ask(second, amina, { amountCents: 4343 })).refund).toBeNull();
  expect(await site.refundsOf(second)).toEqual([]);
  expect((await ask(await site.gift(), amina, { amountCents: 4342 })).refund).not.toBeNull();
  expect((await ask(await site.gift(), amina, { amountCents: 1 })).refund).toBeNull();
  expect((await ask(await site.gift(), yusuf)).refund).not.toBeNull();
  site.nextDay();
  expect((await ask(await site.gift(), amina)).refund).not.toBeNull();
  expect(await site.actsOf(first)).toEqual([`${amina.name}: refund.make`]);
  expect(await site.actsOf(second)).toEqual([`${amina.name}: refund.request`]);
});

test("RFD-2: with a limit of 0 even one cent needs two people", async () => {
  const services = { ...site.services, config: { ...site.config, refunds: { twoPeopleCents: 0 } } };
  const donationId = await site.gift();
  const { refund } = await askForRefund(services, await site.wanted(donationId, { amountCents: 1 }), amina.actor);
  expect(refund).toBeNull();
});

longTest("RFD-2: ten refunds that one person sends at the same time stay within the day's limit", async () => {
  const gifts = await Promise.all(Array.from({ length: 10 }, () => site.gift()));
  const wanted = await Promise.all(gifts.map((gift) => site.wanted(gift, { amountCents: 4000 })));
  const asked = await Promise.all(
    wanted.map((one, index) => askForRefund(index % 2 === 0 ? site.services : site.besides, one, amina.actor)),
  );
  expect(asked.filter(({ refund }) => refund !== null)).toHaveLength(3);
});

longTest(
  "RFD-3: 20 simultaneous approvals by three people over two pools make one refund, never by the requester's approval",
  async () => {
    for (let round = 0; round < 3; round += 1) {
      const { donationId, requestId } = await request();
      const results = await settle(
        Array.from({ length: 20 }, (_, index) =>
          approveRefund(
            index % 2 === 0 ? site.services : site.besides,
            requestId,
            [amina, yusuf, peter][index % 3]!.actor,
          ),
        ),
      );
      const refunds = await site.refundsOf(donationId);
      expect(refunds).toHaveLength(1);
      expect(refunds[0]).toMatchObject({ state: "succeeded", amount_cents: 10_658 });
      const [decided] = await site.requestsOf(donationId);
      expect(decided).toMatchObject({ decision: "approved", refund_id: refunds[0]!.id });
      expect([yusuf.id, peter.id]).toContain(decided!.decided_by);
      // If the approver repeats it, the same refund is returned; anybody else is refused.
      expect(count(results)).toBe(decided!.decided_by === yusuf.id ? 7 : 6);
      expect(results[0]).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringContaining("You requested") },
      });
      const name = decided!.decided_by === yusuf.id ? yusuf.name : peter.name;
      expect(await site.actsOf(donationId)).toEqual([`${amina.name}: refund.request`, `${name}: refund.approve`]);
      site.nextDay();
    }
  },
);

test("RFD-3: of simultaneous approving, declining and withdrawing exactly one happens", async () => {
  for (let round = 0; round < 4; round += 1) {
    const { donationId, requestId } = await request();
    const results = await settle([
      approveRefund(site.besides, requestId, yusuf.actor),
      declineRefund(site.services, requestId, { actor: peter.actor, reason: "No" }),
      withdrawRefund(site.besides, requestId, amina.actor),
    ]);
    expect(count(results)).toBe(1);
    const [decided] = await site.requestsOf(donationId);
    expect(await site.refundsOf(donationId)).toHaveLength(decided!.decision === "approved" ? 1 : 0);
    site.nextDay();
  }
});

test("RFD-4: a form that is sent again, even twenty times at the same moment, makes one refund or one request", async () => {
  const [alone, large] = [await site.gift(), await site.gift()];
  for (const [donationId, person] of [
    [alone, amina],
    [large, amina],
  ] as const) {
    const wanted = await site.wanted(donationId);
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        askForRefund(index % 2 === 0 ? site.services : site.besides, wanted, person.actor),
      ),
    );
    expect(new Set(asked.map(({ refund }) => refund?.id)).size).toBe(1);
    expect(await site.requestsOf(donationId)).toHaveLength(1);
    expect(await site.refundsOf(donationId)).toHaveLength(donationId === alone ? 1 : 0);
  }
  const sent = await site.wanted(large);
  const used = (await site.requestsOf(alone))[0]!.id;
  await expect(askForRefund(site.services, { ...sent, id: used }, amina.actor)).rejects.toThrow("already sent");
});

test("RFD-4: two tabs with separate forms refund once: the second form still has the amount that was left before the first", async () => {
  const donationId = await site.gift();
  const tabs = await Promise.all([1, 2, 3, 4].map(() => site.wanted(donationId, { amountCents: 1000 })));
  const results = await settle(tabs.map((tab) => askForRefund(site.services, tab, amina.actor)));
  expect(count(results)).toBe(1);
  expect(await site.refundsOf(donationId)).toHaveLength(1);
  const refused = results.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(refused.reason.message).toBe(
    "Another refund of this donation was made since this page was shown. $96.58 is left now. Please check the amount.",
  );
});

test("RFD-4: of simultaneous requests for one donation one is stored", async () => {
  await ask(await site.gift(), amina);
  await ask(await site.gift(), yusuf);
  const donationId = await site.gift();
  const forms = await Promise.all(Array.from({ length: 8 }, () => site.wanted(donationId)));
  const results = await settle(
    forms.map((form, index) => askForRefund(site.services, form, [amina, yusuf][index % 2]!.actor)),
  );
  expect(count(results)).toBe(1);
  expect(await site.requestsOf(donationId)).toHaveLength(1);
});

test("RFD-4: an amount above what is left, or a donation without a payment, is refused and nothing is written", async () => {
  const donationId = await site.gift();
  await expect(ask(donationId, amina, { amountCents: 10_659 })).rejects.toMatchObject({
    fields: { amount: ["Only $106.58 can still be refunded."] },
  });
  const wanted = await site.wanted(donationId);
  await expect(
    askForRefund(site.services, { ...wanted, of: { kind: "donation", id: randomUUID() } }, amina.actor),
  ).rejects.toThrow("has not been paid");
  await ask(donationId, amina);
  await expect(ask(donationId, yusuf, { amountCents: 1, leftCents: 1 })).rejects.toThrow("has been refunded");
  expect(await site.requestsOf(donationId)).toHaveLength(1);
});

test("RFD-5: an approval is refused if the money was refunded in another way, and the request still waits", async () => {
  const { donationId, requestId } = await request();
  const payment = await site.paymentOf(donationId);
  const facts = { attemptId: payment.id, amountCents: 100, requestKey: randomUUID(), reason: "" };
  await site.services.payments.refunds.request({ ...facts, requestedBy: "staff" });
  await expect(approve(requestId, yusuf)).rejects.toThrow(
    "Only $105.58 of this donation can still be refunded, because another refund was made in the meantime. Nothing was refunded.",
  );
  expect(await site.requestsOf(donationId)).toMatchObject([{ decision: null, refund_id: null }]);
});

test("RFD-5: a request alone changes nothing: payment, ledger and receipt stay as they are", async () => {
  const { donationId } = await request();
  expect(await site.paymentOf(donationId)).toMatchObject({ state: "succeeded" });
  const { rows } = await site.pool.query("select voided_at from receipts where donation_id = $1", [donationId]);
  expect(rows).toEqual([{ voided_at: null }]);
});

test("RFD-6: somebody who lost the role, or left, can neither request nor decide, and no longer counts as one of the two people", async () => {
  const leaver = await site.join("treasurer");
  const { requestId } = await request(leaver);
  await setStaff(leaver.id, { roles: ["auditor"] });
  await expect(ask(await site.gift(), leaver)).rejects.toThrow("You may no longer make refunds.");
  await expect(approve(requestId, yusuf)).rejects.toThrow(`${leaver.name} may no longer make refunds`);
  await setStaff(leaver.id, { roles: ["treasurer"] });
  const other = await site.join("treasurer");
  await setStaff(other.id, { state: "ended", ended_at: site.clock.now() });
  await expect(approve(requestId, other)).rejects.toThrow("You may no longer make refunds.");
  await expect(declineRefund(site.services, requestId, { actor: other.actor, reason: "x" })).rejects.toThrow(
    "no longer",
  );
  await expect(approve(requestId, yusuf)).resolves.toMatchObject({ refund: { state: "succeeded" } });
});

test("RFD-6: the requester withdraws but never declines, others decline but never withdraw", async () => {
  const { donationId, requestId } = await request();
  const decline = (person: Person) => declineRefund(site.services, requestId, { actor: person.actor, reason: "No" });
  await expect(decline(amina)).rejects.toThrow("someone else decides");
  await expect(withdrawRefund(site.services, requestId, yusuf.actor)).rejects.toThrow("Someone else requested");
  await expect(withdrawRefund(site.services, requestId, amina.actor)).resolves.toMatchObject({ decision: "withdrawn" });
  await expect(approve(requestId, yusuf)).rejects.toThrow("withdrawn in the meantime. Nothing was refunded.");
  expect((await ask(donationId, yusuf)).refund).toMatchObject({ state: "succeeded" });
});

test("RFD-7: if the process ends between approval and sending, the next tick sends the refund once", async () => {
  const { donationId, requestId } = await request();
  const dying = {
    ...site.services,
    payments: {
      ...site.services.payments,
      crash: () => {
        throw new Error("killed");
      },
    },
  };
  await expect(approveRefund(dying, requestId, yusuf.actor)).rejects.toThrow("killed");
  expect(await site.refundsOf(donationId)).toMatchObject([{ state: "requested", sends: 0 }]);
  await Promise.all([site.services.payments.tick(), site.services.payments.tick()]);
  expect(await site.refundsOf(donationId)).toMatchObject([{ state: "succeeded", sends: 1 }]);
  expect((await approve(requestId, yusuf)).refund).toMatchObject({ state: "succeeded" });
});

test("RFD-7: a failed refund is noted as dealt with once, by somebody who may make refunds", async () => {
  const donationId = await site.gift();
  const { refund } = await ask(donationId, amina, { amountCents: 1000 });
  const note = (person: Person) => noteByHand(site.services, refund!.id, { actor: person.actor, note: "By transfer" });
  await expect(note(amina)).rejects.toThrow("has not failed");
  await site.pool.query("update refunds set state = 'failed', next_check_at = null where id = $1", [refund!.id]);
  const auditor = await site.join("auditor");
  await expect(note(auditor)).rejects.toThrow("no longer");
  expect(count(await settle([note(amina), note(yusuf), note(peter)]))).toBe(1);
});
