import { afterAll, beforeAll, expect, test } from "vitest";
import { findAttempt } from "#payments/attempts.ts";
import { postToLedger } from "#payments/settle.ts";
import { addDays, dayInSydney, formatDay } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

const day = 24 * 3_600_000;

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
const days: string[] = [];
const payments: string[] = [];
beforeAll(async () => {
  site = await openAdminSite();
  for (let count = 0; count < 3; count += 1) {
    days.push(dayInSydney(site.clock.now()));
    const { answer } = await site.give(await site.visitor());
    payments.push(answer.data.id);
    await site.givePayPal(await site.visitor());
    await pass(day);
  }
});
afterAll(() => site.close());

/** Moves both clocks. Staff's sessions end by that, so somebody logs in again. */
async function pass(ms: number) {
  site.clock.advance(ms);
  await site.simulator.advance(ms);
  treasurer = await site.logIn("treasurer");
}

const make = (from = days[0]!, to = addDays(dayInSydney(site.clock.now()), -1), by = treasurer) =>
  by.post("/admin/journal/make", { from, to });
const file = async (query: string, format = "xero") =>
  (await treasurer.get(`/admin/journal.csv?format=${format}&${query}`)).html;
const all = () => `from=${days[0]}&to=${dayInSydney(site.clock.now())}`;

/** Number, account and cents of each line for Xero. */
const linesOf = (text: string) =>
  text
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => {
      const cells = line
        .match(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)!
        .map((cell) => cell.replace(/,$/, "").replaceAll('"', ""));
      return { number: cells[0]!.split(" ")[0]!, code: cells[3]!, cents: Math.round(Number(cells[5]) * 100) };
    });

/** Sums by account code, and by journal. */
function sum(lines: ReturnType<typeof linesOf>, by: "number" | "code") {
  const sums = new Map<string, number>();
  for (const line of lines) sums.set(line[by], (sums.get(line[by]) ?? 0) + line.cents);
  return Object.fromEntries(sums);
}
const acts = async (verb: string) =>
  (await site.pool.query("select after from audit_trail where verb = $1 order by id", [verb])).rows.map(
    ({ after }) => after,
  );

async function ledgerNet() {
  const { rows } = await site.pool.query(
    "select sum(amount_cents) filter (where account = 'receivable:payway')::int as payway from ledger_entries",
  );
  return rows[0].payway as number;
}

test("JRN-3: each day is exported once as one balanced journal, whoever does it; a second export finds nothing", async () => {
  const other = await site.logIn("administrator");
  const both = await Promise.all([make(), make(undefined, undefined, other)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 409]);
  const lines = linesOf(await file(all()));
  const numbers = days.map((each) => `J-${each.replaceAll("-", "")}`);
  expect(sum(lines, "number")).toEqual(Object.fromEntries(numbers.map((number) => [number, 0])));
  expect(sum(lines, "code")).toEqual({
    "1-1310": 3 * 10_658,
    "1-1320": 3 * 10_815,
    "4-1120": -6 * 10_000,
    "4-2100": -6 * 500,
    "4-2200": -3 * (158 + 315),
  });
  expect(await acts("journal.make")).toMatchObject([{ from: days[0], days: 3 }]);
  expect(await acts("journal.download")).toMatchObject([{ format: "xero", from: days[0], to: days[2] }]);
  expect((await other.get("/admin/audit")).html).toContain(
    `made the accounting journal from ${formatDay(days[0]!)} to ${formatDay(addDays(days[0]!, 2))}`,
  );
  expect((await make()).status).toBe(409);
  expect(linesOf(await file(all()))).toEqual(lines);
});

test("JRN-4: if a day changes later, a balanced correction is exported, and all journals together equal the ledger", async () => {
  const attempt = (await findAttempt(site.database, payments[1]!))!;
  const moved = [
    { account: "donations:zakat", cents: 2500 },
    { account: "donations:education", cents: -2500 },
  ];
  await site.database
    .transaction()
    .execute((transaction) => postToLedger(transaction, { attemptId: attempt.id }, moved, site.clock.now()));
  const { refunds } = site.services.payments;
  const asked = {
    attemptId: payments[2]!,
    amountCents: 5329,
    requestKey: "one",
    requestedBy: "staff",
    reason: "",
  } as const;
  const reply = await refunds.request(asked);
  if (!reply.ok) throw new Error(reply.problem);
  await refunds.run(reply.refund.id);
  const refundDay = dayInSydney(site.clock.now());
  await pass(day);
  expect((await make()).status).toBe(303);
  const lines = linesOf(await file(all()));
  const correction = `J-${days[1]!.replaceAll("-", "")}-2`;
  expect(lines.filter(({ number }) => number === correction)).toEqual([
    { number: correction, code: "4-1120", cents: 2500 },
    { number: correction, code: "4-1170", cents: -2500 },
  ]);
  const refund = lines.filter(({ number }) => number === `J-${refundDay.replaceAll("-", "")}`);
  expect(refund).toContainEqual({ number: refund[0]!.number, code: "1-1310", cents: -5329 });
  expect(Object.values(sum(lines, "number")).every((cents) => cents === 0)).toBe(true);
  expect(sum(lines, "code")["1-1310"]).toBe(await ledgerNet());
  const batch = (await treasurer.get("/admin/journal")).html.match(/batch=(\d+)/)![1];
  expect(new Set(linesOf(await file(`batch=${batch}`)).map(({ number }) => number))).toEqual(
    new Set([correction, refund[0]!.number]),
  );
});

