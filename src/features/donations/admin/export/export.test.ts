import { readFileSync } from "node:fs";
import { get as httpGet } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeManyDonations, makeRefund, makeUser } from "#database/factories.ts";
import { withoutFormula } from "#shared/csv.ts";
import { plainDollars } from "#shared/money.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { longTest } from "#test/long-test.ts";
import { exportColumns } from "./export-columns.ts";

type Browser = Awaited<ReturnType<AdminSite["logIn"]>>;

let site: AdminSite;
let treasurer: Browser;
let origin: string;
let secret: string;

beforeAll(async () => {
  site = await openAdminSite();
  treasurer = await site.logIn("treasurer");
  const { database } = site.services;
  const donation = await makeDonation(database, {
    donation: {
      first_name: "=1+1",
      last_name: 'Quote "and", comma',
      email: "@amina",
      created_at: new Date("2026-01-31T12:59:00Z"),
    },
  });
  const attempt = await makeAttempt(database, donation, { state: "succeeded", provider_transaction_id: "1234567" });
  const at = new Date("2026-02-03T00:00:00Z");
  await makeRefund(database, attempt, { "donations:zakat": 2500 }, { created_at: at, sent_at: at, settled_at: at });
  secret = await makeDonation(database, {
    donation: { is_anonymous: true, first_name: "", last_name: "", created_at: new Date("2026-01-30T00:00:00Z") },
  });
  await makeAttempt(database, secret, { state: "failed" });
  await site.app.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`;
});
afterAll(() => site.close());

const linesOf = (text: string) => text.split("\r\n");
const addressOf = (query: Record<string, string>, ending = "csv") =>
  `/admin/donations.${ending}?${new URLSearchParams(query)}`;

test("DESK-7: CSV has named columns, refunds as rows, plain amounts, and no formula", async () => {
  const { status, html, headers } = await treasurer.get(addressOf({ to: "2026-12-31" }));
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(headers["content-disposition"]).toMatch(
    /^attachment; filename="donations_[\d-]+_treasurer-1_to-2026-12-31\.csv"$/,
  );
  const [names, first, refund, last, end] = linesOf(html);
  expect(names).toBe(
    "\ufeffRow,Day,Time,Donation,Receipt,First name,Last name,Email,Postcode,Anonymous,Paid by,State,Amount,Received," +
      "Without fees,Admin fee,Merchant fee,Currency,Provider,Provider reference,Transaction",
  );
  expect(first).toMatch(
    /^Donation,2026-01-31,23:59:00,D-[\w-]+,,'=1\+1,"Quote ""and"", comma",'@amina,2144,No,Card,Partly refunded,106\.58,106\.58,100\.00,5\.00,1\.58,AUD,payway,P-[\w-]+,1234567$/,
  );
  expect(refund).toMatch(/^Refund,2026-02-03,11:00:00,D-.*,-25\.00,-25\.00,-25\.00,0\.00,0\.00,AUD,payway,R-/);
  expect(last).toMatch(/^Donation,2026-01-30,.*,,,,,,Yes,Card,Declined,106\.58,0\.00,0\.00,0\.00,0\.00,AUD/);
  expect(end).toBe("");
});

test("DESK-7: what shows faith is exported only if asked for and only with the right", async () => {
  const { html } = await treasurer.get(addressOf({ faith: "yes" }));
  expect(linesOf(html)[0]).toMatch(/,For$/);
  expect(linesOf(html)[1]).toMatch(/,Zakat 100\.00$/);
  expect((await treasurer.get(addressOf({}))).html).not.toContain("Zakat");
});

test("DESK-7, DESK-10: an export needs its right and a recent proof, and is recorded with its filter and count, without search words", async () => {
  const auditor = await site.logIn("auditor");
  expect((await auditor.get(addressOf({}))).status).toBe(403);
  await treasurer.get(addressOf({ state: "declined", q: "amina" }));
  await treasurer.get(addressOf({ q: "card 104" }));
  await treasurer.get(addressOf({ q: "card 104", fund: "zakat" }));
  const { rows } = await site.pool.query(
    `select verb, actor, ip_address, subject_id, after from audit_trail
      where verb like 'donations.export%' order by id desc limit 6`,
  );
  const by = { actor: treasurer.name, ip_address: "203.0.113.7", subject_id: "csv" };
  const [begun, whole] = ["donations.export", "donations.export-whole"];
  expect(rows.toReversed()).toEqual([
    { verb: begun, ...by, after: { filter: { state: "declined", q: "with search words" }, withGifts: false } },
    { verb: whole, ...by, after: { donations: 1 } },
    { verb: begun, ...by, after: { filter: { q: "card 104" }, withGifts: false } },
    { verb: whole, ...by, after: { donations: 0 } },
    { verb: begun, ...by, after: { filter: { q: "card 104", fund: "zakat" }, withGifts: true } },
    { verb: whole, ...by, after: { donations: 0 } },
  ]);
  const late = await site.logIn("treasurer");
  await site.pool.query("update staff_sessions set proved_at = proved_at - interval '11 minutes' where staff_id = $1", [
    late.id,
  ]);
  const asked = await late.get("/admin/donations.csv?q=amina");
  expect([asked.status, asked.to]).toEqual([302, "/admin/confirm?next=%2Fadmin%2Fdonations.csv%3Fq%3Damina"]);
});

test("DESK-7: an invalid filter exports nothing, and redirects to the list, which says why", async () => {
  const { status, to } = await treasurer.get(addressOf({ from: "2026-02-30", q: "amina" }));
  expect([status, to]).toEqual([302, "/admin/donations?from=2026-02-30&q=amina"]);
});

longTest("DESK-8: an export that fails breaks off the download, and lets another one begin", async () => {
  const { id } = await makeUser(site.services.database);
  await makeManyDonations(site.services.database, { userId: id, count: 3000 });
  const whole = await download(addressOf({}));
  expect([whole.isWhole, linesOf(whole.text).length]).toEqual([true, 1 + 3 + 3000 + 1]);

  // More rows than fit into buffers, so that some are still to come when the connection is lost.
  await site.pool.query("update donations set postcode = repeat('2144 ', 1000) where id <> $1", [secret]);
  for (let time = 0; time < 4; time += 1) {
    const { isWhole, text } = await download(addressOf({}), endExport);
    expect([isWhole, linesOf(text).length > 500]).toEqual([false, true]);
  }
  expect((await download(addressOf({}))).isWhole).toBe(true);
});

/** Ends the database connection once some rows have been read. */
async function endExport() {
  await expect
    .poll(async () => {
      const { rows } = await site.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
            and query like 'fetch % from exported' and state = 'idle in transaction'`,
      );
      return rows.length;
    })
    .toBe(1);
}

