import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeManyDonations, makeRefund } from "#database/factories.ts";
import { longTest } from "#test/long-test.ts";
import { type Member, openMember } from "#test/member.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { exportDonations } from "./donation-export.ts";
import { hasMorePaid, listHistory, listSummaryDonations } from "./history.ts";
import { issueReceipt, voidReceipt } from "./receipt.ts";

let site: TestSite;
const lines: string[] = [];
beforeAll(async () => {
  site = await openTestSite({ LOG_LEVEL: "trace" });
  // The log lines from here on: tests read the notes of forbidden access.
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
});
afterAll(() => site.close());

const trespasses = () => lines.filter((line) => line.includes('"security":"not_own"')).map((line) => JSON.parse(line));

async function givePaid(
  userId: number | null,
  at: string,
  donation: object = {},
  attempt: Parameters<typeof makeAttempt>[2] = {},
): Promise<string> {
  const created_at = new Date(at);
  const id = await makeDonation(site.database, { donation: { user_id: userId, created_at, ...donation } });
  const settled = { state: "succeeded", sent_at: created_at, settled_at: created_at, created_at } as const;
  await makeAttempt(site.database, id, { ...settled, ...attempt });
  return id;
}

const personOf = ({ id, email }: Member) => ({ userId: id, email, isConfirmed: false, askedBy: "member" as const });

const issue = (donationId: string) =>
  site.database
    .transaction()
    .execute((transaction) =>
      issueReceipt(transaction, donationId, site.services.organisation.current(), site.clock.now()),
    );
const ask = ({ visitor }: Pick<Member, "visitor">, query: Record<string, string> = {}) =>
  visitor.post(`/api/donation-summary?${new URLSearchParams(query)}`, {});
const referenceOf = async (id: string): Promise<string> =>
  (await site.pool.query("select reference from donations where id = $1", [id])).rows[0].reference;

test("API-5: the history's rows keep the wire's names, newest first, with receipt number, total and our own reference", async () => {
  const member = await openMember(site);
  const first = await givePaid(member.id, "2026-10-01T02:00:00Z");
  const number = await issue(first);
  const second = await givePaid(member.id, "2026-11-12T02:00:00Z", {}, { state: "unknown", settled_at: null });
  const answer = await ask(member, { email: member.email.toUpperCase(), startDate: "", endDate: "", type: "" });
  expect(answer).toMatchObject({ code: "200", status: "true" });
  expect(answer.data).toEqual([
    {
      invoice_number: "",
      payment_date: "2026-11-12",
      donation_amount: 106.58,
      status: "Processing",
      trasaction_id: await referenceOf(second),
    },
    {
      invoice_number: `R-${String(number).padStart(6, "0")}`,
      payment_date: "2026-10-01",
      donation_amount: 106.58,
      status: "Paid",
      trasaction_id: await referenceOf(first),
    },
  ]);
  expect(answer).not.toHaveProperty("next");
});

test("PRO-7: only donations for which money moved or may have moved are listed, each with its status", async () => {
  const member = await openMember(site);
  const states = ["succeeded_late", "partially_refunded", "refunded", "failed", "cancelled", "not_found"] as const;
  for (const [index, state] of states.entries()) {
    await givePaid(member.id, `2026-09-0${index + 1}T02:00:00Z`, {}, { state });
  }
  const { data } = await ask(member);
  expect(data.map(({ status }: { status: string }) => status)).toEqual(["Refunded", "Partly refunded", "Paid"]);
});

/** Refunds part or all of a payment of $106.58. Returns the receipt's number. */
async function refund(donationId: string, cents: 3000 | 10_658): Promise<number | null> {
  const part = { "donations:zakat": 2815, "fees:admin": 141, "fees:merchant": 44 };
  const all = { "donations:zakat": 10_000, "fees:admin": 500, "fees:merchant": 158 };
  const { rows } = await site.pool.query("select id from payment_attempts where donation_id = $1", [donationId]);
  await site.database.transaction().execute(async (transaction) => {
    await makeRefund(transaction, rows[0].id, cents === 3000 ? part : all, { reason: "given twice" });
    await voidReceipt(transaction, donationId, site.clock.now());
  });
  return issue(donationId);
}