test("JRN-5: journals need the right and a recent proof, and only days that are over can be exported", async () => {
  const today = dayInSydney(site.clock.now());
  const early = await make(days[0], today);
  expect(early.status).toBe(422);
  expect(early.html).toContain("Only past days can be exported.");
  expect((await make(days[2], days[0])).html).toContain("This day is before the first one.");
  const auditor = await site.logIn("auditor");
  expect((await auditor.get("/admin/journal")).status).toBe(403);
  expect((await auditor.get(`/admin/journal.csv?format=xero&${all()}`)).status).toBe(403);
  for (const query of ["format=sap&from=2026-01-01&to=2026-01-02", "format=xero", "format=xero&batch=999999"]) {
    expect((await treasurer.get(`/admin/journal.csv?${query}`)).status).toBe(404);
  }
  site.clock.advance(11 * 60_000);
  const asked = await treasurer.get(`/admin/journal.csv?format=xero&${all()}`);
  expect([asked.status, asked.to?.startsWith("/admin/confirm?")]).toEqual([302, true]);
});

test("JRN-6: a treasurer changes the accounts, the next file has them, and the audit trail has both versions", async () => {
  treasurer = await site.logIn("treasurer");
  const path = "/admin/journal/accounts";
  const version = /name="version" value="([^"]*)"/.exec((await treasurer.get(path)).html)![1]!;
  const sent = { version, "code.tickets": "260", "name.tickets": "Ticket income" };
  expect(await treasurer.post(path, { ...sent, "code.tickets": " " })).toMatchObject({ status: 422 });
  expect((await treasurer.post(path, { ...sent, "code.tickets": "4-3100-01-02" })).html).toContain(
    "Use at most 10 characters.",
  );
  expect(await treasurer.post(path, sent)).toMatchObject({ status: 303 });
  expect((await treasurer.get("/admin/journal")).html).toMatch(/Ticket income.*260/s);
  const [act] = (await site.pool.query("select before, after from audit_trail where verb = 'journal.accounts'")).rows;
  expect(act.before.accounts.tickets).toMatchObject({ code: "4-3100", name: "Ticket sales" });
  expect(act.after.accounts).toEqual({ tickets: { code: "260", name: "Ticket income", tax: "GST Free Income" } });
  // A second person, who opened the form earlier, is told; fields that were not sent stay.
  const late = await treasurer.post(path, { version, "code.fees:admin": "200" });
  expect(late).toMatchObject({ status: 409 });
  expect(late.html).toContain("Somebody has saved these accounts since you opened them.");
});

test("JRN-2, JRN-3: days of any year that were never exported are counted, the form begins with the first, and each file has a line of its own", async () => {
  treasurer = await site.logIn("treasurer");
  await make();
  const about = async () => (await treasurer.get("/admin/journal")).html;
  expect(await about()).toContain("Every past day has been exported, and nothing has changed since.");
  // Twelve accounts on each day of six years: more values than a statement may have parameters.
  await site.pool.query(
    `insert into book_days (day, subject, provider, account, is_refund, movements, amount_cents)
     select day::date, 'donation', 'payway', 'donations:fund-' || fund, false, 1, case when fund > 6 then 100 else -100 end
       from generate_series('2012-07-01'::date, '2018-06-30'::date, '1 day') day, generate_series(1, 12) fund`,
  );
  const html = await about();
  expect(html).toContain("2,191 days are still to be exported. A day is exported once.");
  expect(html).toMatch(/name="from"[^>]*value="2012-07-01"/);
  expect((await make("2012-07-01")).status).toBe(303);
  const done = await about();
  expect(done).toContain("Every past day has been exported, and nothing has changed since.");
  expect(done).toContain('<td class="num v-c" data-l="Journals">2,191');
  const files = [...readPage(done).querySelectorAll("tbody li")].map((line) => line.querySelectorAll("a").length);
  expect(files.length).toBeGreaterThan(80);
  expect(new Set(files)).toEqual(new Set([1]));
});
