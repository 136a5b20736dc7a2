import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { writeRefundToApproveEmail } from "#features/refunds/server/approval-email.ts";
import { askForRefund } from "#features/refunds/server/refund-requests.ts";
import { dayInSydney } from "#shared/language.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { readPage } from "#test/read-page.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";

let site: RefundSite;
type Person = Awaited<ReturnType<RefundSite["join"]>>;
let amina: Person;
let day: string;
beforeAll(async () => {
  site = await openRefundSite({ RECONCILE_DAYS: "2" });
});
beforeEach(async () => {
  site.nextDay();
  await site.simulator.clearFaults();
  amina = await site.join("treasurer");
  day = dayInSydney(site.clock.now());
});
afterAll(() => site.close());

const textOf = (html: string, selector: string) =>
  [...readPage(html).querySelectorAll(selector)].map((found) => found.textContent!.replace(/\s+/g, " ").trim());
const rowsOf = async (text: string, values: unknown[] = []) => (await site.pool.query(text, values)).rows;
const compare = () => site.services.reconciliation.run(day);
const listOpen = async (): Promise<number[]> =>
  (await rowsOf("select id from reconciliation_findings where resolved_at is null order by id")).map(({ id }) =>
    Number(id),
  );
const pathOf = (id: number) => `/admin/reconciliation/${day}/reverse/${id}`;
const fieldsOf = (changes: Record<string, string> = {}) => ({
  form: randomUUID(),
  shown: "10658",
  reason: "PayWay’s own list does not have it",
  ...changes,
});

/** A paid gift of $106.58 whose charge the provider does not have, under the transaction that our books name. */
async function lostGift(): Promise<{ donationId: string; id: number; transactionId: string }> {
  const donationId = await site.gift();
  const { id: attemptId, provider_transaction_id } = await site.paymentOf(donationId);
  const transactionId = String(9_000_000_000 + Math.trunc(Math.random() * 10 ** 9));
  await site.pool.query(
    "update payment_attempts set provider_transaction_id = $2, order_reference = $3 where id = $1",
    [attemptId, transactionId, `P-LOST-${transactionId.slice(-8)}`],
  );
  // The provider gives up the charge that the gift really had.
  await site.simulator.actExternally({ do: "void", transactionId: provider_transaction_id! });
  await compare();
  return { donationId, id: (await listOpen()).at(-1)!, transactionId };
}

const stateOf = async (donationId: string) =>
  (
    await rowsOf(
      `select state, (select bool_and(voided_at is not null) from receipts where donation_id = $1) as "isVoid"
         from payment_attempts where donation_id = $1`,
      [donationId],
    )
  )[0];
const expectEqualBooks = async () => {
  await site.settleOpen();
  await expectBooksAgree(site);
};

test("REC-32: a payment that the provider does not have is reversed: ledger, receipt, an email to the donor, and the difference is closed", async () => {
  const { donationId, id } = await lostGift();
  const shown = (await amina.browser.get(`/admin/reconciliation/${day}`)).html;
  expect(textOf(shown, `#difference-${id} summary`)[0]).toContain("Void the receipt and reverse the payment");
  const empty = await amina.browser.post(pathOf(id), fieldsOf({ reason: "" }));
  expect(empty.status).toBe(422);

  const done = await amina.browser.post(pathOf(id), fieldsOf());
  expect([done.status, done.to]).toEqual([303, `/admin/reconciliation/${day}`]);
  expect(await stateOf(donationId)).toEqual({ state: "refunded", isVoid: true });
  const [refund] = await site.refundsOf(donationId);
  expect(refund).toMatchObject({ kind: "reversal", state: "succeeded", amount_cents: 10_658, requested_by: "staff" });
  const left = await rowsOf(
    `select account, sum(amount_cents)::int as cents from ledger_entries
      where attempt_id = $1 group by account having sum(amount_cents) <> 0`,
    [refund!.attempt_id],
  );
  expect(left).toEqual([]);
  expect(await site.actsOf(donationId)).toEqual([`${amina.name}: refund.reverse`]);
  const emails = await rowsOf("select data ->> 'template' as template from pgboss.job where data ->> 'refundId' = $1", [
    refund!.id,
  ]);
  expect(emails).toEqual([{ template: "refund" }]);
  const reversed = (await amina.browser.get(`/admin/reconciliation/${day}`)).html;
  expect(textOf(reversed, "tr[data-id=payway] td").slice(-2)).toEqual(["0.00", "Agrees"]);
  await site.settleOpen();
  await compare();
  expect(await listOpen()).toEqual([]);
  const after = (await amina.browser.get(`/admin/reconciliation/${day}`)).html;
  expect(textOf(after, `#difference-${id} p`).join()).toContain("The payment is reversed, and its receipt is void");
  expect(textOf(after, "tr[data-id=payway] .v-c")).toEqual(["0.00"]);
  expect(textOf((await amina.browser.get(`/admin/donations/${donationId}`)).html, "main").join()).toContain(
    "No money went back.",
  );
  await expectEqualBooks();
});