test("PRO-7, PRO-8: the history shows what became of a donation and its latest receipt; a summary counts what was kept", async () => {
  const member = await openMember(site);
  const [whole, part, disputed] = [
    await givePaid(member.id, "2026-10-01T02:00:00Z"),
    await givePaid(member.id, "2026-10-02T02:00:00Z"),
    await givePaid(member.id, "2026-10-03T02:00:00Z"),
  ];
  const first = await issue(whole);
  for (const each of [part, disputed]) await issue(each);
  await refund(whole, 10_658);
  const latest = await refund(part, 3000);
  await site.pool.query("update payment_attempts set state = 'disputed' where donation_id = $1", [disputed]);
  const receiptNumber = (number: number | null) => `R-${String(number).padStart(6, "0")}`;
  const { data } = await ask(member);
  expect(data).toHaveLength(3);
  expect(data[0]).toMatchObject({ status: "Paid", donation_amount: 106.58 });
  const [, partly, back] = data;
  expect(partly).toMatchObject({ status: "Partly refunded", invoice_number: receiptNumber(latest) });
  expect(back).toMatchObject({ status: "Refunded", invoice_number: receiptNumber(first), donation_amount: 106.58 });
  const range = { from: "2026-10-01", to: "2026-10-31" };
  const paid = await listSummaryDonations(site.database, { userId: member.id }, { range, limit: 10 });
  expect(paid.map(({ totalCents, refundedCents, lines }) => [totalCents, refundedCents, lines])).toEqual([
    [10_658, 3000, [{ fund: "zakat", title: "Zakat", kind: "gift", lineCents: 10_000, refundedCents: 2815 }]],
    [10_658, 0, [{ fund: "zakat", title: "Zakat", kind: "gift", lineCents: 10_000, refundedCents: 0 }]],
  ]);
  expect(await hasMorePaid(site.database, { userId: member.id }, { range, limit: 1 })).toBe(true);
  expect(await hasMorePaid(site.database, { userId: member.id }, { range, limit: 2 })).toBe(false);
});

test("PRO-12: a person's data export includes refunds and all receipts, void ones too", async () => {
  const member = await openMember(site);
  const donation = await givePaid(member.id, "2026-10-01T02:00:00Z");
  await issue(donation);
  await refund(donation, 3000);
  const [held] = JSON.parse(JSON.stringify(await exportDonations(site.database, personOf(member))));
  expect(held.refunds).toEqual([
    expect.objectContaining({ kind: "refund", amountCents: 3000, state: "succeeded", reason: "given twice" }),
  ]);
  const [first, second] = held.receipts;
  expect(held.receipts).toHaveLength(2);
  expect(first.voidedAt).not.toBeNull();
  expect(second).toMatchObject({ voidedAt: null, asIssued: { replaces: first.asIssued.number, refundedCents: 3000 } });
});

test("API-5: days are Sydney's and inclusive, in winter, in summer and where the clock changes", async () => {
  const member = await openMember(site);
  const moments = [
    // 30 June ends at 14:00 UTC (winter); 5 April 2026 has 25 hours, 4 October 23.
    ["2026-06-30T13:59:59.999Z", "2026-06-30"],
    ["2026-06-30T14:00:00.000Z", "2026-07-01"],
    ["2026-04-04T12:59:59.999Z", "2026-04-04"],
    ["2026-04-04T13:00:00.000Z", "2026-04-05"],
    ["2026-04-05T13:59:59.999Z", "2026-04-05"],
    ["2026-10-03T14:00:00.000Z", "2026-10-04"],
    ["2026-10-04T12:59:59.999Z", "2026-10-04"],
    ["2026-10-04T13:00:00.000Z", "2026-10-05"],
  ] as const;
  for (const [at] of moments) await givePaid(member.id, at);
  for (const day of new Set(moments.map(([, each]) => each))) {
    const { data } = await ask(member, { startDate: day, endDate: day });
    expect(data.length, day).toBe(moments.filter(([, each]) => each === day).length);
    expect(data.every((row: { payment_date: string }) => row.payment_date === day)).toBe(true);
  }
  const year = await ask(member, { startDate: "2025-07-01", endDate: "2026-06-30" });
  expect(year.data).toHaveLength(4);
  expect((await ask(member, { startDate: "2026-07-01" })).data).toHaveLength(4);
  expect((await ask(member, { endDate: "2026-06-30" })).data).toHaveLength(4);
});

test("PRO-8: a donation confirmed at the bank after midnight is in the summary of the financial year of its receipt", async () => {
  const member = await openMember(site);
  const [recorded, charged] = ["2026-06-30T13:58:00Z", "2026-06-30T14:02:00Z"];
  await givePaid(member.id, recorded, {}, { sent_at: new Date(charged), settled_at: new Date(charged) });
  const summaryOf = (from: string, to: string) =>
    listSummaryDonations(site.database, { userId: member.id }, { range: { from, to }, limit: 10 });
  expect(await summaryOf("2025-07-01", "2026-06-30")).toEqual([]);
  expect(await summaryOf("2026-07-01", "2027-06-30")).toMatchObject([{ paidOn: "2026-07-01" }]);
  await givePaid(member.id, "2026-06-30T13:57:00Z");
  expect(await summaryOf("2025-07-01", "2026-06-30")).toMatchObject([{ paidOn: "2026-06-30" }]);
  expect(await summaryOf("2026-07-01", "2027-06-30")).toMatchObject([{ paidOn: "2026-07-01" }]);
  const days = await ask(member, { startDate: "2026-07-01", endDate: "2026-07-01" });
  expect(days.data).toMatchObject([{ payment_date: "2026-07-01" }]);
});

