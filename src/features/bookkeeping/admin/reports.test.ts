import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { postToLedger } from "#payments/settle.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { splitCents } from "#shared/money.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import { readPage } from "#test/read-page.ts";
import { monthOf, type Period, periodBefore, yearBefore, yearOf } from "../periods.ts";
import { countNewEntries, keepBookDays } from "../server/book-days.ts";
import { keepDonorCounts, listPeriods, readDonorCounts } from "../server/donor-counts.ts";
import { readJournal } from "../server/journal.ts";

const ACTS = isLongRun ? 1000 : 300;
const ROUNDS = isLongRun ? 8 : 4;
const hour = 3_600_000;

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  treasurer = await site.logIn("treasurer");
  await play(ACTS);
});
afterAll(() => site.close());

const dice = seededRandom(20_261_123);
const below = (most: number) => Math.floor(dice() * most);
const funds = ["zakat", "education", "qurban"] as const;

type Paid = { readonly id: string; readonly cents: Map<string, number>; readonly at: Date; left: number };
const paid: Paid[] = [];

/** Donations of the last two years, paid or not, some of them refunded in part or whole, then or months later. */
async function play(acts: number) {
  const now = site.clock.now().getTime();
  for (let act = 0; act < acts; act += 1) {
    if (paid.length > 0 && dice() < 0.2) await refund(paid[below(paid.length)]!, now);
    else await give(new Date(now - below(700) * 24 * hour - below(24 * hour)));
  }
}

async function give(at: Date) {
  const fund = funds[below(funds.length)]!;
  const [line, admin, merchant] = [100 + below(50_000), below(500), below(300)];
  const total = line + admin + merchant;
  const method = dice() < 0.7 ? "cc" : "pp";
  const email = dice() < 0.05 ? "" : `Donor${below(200)}@example.org`;
  const donation = {
    subtotal_cents: line,
    admin_fee_cents: admin,
    merchant_fee_cents: merchant,
    total_cents: total,
    method,
    email,
    created_at: at,
  } as const;
  const gift = { fund, unit_cents: line, line_cents: line, admin_share_cents: admin, merchant_share_cents: merchant };
  const donationId = await makeDonation(site.database, { donation, line: gift });
  const isPaid = dice() < 0.85;
  const provider = method === "cc" ? "payway" : "braintree";
  const changes = { provider, amount_cents: total, state: isPaid ? "succeeded" : "failed", created_at: at } as const;
  const id = await makeAttempt(site.database, donationId, { ...changes, sent_at: at, lease_until: null });
  if (!isPaid) return;
  const cents = new Map([
    [`donations:${fund}`, line],
    ["fees:admin", admin],
    ["fees:merchant", merchant],
  ]);
  const credits = [...cents].map(([account, credited]) => ({ account, cents: -credited }));
  const settledAt = new Date(at.getTime() + below(3) * hour);
  await site.database
    .transaction()
    .execute((transaction) =>
      postToLedger(
        transaction,
        { attemptId: id },
        [{ account: `receivable:${provider}`, cents: total }, ...credits],
        settledAt,
      ),
    );
  paid.push({ id, cents, at, left: total });
}

async function refund(payment: Paid, now: number) {
  if (payment.left === 0) return;
  const amount = dice() < 0.5 ? payment.left : 1 + below(payment.left);
  payment.left -= amount;
  const at = new Date(Math.min(now, payment.at.getTime() + below(200) * 24 * hour));
  const accounts = [...payment.cents.keys()];
  const parts = splitCents(amount, [...payment.cents.values()]);
  const returns = Object.fromEntries(accounts.map((account, index) => [account, parts[index]!]));
  for (const account of accounts) payment.cents.set(account, payment.cents.get(account)! - returns[account]!);
  await makeRefund(site.database, payment.id, returns, { settled_at: at, created_at: at });
}

const cents = (text: string | null | undefined) => Math.round(Number((text ?? "").replace(/[^\d.-]/g, "")) * 100);