test("REC-33: above what one person may refund in a day, somebody else approves the reversal; until then nothing changes", async () => {
  const first = await lostGift();
  const second = await lostGift();
  expect((await amina.browser.post(pathOf(first.id), fieldsOf())).to).toBe(`/admin/reconciliation/${day}`);
  const asked = await amina.browser.post(pathOf(second.id), fieldsOf());
  expect(asked.to).toMatch(/^\/admin\/refunds\//);
  expect(await stateOf(second.donationId)).toEqual({ state: "succeeded", isVoid: false });
  const page = (await amina.browser.get(asked.to!)).html;
  expect(textOf(page, "h1")).toEqual(["Reversal"]);
  expect((await amina.browser.post(`${asked.to}/approve`)).status).toBe(409);
  expect((await amina.browser.post(pathOf(second.id), fieldsOf())).status).toBe(409);

  const yusuf = await site.join("treasurer");
  const { services } = site;
  const sender = { organisation: services.organisation.current(), publicUrl: services.config.publicUrl };
  const job = {
    template: "staff-refund-to-approve",
    requestId: asked.to!.split("/").at(-1)!,
    staffId: yusuf.id,
  } as const;
  const email = await writeRefundToApproveEmail({ ...services, sender }, job);
  expect(email!.subject).toMatch(/^A reversal of \$106\.58 is waiting for your approval: D-/);
  expect(email!.text).toContain("Nothing has been reversed yet. No money goes back.");
  expect(email!.text).not.toContain("refund of");
  const [approved, again] = await Promise.all([
    yusuf.browser.post(`${asked.to}/approve`),
    yusuf.browser.post(`${asked.to}/approve`),
  ]);
  expect([approved.status, again.status]).toEqual([303, 303]);
  expect(await stateOf(second.donationId)).toEqual({ state: "refunded", isVoid: true });
  expect(await site.refundsOf(second.donationId)).toHaveLength(1);
  await compare();
  expect(await listOpen()).toEqual([]);
  await expectEqualBooks();
});

test("REC-34: a reversal is made once, whoever sends it at the same time, and never if the provider has the charge", async () => {
  const { donationId, id } = await lostGift();
  const peter = await site.join("administrator");
  const same = fieldsOf();
  const sent = await Promise.all([
    amina.browser.post(pathOf(id), same),
    amina.browser.post(pathOf(id), same),
    peter.browser.post(pathOf(id), fieldsOf()),
    compare(),
  ]);
  const made = sent.slice(0, 3).filter((answer) => "status" in answer && answer.status === 303);
  expect(made.length).toBeGreaterThan(0);
  expect(await site.refundsOf(donationId)).toHaveLength(1);

  const other = await site.gift();
  const { id: attemptId } = await site.paymentOf(other);
  await site.pool.query(
    `insert into reconciliation_findings (provider, kind, reference, day, attempt_id, ours_cents, theirs_cents, found_at, last_seen_at)
     values ('payway', 'payment_without_charge', 'planted', $1, $2, 10658, 0, $3, $3)`,
    [day, attemptId, site.clock.now()],
  );
  const [planted] = await listOpen();
  const there = await (await site.join("treasurer")).browser.post(pathOf(planted!), fieldsOf());
  expect(there.status).toBe(409);
  expect(textOf(there.html, "[role=alert]")[0]).toContain("PayWay has this charge now");
  await site.simulator.installFault({ match: { op: "search" }, do: "error_500_before" });
  const unread = await (await site.join("treasurer")).browser.post(pathOf(planted!), fieldsOf());
  await site.simulator.clearFaults();
  expect(unread.status).toBe(409);
  expect(textOf(unread.html, "[role=alert]")[0]).toContain("can’t be read now");
  expect(await stateOf(other)).toEqual({ state: "succeeded", isVoid: false });
  await compare();
  expect(await listOpen()).toEqual([]);
  await expectEqualBooks();
});

test("REC-34: a payment whose difference was closed in the meantime is not reversed", async () => {
  const { donationId, id } = await lostGift();
  await site.pool.query("update reconciliation_findings set resolved_at = now() where id = $1", [id]);
  const wanted = { of: { kind: "donation", id: donationId }, amountCents: 10_658, leftCents: 10_658 } as const;
  const reversal = { ...wanted, id: randomUUID(), reason: "Not in their list", tickets: [], isReversal: true };
  await expect(askForRefund(site.services, reversal, amina.actor)).rejects.toThrow(
    "This difference is no longer open.",
  );
  expect(await stateOf(donationId)).toEqual({ state: "succeeded", isVoid: false });
  await site.pool.query("update reconciliation_findings set resolved_at = null where id = $1", [id]);
  expect((await amina.browser.post(pathOf(id), fieldsOf())).status).toBe(303);
});

test("REC-35: reversing needs the right to refund and a fresh proof", async () => {
  const { donationId, id } = await lostGift();
  for (const role of ["auditor", "events"] as const) {
    expect((await (await site.join(role)).browser.post(pathOf(id), fieldsOf())).status).toBe(403);
  }
  await site.pool.query("update staff_sessions set proved_at = $1 where staff_id = $2", [
    new Date(site.clock.now().getTime() - 11 * 60_000),
    amina.id,
  ]);
  expect((await amina.browser.post(pathOf(id), fieldsOf())).status).toBe(401);
  expect(await stateOf(donationId)).toEqual({ state: "succeeded", isVoid: false });
  expect(await listOpen()).toEqual([id]);
});
