import { afterAll, beforeAll, expect, test } from "vitest";
import { listHoldings, rulesOf } from "#app/holdings.ts";
import { applyRetention } from "#shared/retention/retention.ts";
import { PASSWORD, registerUser } from "../accounts.ts";
import { doEverything, leaver } from "../leaver.ts";
import { addRareRows, dropChecks, mark, markerOf } from "../marked-columns.ts";
import { findText } from "../personal-data.ts";
import { openTestSite, type TestSite, type Visitor } from "../site.ts";

const YEAR_MS = 366 * 86_400_000;
/** The negative control: a personal column that nothing exports and nothing erases. */
const planted = "donations.dedication";

let site: TestSite;
let visitor: Visitor;
let personal: string[];
let exported: string[];
beforeAll(async () => {
  site = await openTestSite();
  const { firstName, lastName, email, mobile } = leaver;
  const registered = await registerUser(site, undefined, { firstName, lastName, email, mobile });
  visitor = registered.visitor;
  await doEverything(site, visitor, registered.user.id);
  await addRareRows(site);
  await site.pool.query("alter table donations add column dedication text");
  const holdings = listHoldings(site.services);
  const kept = new Set(holdings.flatMap(({ notExported = [] }) => notExported));
  personal = rulesOf(holdings).flatMap(({ columns }) => columns.filter((column) => !column.startsWith("pgboss.")));
  exported = [...new Set(personal)].filter((column) => !kept.has(column));
  await dropChecks(site);
  for (const column of [...exported, planted]) await mark(site, column);
  // The download has the emails that went to the confirmed address.
  await site.pool.query("update mailbox_messages set recipient = $1", [markerOf("users.email")]);
  await site.pool.query("update users set email_verified_at = now()");
});
afterAll(() => site.close());

test("PRO-12, SEC-9: every personal column is in the download, or declared to be left out of it", async () => {
  const text = (await visitor.ask({ url: "/api/my-data" })).body;
  const isThere = (column: string) =>
    [markerOf(column), Buffer.from(markerOf(column)).toString("base64")].some((marker) => text.includes(marker));
  const missing = [...exported, planted].filter((column) => !isThere(column));
  const { donations, tickets } = JSON.parse(text);
  const refunded = (bought: { refunds: unknown[] }) => bought.refunds.length > 0;
  expect([donations, tickets].map((some) => some.filter(refunded).length)).toEqual([1, 2]);
  expect(missing, "add them to the exportOf of their feature's holdings, or to notExported with the reason").toEqual([
    planted,
  ]);
  const undeclared = listHoldings(site.services)
    .flatMap(({ notExported = [] }) => notExported)
    .filter((column) => !personal.includes(column));
  expect(undeclared, "notExported names what no rule keeps").toEqual([]);
});

test("PRO-11, SEC-9: every column of the download is erased once its account is closed and its time is over", async () => {
  expect(await visitor.post("/api/close-account", { password: PASSWORD })).toMatchObject({ code: "200" });
  site.clock.advance(8 * YEAR_MS);
  await applyRetention(site.services, rulesOf(listHoldings(site.services)));
  const left = await findText(site.pool, ["⟦"]);
  expect(left, "let the erase and release of their feature's holdings empty them").toEqual([planted]);
});
