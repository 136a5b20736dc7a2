import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { dayInSydney } from "#shared/language.ts";
import { testCards } from "#simulators/control.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { createPlanter } from "#test/faults/planted-differences.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
let day: string;
beforeAll(async () => {
  site = await openAdminSite({ RECONCILE_DAYS: "2" });
});
beforeEach(async () => {
  treasurer = await site.logIn("treasurer");
  day = dayInSydney(site.clock.now());
});
afterAll(() => site.close());

const textOf = (html: string, selector: string) =>
  [...readPage(html).querySelectorAll(selector)].map((found) => found.textContent!.replace(/\s+/g, " ").trim());
const rowsOf = async (text: string, values: unknown[] = []) => (await site.pool.query(text, values)).rows;

const compare = () => site.services.reconciliation.run(day);
const showDay = async () => (await treasurer.get(`/admin/reconciliation/${day}`)).html;
const listOpen = async (): Promise<number[]> =>
  (await rowsOf("select id from reconciliation_findings where resolved_at is null order by id")).map(({ id }) =>
    Number(id),
  );

/** Charges $42.00 at the provider behind the site's back, and compares. Returns the difference's id. */
async function plantCharge(provider: "payway" | "braintree" = "payway"): Promise<{ id: number; mend: () => unknown }> {
  const { mend } = await createPlanter(site).chargeWithoutPayment(provider);
  await compare();
  const id = (await listOpen()).at(-1);
  return { id: id!, mend: mend as () => unknown };
}

const typed = { first_name: "Salma", last_name: "Haddad", email: "salma@example.org", cause: "zakat", shown: "4200" };
const pathOf = (id: number) => `/admin/reconciliation/${day}/take-in/${id}`;
const countDonations = async () => Number((await rowsOf("select count(*) from donations"))[0].count);
const expectEqualBooks = async () => {
  await site.settleOpen();
  await expectBooksAgree(site);
};

test.each(["payway", "braintree"] as const)(
  "REC-27: a charge that only %s has becomes a donation with a receipt, the ledger agrees, and the difference is closed",
  async (provider) => {
    const { id } = await plantCharge(provider);
    const [finding] = await rowsOf("select reference from reconciliation_findings where id = $1", [id]);
    const before = await countDonations();
    const empty = await treasurer.post(pathOf(id), { shown: "4200", cause: "" });
    expect(empty.status).toBe(422);
    expect(textOf(empty.html, "details[open] .err")).toHaveLength(4);
    expect(await countDonations()).toBe(before);

    const done = await treasurer.post(pathOf(id), typed);
    expect([done.status, done.to]).toEqual([303, `/admin/reconciliation/${day}`]);
    const [given] = await rowsOf(
      `select donations.*, state, provider, provider_transaction_id, amount_cents, sent_at::date
         from donations join payment_attempts on donation_id = donations.id where email = $1
        order by donations.created_at desc, payment_attempts.settled_at desc limit 1`,
      [typed.email],
    );
    expect(given).toMatchObject({
      first_name: "Salma",
      last_name: "Haddad",
      subtotal_cents: 4200,
      admin_fee_cents: 0,
      merchant_fee_cents: 0,
      state: "succeeded",
      provider,
      provider_transaction_id: finding.reference,
      amount_cents: 4200,
    });
    const entries = await rowsOf(
      `select account, ledger_entries.amount_cents as cents from ledger_entries
         join payment_attempts on payment_attempts.id = attempt_id where donation_id = $1 order by 1`,
      [given.id],
    );
    expect(entries).toEqual([
      { account: "donations:zakat", cents: -4200 },
      { account: `receivable:${provider}`, cents: 4200 },
    ]);
    const [receipt] = await rowsOf("select data from receipts where donation_id = $1", [given.id]);
    expect(receipt.data).toMatchObject({ donorName: "Salma Haddad", totalCents: 4200, paidOn: day });
    const emails = await rowsOf(
      "select data ->> 'template' as template from pgboss.job where data ->> 'donationId' = $1",
      [given.id],
    );
    expect(emails.map(({ template }) => template).sort()).toEqual(["new-donation", "receipt"]);
    const acts = await rowsOf("select actor, verb, subject_id, after from audit_trail where verb = 'donation.take-in'");
    expect(acts.at(-1)).toMatchObject({ actor: treasurer.name, subject_id: given.id, after: { amountCents: 4200 } });

    const page = await showDay();
    expect(textOf(page, `tr[data-id=${provider}] td`).slice(-2), "the day's sums").toEqual(["0.00", "Agrees"]);
    expect(textOf(page, `#difference-${id} p`).join()).toContain(`Taken in as donation ${given.reference}`);
    expect(readPage(page).querySelector(`#difference-${id} dd a`)?.getAttribute("href")).toBe(
      `/admin/donations/${given.id}`,
    );
    const shown = textOf((await treasurer.get(`/admin/donations/${given.id}`)).html, "main").join();
    expect(shown).toContain("It was not made on this site.");
    expect(shown).toMatch(/Its order reference there is \S+\.\s*Found: /);
    await compare();
    expect(await listOpen()).toEqual([]);
    expect(textOf(await showDay(), `tr[data-id=${provider}] .v-c`)).toEqual(["0.00"]);
    await expectEqualBooks();
  },
);

