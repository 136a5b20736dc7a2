import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRefund } from "#database/factories.ts";
import { dayInSydney } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { monthOf } from "../periods.ts";

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  treasurer = await site.logIn("treasurer");
});
afterAll(() => site.close());

const openReport = async (period: string) => readPage((await treasurer.get(`/admin/reports?period=${period}`)).html);

test("REP-2: the funds and fees of a report add up to what was given and refunded, also in a month without gifts", async () => {
  await site.give(await site.visitor());
  const { rows } = await site.pool.query("select id, created_at from payment_attempts");
  const returns = { "donations:zakat": 2500, "fees:admin": 125, "fees:merchant": 40 };
  await makeRefund(site.database, rows[0].id, returns);
  // No refund comes before its payment, but the month needs to be without gifts.
  await makeRefund(site.database, rows[0].id, returns, { settled_at: new Date("2026-01-15T02:00:00Z") });
  const read = async (period: string) => {
    const rowsOf = [...(await openReport(period)).querySelectorAll("section[aria-labelledby=funds] tr:has(td)")];
    return rowsOf.map((row) =>
      ["th", "td[data-l=Share]", "td[data-l=Refunded]", "td.v-c"].map((cell) => {
        const found = row.querySelector(cell);
        for (const hidden of found?.querySelectorAll(".sr") ?? []) hidden.remove();
        return found?.textContent ?? "";
      }),
    );
  };
  expect(await read(monthOf(dayInSydney(rows[0].created_at)).key)).toEqual([
    ["Zakat", "100%", "25.00", "100.00"],
    ["Admin fees", "", "1.25", "5.00"],
    ["Merchant fees", "", "0.40", "1.58"],
    ["Together", "", "26.65", "106.58"],
  ]);
  expect(await read("2026-01")).toEqual([
    ["Zakat", "–", "25.00", "0.00"],
    ["Admin fees", "", "1.25", "0.00"],
    ["Merchant fees", "", "0.40", "0.00"],
    ["Together", "", "26.65", "0.00"],
  ]);
});

test("REP-2: the days of February and those of the year before add up, in a leap year and after it", async () => {
  const given = [
    ["2023-02-28", 1],
    ["2024-02-28", 20],
    ["2024-02-29", 300],
    ["2025-02-28", 4000],
  ] as const;
  for (const [day, cents] of given) {
    await site.pool.query(
      `insert into book_days (day, subject, provider, account, is_refund, movements, amount_cents)
       values ($1, 'donation', 'payway', 'receivable:payway', false, 1, $2)`,
      [day, cents],
    );
  }
  const read = async (period: string) => {
    const page = await openReport(period);
    const column = [...page.querySelectorAll("td[data-l='Year before']")];
    const cents = column.map(({ textContent }) => Math.round(Number(textContent) * 100));
    return { before: cents.filter((one) => one > 0), bars: page.querySelectorAll("svg.months .b1").length };
  };
  expect(await read("2024-02")).toEqual({ before: [1, 1], bars: 2 });
  expect(await read("2025-02")).toEqual({ before: [320, 320], bars: 1 });
});