const readLink = (cell: Element | null | undefined) => {
  const path = cell?.querySelector("a")?.getAttribute("href");
  return path === undefined || path === null ? null : new URL(path, "http://site");
};

/** The rows of the table by their ids: each cell by the word that it has on phones. */
function readRows(page: Document, table: string) {
  return [...page.querySelectorAll(`section[aria-labelledby=${table}] tr[data-id]`)].map((row) => {
    const cells = [...row.querySelectorAll("td")].map((cell) => [cell.dataset.l ?? "Given", cell] as const);
    const linkOf = (name: string) => readLink(cells.find(([label]) => label === name)?.[1]);
    return {
      id: row.getAttribute("data-id")!,
      isTotal: row.closest("tfoot") !== null,
      link: linkOf("Given"),
      linkOf,
      get: (name: string) => {
        const cell = cells.find(([label]) => label === name)?.[1].cloneNode(true) as HTMLElement | undefined;
        for (const hidden of cell?.querySelectorAll(".sr") ?? []) hidden.remove();
        return cents(cell?.textContent);
      },
    };
  });
}

/** The list that a row adds up. A figure of zero has no link, so its list is made from the row's place. */
function listBehind({ id, isTotal, link }: ReturnType<typeof readRows>[number], period: Period, query = "") {
  if (link !== null) return link;
  const isStep = /^\d/.test(id);
  const step = period.kind === "year" ? monthOf : (day: string) => ({ first: day, last: day });
  const { first, last } = isStep && !isTotal ? step(id) : period;
  const rest = isStep ? "" : funds.some((fund) => fund === id) ? `&fund=${id}` : `&method=${id}`;
  return new URL(`http://site/?from=${first}&to=${last}${query}${rest}`);
}

/** What the list at an address adds up to: total, or only the lines of its fund; and how many. */
async function readList({ searchParams }: URL) {
  const read = (name: string) => searchParams.get(name);
  const [from, to] = [read("from")!, read("to")!];
  const { rows } = await site.pool.query(
    `select count(distinct d.id)::int as count,
       coalesce(sum(case when $3::text is null then d.total_cents else l.line_cents end), 0)::bigint as given
       from donations d join donation_lines l on l.donation_id = d.id
       join payment_attempts a on a.donation_id = d.id
      where a.state not in ('failed', 'cancelled', 'not_found') and d.created_at >= $1 and d.created_at < $2
        and ($3::text is null or l.fund = $3) and ($4::text is null or d.method = $4)`,
    [startOfDayInSydney(from), startOfDayInSydney(addDays(to, 1)), read("fund"), read("method")],
  );
  return { count: rows[0].count as number, given: Number(rows[0].given) };
}

/** The sum of the refunds made between two days, from the refunds' own rows. */
async function readRefunds(first: string, last: string) {
  const { rows } = await site.pool.query(
    `select coalesce(sum(amount_cents), 0)::bigint as cents from refunds
      where state = 'succeeded' and settled_at >= $1 and settled_at < $2`,
    [startOfDayInSydney(first), startOfDayInSydney(addDays(last, 1))],
  );
  return Number(rows[0].cents);
}

const thisYear = () => yearOf(dayInSydney(site.clock.now()));

const queries = ["", "&fund=education", "&fund=qurban&method=pp", "&method=cc", "&method=pp"];

test("REP-1: after hundreds of random donations and refunds each figure of the reports equals the list behind it, and only zeros have no link", async () => {
  const years = [thisYear(), yearBefore(thisYear()), monthOf(yearBefore(thisYear()).first)];
  for (const period of years) {
    for (const query of isLongRun ? queries : queries.slice(0, 3)) {
      const page = readPage((await treasurer.get(`/admin/reports?period=${period.key}${query}`)).html);
      const rows = [...readRows(page, "figures"), ...readRows(page, "funds"), ...readRows(page, "methods")];
      expect(rows.length).toBeGreaterThan(3);
      for (const row of rows) {
        const list = await readList(listBehind(row, period, query));
        const shown = { count: row.get("Donations") / 100, given: row.get("Given") };
        expect(shown, `${period.key}${query} ${row.id}`).toEqual(list);
        expect(row.link === null, `${period.key}${query} ${row.id}`).toBe(list.given === 0);
      }
    }
  }
});