test("REC-28: a charge is taken in once, whoever sends the form at the same time, and whatever the comparison does meanwhile", async () => {
  const { id } = await plantCharge();
  const before = await countDonations();
  const other = await site.logIn("administrator");
  const [comparison, ...sent] = await Promise.all([
    compare(),
    treasurer.post(pathOf(id), typed),
    other.post(pathOf(id), { ...typed, first_name: "Nadia" }),
    treasurer.post(pathOf(id), typed),
  ]);
  expect(comparison.busy).toEqual([]);
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  expect(textOf(sent.find(({ status }) => status === 409)!.html, "[role=alert]")[0]).toMatch(
    /has closed this difference in the meantime/,
  );
  expect(await countDonations()).toBe(before + 1);
  expect((await treasurer.post(pathOf(id), typed)).status).toBe(409);
  await compare();
  expect(await listOpen()).toEqual([]);
  expect(await countDonations()).toBe(before + 1);
  await expectEqualBooks();
});

test("REC-29: only somebody who may resolve differences takes a charge in, and only after proving who they are", async () => {
  const { id, mend } = await plantCharge();
  const before = await countDonations();
  for (const role of ["auditor", "events"] as const) {
    expect((await (await site.logIn(role)).post(pathOf(id), typed)).status).toBe(403);
  }
  await site.pool.query("update staff_sessions set proved_at = $1 where staff_id = $2", [
    new Date(site.clock.now().getTime() - 11 * 60_000),
    treasurer.id,
  ]);
  const asked = await treasurer.post(pathOf(id), typed);
  expect(asked.status).toBe(401);
  expect(textOf(asked.html, "[role=alert]")).toEqual(["What you typed is kept. Nothing was sent yet."]);
  expect(await countDonations()).toBe(before);
  expect(await listOpen()).toEqual([id]);
  await mend();
  await compare();
  expect(await listOpen()).toEqual([]);
});

test("REC-30: the amount is the provider's: a charge that has changed there since is refused, and one that is gone too", async () => {
  const { id, mend } = await plantCharge();
  const before = await countDonations();
  const changed = await treasurer.post(pathOf(id), { ...typed, shown: "4100" });
  expect(changed.status).toBe(409);
  expect(textOf(changed.html, "[role=alert]")[0]).toContain("PayWay now holds $42.00 of this charge.");
  await site.simulator.installFault({ match: { op: "get" }, do: "error_500_before" });
  const unread = await treasurer.post(pathOf(id), typed);
  await site.simulator.clearFaults();
  expect(unread.status).toBe(409);
  expect(textOf(unread.html, "[role=alert]")[0]).toContain("The books of PayWay can’t be read now.");
  await mend();
  const gone = await treasurer.post(pathOf(id), typed);
  expect(gone.status).toBe(409);
  expect(textOf(gone.html, "[role=alert]")[0]).toContain("does not hold this charge");
  const unknown = await treasurer.post(pathOf(999_999), typed);
  expect(unknown.status).toBe(409);
  expect(await countDonations()).toBe(before);
  await compare();
  expect(await listOpen()).toEqual([]);
});

test("REC-30: what was refunded of the charge at the provider is refunded of the donation too", async () => {
  const { id } = await plantCharge();
  const [{ reference: transactionId }] = await rowsOf("select reference from reconciliation_findings where id = $1", [
    id,
  ]);
  site.clock.advance(26 * 3_600_000);
  await site.simulator.advance(26 * 3_600_000);
  treasurer = await site.logIn("treasurer");
  await site.simulator.actExternally({ do: "refund", transactionId, amountCents: 1000 });
  await compare();
  expect((await treasurer.post(pathOf(id), { ...typed, shown: "3200" })).status).toBe(303);
  const [payment] = await rowsOf(
    "select id, state, amount_cents from payment_attempts where provider_transaction_id = $1",
    [transactionId],
  );
  expect(payment).toMatchObject({ state: "partially_refunded", amount_cents: 4200 });
  await compare();
  expect(await listOpen()).toEqual([]);
  await expectEqualBooks();
});

test("REC-31: the form offers only causes that the amount can pay for, and names the gift of the same day that was not paid", async () => {
  const { answer } = await site.give(await site.visitor(), { card: testCards.declined });
  expect(answer.code).toBe("402");
  await site.pool.query("update payment_attempts set amount_cents = 4200 where state = 'failed'");
  const { id } = await plantCharge();
  const page = readPage(await showDay());
  const offered = [...page.querySelectorAll(`#take-in-${id} option`)].map((option) => option.getAttribute("value"));
  expect(offered).toContain("zakat");
  expect(offered).not.toContain("fitrana");
  const [gift] = await rowsOf("select donation_id as id from payment_attempts where state = 'failed'");
  expect(page.querySelector(`#difference-${id} dd a`)?.getAttribute("href")).toBe(`/admin/donations/${gift.id}`);
  const wrong = await treasurer.post(pathOf(id), { ...typed, cause: "fitrana" });
  expect(wrong.status).toBe(422);
  expect(textOf(wrong.html, "details[open] .err")).toEqual(["Choose what it was given to"]);
});