/** Downloads over a real connection, and continues reading once `meanwhile` is done. */
async function download(path: string, meanwhile = async () => {}): Promise<{ isWhole: boolean; text: string }> {
  const { cookie } = treasurer.visitor.identity;
  return new Promise((resolve, reject) => {
    httpGet(`${origin}${path}`, { headers: { cookie } }, (response) => {
      let text = "";
      response.once("close", () => resolve({ isWhole: response.complete, text }));
      response.on("error", () => undefined);
      meanwhile().then(
        () =>
          response.on("data", (chunk) => {
            text += chunk;
          }),
        reject,
      );
    }).on("error", reject);
  });
}

test("DESK-7: every column is documented", () => {
  const page = readFileSync("docs/back-office.md", "utf8");
  for (const { name } of exportColumns) expect(page).toContain(`| ${name} |`);
});

test("DESK-7: no text is a formula, and amounts stay numbers", () => {
  expect(["=a", "+a", "-a", "@a", "\ta", "\ra", "＝a", "a=b"].map(withoutFormula)).toEqual([
    "'=a",
    "'+a",
    "'-a",
    "'@a",
    "'\ta",
    "'\ra",
    "'＝a",
    "a=b",
  ]);
  expect([0, 5, -5, 123_456, -10_000].map(plainDollars)).toEqual(["0.00", "0.05", "-0.05", "1234.56", "-100.00"]);
});