/** The sums that a list shows above its rows, by their names. */
async function readSums({ pathname, search }: URL): Promise<ReadonlyMap<string, Element>> {
  for (let time = 0; ; time += 1) {
    const page = readPage((await treasurer.get(`${pathname}${search}`)).html);
    const sums = new Map([...page.querySelectorAll("#sums dt")].map((dt) => [dt.textContent, dt.parentElement!]));
    // On a busy machine the list may not add them up in time.
    if (sums.size > 0 || time === 20) return sums;
  }
}
const sumOf = (sums: ReadonlyMap<string, Element>, name: string) =>
  cents(sums.get(name)?.querySelector("dd")?.textContent);

test("REP-1: the list behind a figure of one fund says what that fund was given, and how many donations were paid", async () => {
  const { key } = monthOf(yearBefore(thisYear()).first);
  const page = readPage((await treasurer.get(`/admin/reports?period=${key}`)).html);
  const rows = readRows(page, "funds");
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) {
    const sums = await readSums(row.link!);
    expect(sumOf(sums, [...sums.keys()].find((name) => name.startsWith("Given to "))!)).toBe(row.get("Given"));
    const [, paid] = /of which (\S+) w/.exec(sums.get("Donations found")!.textContent!) ?? [];
    expect(paid === "one" ? 100 : paid ? cents(paid) : sumOf(sums, "Donations found")).toBe(row.get("Donations"));
  }
});

longTest(
  "REP-7: each figure of refunds links to the refunds that add up to it, whenever the donations were, and each of fees to the donations that brought them",
  async () => {
    let refunded = 0;
    const [year, month] = [thisYear().key, monthOf(yearBefore(thisYear()).first).key];
    const filters = ["", "&method=pp", "&fund=education"];
    const chosen: Readonly<Record<string, readonly string[]>> = {
      [year]: isLongRun ? filters : filters.slice(0, 1),
      [month]: isLongRun ? filters : filters.slice(1),
    };
    for (const [key, queries] of Object.entries(chosen)) {
      for (const query of queries) {
        const page = readPage((await treasurer.get(`/admin/reports?period=${key}${query}`)).html);
        const rows = [...readRows(page, "figures"), ...readRows(page, "funds"), ...readRows(page, "methods")];
        // Checks the totals and some of the other figures, because each check opens two lists.
        const step = isLongRun ? 4 : 12;
        for (const row of rows.filter(({ isTotal }, place) => isTotal || place % step === 0)) {
          const about = `${key}${query} ${row.id}`;
          const refunds = row.linkOf("Refunded");
          expect(refunds === null, about).toBe(row.get("Refunded") === 0);
          if (refunds !== null) expect(sumOf(await readSums(refunds), "Refunded"), about).toBe(row.get("Refunded"));
          refunded += row.get("Refunded");
          const list = row.linkOf("Fees");
          if (list !== null) expect(sumOf(await readSums(list), "Of which fees"), about).toBe(row.get("Fees"));
        }
        const fees = [...page.querySelectorAll("section[aria-labelledby=funds] tbody tr:not([data-id])")];
        for (const [place, row] of fees.entries()) {
          for (const cell of row.querySelectorAll("td:has(a)")) {
            const sums = await readSums(readLink(cell)!);
            const parts = sums.get("Of which fees")?.querySelector(".small")?.textContent ?? "0,0";
            expect(cents(cell.querySelector("a")!.firstChild!.textContent)).toBe(cents(parts.split(",")[place]));
          }
        }
        expect(fees).toHaveLength(query === "&fund=education" ? 0 : 2);
      }
    }
    expect(refunded).toBeGreaterThan(0);
  },
);

