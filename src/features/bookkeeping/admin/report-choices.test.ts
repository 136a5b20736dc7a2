import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, dayInSydney } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { monthOf, yearBefore, yearOf } from "../periods.ts";
import { listReportChoices } from "../server/report.ts";

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  treasurer = await site.logIn("treasurer");
});
afterAll(() => site.close());

const thisYear = () => yearOf(dayInSydney(site.clock.now()));

test("REP-8: a value that does not exist, or has not begun, is reported at its field, and the rest applies", async () => {
  const open = async (query: string) => {
    const page = readPage((await treasurer.get(`/admin/reports?${query}`)).html);
    const errors = [...page.querySelectorAll(".filters .err")].map(({ id }) => id);
    return { errors, period: page.querySelector("select[name=period] option[selected]")?.getAttribute("value") };
  };
  const year = thisYear().key;
  expect(await open("period=2026-13&fund=none&method=cash")).toEqual({
    errors: ["filter-period-error", "filter-fund-error", "filter-method-error"],
    period: year,
  });
  expect(await open("period=2090-01&method=cc")).toEqual({ errors: ["filter-period-error"], period: year });
  expect((await open("fund=zakat&method=pp")).errors).toEqual([]);
  const month = monthOf(dayInSydney(site.clock.now()));
  const { html } = await treasurer.get("/admin/reports");
  expect([month, monthOf(addDays(month.last, 1))].map(({ key }) => html.includes(`value="${key}"`))).toEqual([
    true,
    false,
  ]);
});

test("REP-8: the periods to choose from begin with the first booked day, and with this year while there is none", async () => {
  const now = site.clock.now();
  expect((await listReportChoices(site.database, now)).years).toEqual([thisYear()]);
  const before = yearBefore(thisYear());
  await site.pool.query(
    `insert into book_days (day, subject, provider, account, is_refund, movements, amount_cents)
     values ($1, 'donation', 'payway', 'donations:zakat', false, 1, -100)`,
    [before.last],
  );
  expect((await listReportChoices(site.database, now)).years).toEqual([thisYear(), before]);
});