test("API-5: an invalid range is refused field by field, and no input breaks the call", async () => {
  const member = await openMember(site);
  const refusals = [
    [{ startDate: "2026-02-30" }, "startDate"],
    [{ startDate: "0000-01-01" }, "startDate"],
    [{ endDate: "1/7/2026" }, "endDate"],
    [{ startDate: "2026-07-02", endDate: "2026-07-01" }, "endDate"],
    [{ limit: "0" }, "limit"],
    [{ limit: "101" }, "limit"],
    [{ after: "x" }, "after"],
    [{ after: "D-0000-0000-0000" }, "after"],
    [{ type: "\u0000" }, "type"],
  ] as const;
  for (const [query, field] of refusals) {
    const answer = await ask(member, query);
    expect(answer, JSON.stringify(query)).toMatchObject({ code: "422", error: "invalid_input" });
    expect(Object.keys(answer.data)).toEqual([field]);
  }
});

test("API-5: a category's title filters, and any other finds nothing", async () => {
  const member = await openMember(site);
  await givePaid(member.id, "2026-10-01T02:00:00Z");
  expect((await ask(member, { type: "Zakat" })).data).toHaveLength(1);
  expect((await ask(member, { type: "Qurban' or true --" })).data).toHaveLength(0);
});

test("API-5: a limit splits the list into adjoining pages, and without one the whole range is returned", async () => {
  const member = await openMember(site);
  await makeManyDonations(site.database, { userId: member.id, count: 23 });
  const whole = (await ask(member)).data;
  expect(whole).toHaveLength(23);
  const pieces = [];
  let next: string | undefined;
  do {
    const answer = await ask(member, { limit: "10", ...(next === undefined ? {} : { after: next }) });
    pieces.push(answer.data);
    next = answer.next;
  } while (next !== undefined);
  expect(pieces.map((piece) => piece.length)).toEqual([10, 10, 3]);
  expect(pieces.flat()).toEqual(whole);
});

test("PRO-7: Previous goes back over the rows that Next showed, and simultaneous donations keep their order", async () => {
  const member = await openMember(site);
  await makeManyDonations(site.database, { userId: member.id, count: 25, minutes: 0 });
  const all = { range: { from: "", to: "" }, limit: 10 };
  const first = (await listHistory(site.database, member.id, all))!;
  const second = (await listHistory(site.database, member.id, { ...all, after: first.older! }))!;
  const third = (await listHistory(site.database, member.id, { ...all, after: second.older! }))!;
  expect(first.newer).toBeNull();
  expect(third.older).toBeNull();
  expect(third.rows).toHaveLength(5);
  expect(await listHistory(site.database, member.id, { ...all, before: third.newer! })).toEqual(second);
  expect(await listHistory(site.database, member.id, { ...all, before: second.newer! })).toEqual(first);
});

longTest("PRO-7: each page of a long history reads only its own rows, along the index", async () => {
  const member = await openMember(site);
  await makeManyDonations(site.database, { userId: member.id, count: 3000 });
  const other = await openMember(site);
  await makeManyDonations(site.database, { userId: other.id, count: 100 });
  await site.pool.query("analyze");
  const { rows } = await site.pool.query(
    `explain (analyze, format json) select donations.id from donations
       inner join lateral (select 1 from payment_attempts where donation_id = donations.id limit 1) a on true
     where user_id = $1 and (created_at, id) < (now() - interval '10 days', gen_random_uuid())
     order by created_at desc, donations.id desc limit 11`,
    [member.id],
  );
  expect(JSON.stringify(rows[0])).toContain("donations_of_user");
  expect(JSON.stringify(rows[0])).not.toContain('"Sort"');
  const deep = (await listHistory(site.database, member.id, { range: { from: "", to: "" } }))!.rows[2000]!.reference;
  const time = async (userId: number, after?: string) => {
    const begun = performance.now();
    await listHistory(site.database, userId, { range: { from: "", to: "" }, limit: 10, after });
    return performance.now() - begun;
  };
  const times: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 30; round += 1) {
    times[0].push(await time(other.id));
    times[1].push(await time(member.id));
    times[2].push(await time(member.id, deep));
  }
  const [short, long, far] = times.map((each) => each.sort((a, b) => a - b)[15]!);
  expect(long! / short!).toBeLessThan(3);
  // A later page first looks up where it begins.
  expect(far! / short!).toBeLessThan(5);
});