test("DASH-3: the dashboard's figures of this month, and of the same days last month, equal the lists behind them", async () => {
  const today = dayInSydney(site.clock.now());
  const month = monthOf(today);
  const before = periodBefore(month);
  const sameDay = addDays(before.first, Number(today.slice(8)) - 1);
  const page = readPage((await treasurer.get("/admin")).html);
  const table = [...page.querySelectorAll("table tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cents(cell.textContent)),
  );
  const spans = [
    [month.first, today],
    [before.first, sameDay < before.last ? sameDay : before.last],
  ] as const;
  for (const [column, [from, to]] of spans.entries()) {
    const list = await readList(new URL(`https://example.org/admin/donations?from=${from}&to=${to}`));
    const shown = table.map((row) => row[column]);
    const average = list.count === 0 ? 0 : Math.round(list.given / list.count);
    expect(shown).toEqual([list.given, list.count * 100, average, await readRefunds(from, to)]);
  }
});

test("REP-2: a refund counts in its own month, and given less refunded is what the ledger says", async () => {
  let net = 0;
  for (const period of [thisYear(), yearBefore(thisYear()), periodBefore(yearBefore(thisYear()))]) {
    const page = readPage((await treasurer.get(`/admin/reports?period=${period.key}`)).html);
    const rows = readRows(page, "figures");
    for (const row of rows) {
      const { searchParams } = listBehind(row, period);
      expect(row.get("Refunded")).toBe(await readRefunds(searchParams.get("from")!, searchParams.get("to")!));
      expect(row.get("Net")).toBe(row.get("Given") - row.get("Refunded"));
    }
    net += rows.find(({ isTotal }) => isTotal)!.get("Net");
    const funds = readPage((await treasurer.get(`/admin/reports?period=${period.key}`)).html);
    expect(cents(funds.querySelector("section[aria-labelledby=funds] tfoot .v-c")?.textContent)).toBe(
      rows.find(({ isTotal }) => isTotal)!.get("Given"),
    );
  }
  const { rows } = await site.pool.query(
    "select sum(amount_cents)::bigint as cents from ledger_entries where account like 'receivable:%'",
  );
  expect(net).toBe(Number(rows[0].cents));
});

test("REP-3: donors are new, returning or lapsed by their address, and the median is that of the donations", async () => {
  const period = yearBefore(thisYear());
  const page = readPage((await treasurer.get(`/admin/reports?period=${period.key}`)).html);
  const { rows } = await site.pool.query(
    `select lower(email) as donor, d.created_at as at, total_cents as cents from donations d
       join payment_attempts a on a.donation_id = d.id where a.state <> 'failed' order by total_cents`,
  );
  const inside = ({ first, last }: typeof period) =>
    rows.filter(({ at }) => dayInSydney(at) >= first && dayInSydney(at) <= last);
  const donors = (some: typeof rows) => new Set(some.map(({ donor }) => donor).filter(Boolean));
  const gave = donors(inside(period));
  const earlier = donors(rows.filter(({ at }) => dayInSydney(at) < period.first));
  const before = donors(inside(periodBefore(period)));
  const shown = [...page.querySelectorAll("section[aria-labelledby=methods] dd")].map((cell) =>
    Number.parseInt(cell.textContent!.replace(",", ""), 10),
  );
  const fresh = [...gave].filter((donor) => !earlier.has(donor)).length;
  const lapsed = [...before].filter((donor) => !gave.has(donor)).length;
  expect(shown).toEqual([gave.size, fresh, gave.size - fresh, lapsed]);
  const sorted = inside(period).map(({ cents }) => Number(cents));
  const middle = (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
  const sums = [...page.querySelectorAll(".sums dd")].map(({ textContent }) => cents(textContent));
  expect(sums.at(-1)).toBe(Math.round(middle));
});

test("REP-4: totals follow the ledger immediately, and are counted again if they ever differ from it", async () => {
  const total = async () => {
    const page = readPage((await treasurer.get(`/admin/reports?period=${thisYear().key}`)).html);
    return cents(page.querySelector(".sums dd")?.textContent);
  };
  const before = await total();
  await site.give(await site.visitor());
  expect(await total()).toBe(before + 10_658);
  await site.pool.query("update book_days set amount_cents = amount_cents + 100 where account like 'receivable:%'");
  expect(await total()).not.toBe(before + 10_658);
  await keepBookDays(site.database, site.clock.now());
  expect(await total()).toBe(before + 10_658);
});

test("REP-5: an auditor sees reports, without links to who gave Zakat or Qurban", async () => {
  const auditor = await site.logIn("auditor");
  const page = readPage((await auditor.get(`/admin/reports?period=${thisYear().key}`)).html);
  const links = readRows(page, "funds").map(({ id, link }) => [id, link !== null]);
  expect(Object.fromEntries(links)).toEqual({ zakat: false, education: true, qurban: false });
});

test("REP-7: refunds of gifts to a fund that shows faith are listed only with the right to see it, and that is recorded", async () => {
  const auditor = await site.logIn("auditor");
  const path = "/admin/refunds/made?fund=zakat";
  const refused = readPage((await auditor.get(path)).html);
  expect(refused.getElementById("filter-fund-error")?.textContent).toContain("You may not see");
  expect(refused.getElementById("filter-fund")?.textContent).not.toContain("Zakat");
  await treasurer.get(path);
  const { rows } = await site.pool.query(
    "select actor, after from audit_trail where verb = 'faith.list' order by id desc limit 1",
  );
  expect(rows).toEqual([{ actor: treasurer.name, after: { filter: { fund: "zakat" } } }]);
});

test("REP-6: the donors of a period that were counted in advance are those that are counted now", async () => {
  const now = site.clock.now();
  await keepBookDays(site.database, now);
  await keepDonorCounts(site.database, now);
  // Only periods since the first gift are kept.
  const { rows } = await site.pool.query("select min(day) as first from book_days where subject = 'donation'");
  const periods = listPeriods(rows[0].first, dayInSydney(now));
  const [kept, counted] = await Promise.all(
    [false, true].map((isLive) => readDonorCounts(site.database, periods, { isLive, now })),
  );
  expect(kept!.size).toBeGreaterThan(24);
  expect(kept).toEqual(counted);
});

longTest(
  "JRN-3: whatever is exported in between, each journal sums to zero and all together say what the ledger says",
  async () => {
    const yesterday = addDays(dayInSydney(site.clock.now()), -1);
    const make = (from: string, to: string) => treasurer.post("/admin/journal/make", { from, to });
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = addDays(yesterday, -below(700));
      const { status } = await make(from, addDays(from, below(60)));
      expect([303, 409, 422]).toContain(status);
      await play(30);
    }
    await countNewEntries(site.database);
    const { rows } = await site.pool.query("select min(day) as first from book_days");
    expect((await make(rows[0].first, yesterday)).status).toBe(303);
    // Any change to a day that is over leads to a correction.
    await play(30);
    await countNewEntries(site.database);
    expect((await make(rows[0].first, yesterday)).status).toBe(303);
    expect((await make(rows[0].first, yesterday)).status).toBe(409);

    const journals = await readJournal(site.database, { first: rows[0].first, last: yesterday });
    expect(journals.filter(({ part }) => part > 1).length).toBeGreaterThan(5);
    const all = new Map<string, number>();
    for (const { lines } of journals) {
      expect(lines.reduce((sum, line) => sum + line.cents, 0)).toBe(0);
      for (const { account, cents: moved } of lines) all.set(account, (all.get(account) ?? 0) + moved);
    }
    const ledger = await site.pool.query(
      `select account, sum(e.amount_cents)::bigint as cents from ledger_entries e join payment_attempts a on a.id = e.attempt_id
        where case when e.refund_id is null then a.created_at else e.at end < $1 group by account`,
      [startOfDayInSydney(addDays(yesterday, 1))],
    );
    const expected = Object.fromEntries(ledger.rows.map(({ account, cents: moved }) => [account, Number(moved)]));
    expect(Object.fromEntries(all)).toEqual(expected);
  },
);