test("API-9: both calls answer 401 without a session, and 403 for another's email, with a note of who asked", async () => {
  const visitor = await site.visitor();
  const range = "startDate=2026-07-01&endDate=2027-06-30";
  for (const call of ["donation-summary", "donation-summary-pdf"]) {
    expect(await visitor.post(`/api/${call}?${range}`, {})).toMatchObject({ code: "401", error: "not_signed_in" });
    const [one, other] = [await openMember(site), await openMember(site)];
    const before = trespasses().length;
    const asked = `/api/${call}?${range}&email=${encodeURIComponent(other.email)}`;
    expect(await one.visitor.post(asked, {})).toMatchObject({ code: "403", error: "not_allowed" });
    expect(trespasses().slice(before)).toEqual([
      expect.objectContaining({ level: 40, userId: one.id, route: `/api/${call}` }),
    ]);
    expect(lines.join("\n")).not.toContain(other.email);
  }
});

test("PRO-7: donations made as a guest join the account once its address is known to be the person's own, and not before", async () => {
  const email = "Guest.Giver@example.com";
  const donation = await givePaid(null, "2026-08-01T02:00:00Z", { email: "guest.giver@EXAMPLE.com" });
  await givePaid(null, "2026-08-02T02:00:00Z", { email: "another@example.com" });
  await givePaid(null, "2026-08-03T02:00:00Z", {
    email,
    is_anonymous: true,
    first_name: "Anonymous",
    last_name: "User",
  });
  const member = await openMember(site, { email });
  expect((await ask(member)).data).toEqual([]);
  await site.pool.query("update users set email_verified_at = now() where id = $1", [member.id]);
  expect((await ask(member)).data).toEqual([expect.objectContaining({ trasaction_id: await referenceOf(donation) })]);
  const later = await givePaid(null, "2026-08-04T02:00:00Z", { email });
  expect((await ask(member)).data[0].trasaction_id).toBe(await referenceOf(later));
});

test("DON-18: a donation belongs to the session's account, or to a guest if the user id is 0, and to nobody else", async () => {
  const [one, other] = [await openMember(site), await openMember(site)];
  const ownerOf = async (paymentId: string) =>
    (
      await site.pool.query(
        "select user_id from donations join payment_attempts a on a.donation_id = donations.id where a.id = $1",
        [paymentId],
      )
    ).rows[0].user_id;
  const own = await site.give(one.visitor, { changes: { user_id: one.id } });
  expect(own.answer.code).toBe("200");
  expect(Number(await ownerOf(own.answer.data.id))).toBe(one.id);
  const asGuest = await site.give(one.visitor, { changes: { repeat: true } });
  expect(await ownerOf(asGuest.answer.data.id)).toBeNull();
  const before = trespasses().length;
  const { answer } = await site.give(one.visitor, { changes: { user_id: other.id } });
  expect(answer).toMatchObject({ code: "403", error: "not_allowed" });
  expect(answer.money).toBe("untouched");
  const { answer: stranger } = await site.give(await site.visitor(), { changes: { user_id: one.id } });
  expect(stranger).toMatchObject({ code: "403", error: "not_allowed" });
  expect(trespasses().slice(before)).toHaveLength(2);
  expect((await ask(one)).data).toHaveLength(1);
});

test("PRO-12: the export of a person's donations is complete, plain JSON and theirs alone", async () => {
  const [member, other] = [await openMember(site), await openMember(site)];
  const { answer } = await site.give(member.visitor, { changes: { user_id: member.id } });
  await givePaid(other.id, "2026-10-01T02:00:00Z");
  const held = await exportDonations(site.database, personOf(member));
  expect(JSON.parse(JSON.stringify(held))).toEqual(held);
  expect(held).toEqual([
    expect.objectContaining({
      reference: answer.data.reference,
      firstName: "Amina",
      totalCents: 10_658,
      lines: [expect.objectContaining({ category: "Zakat", lineCents: 10_000 })],
      payments: [expect.objectContaining({ state: "succeeded", amountCents: 10_658 })],
      refunds: [],
      receipts: [
        {
          voidedAt: null,
          asIssued: expect.objectContaining({ donorName: "Amina Raza", reference: answer.data.reference }),
        },
      ],
    }),
  ]);
});
