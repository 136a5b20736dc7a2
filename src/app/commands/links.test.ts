import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { runOnSite, runWithin } from "#test/run-command.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { linksCommand } from "./links.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const REFUSED = 1;
const run = (...words: string[]) => runWithin(site.services, linksCommand, words, REFUSED);

/** As a separate process on the site's database. */
const runAsProcess = (...words: string[]) => runOnSite(site, join(import.meta.dirname, "links.ts"), words);

const statusOf = async (url: string) => (await site.app.inject(url)).statusCode;

longTest(
  "SEC-8: the command revokes the links to a receipt, an order or an application, and logs it without personal data",
  async () => {
    const { answer } = await site.give(await site.visitor());
    const { rows } = await site.pool.query(
      "select number, d.reference from receipts join donations d on d.id = donation_id order by number desc limit 1",
    );
    const number = `R-${String(rows[0].number).padStart(6, "0")}`;
    const { slug } = await makeTicketedEvent(site.database);
    const { order } = await createBuyer(site, await site.visitor()).book(slug, [{ type: "vip", quantity: 1 }]);
    const path = `/ticket-orders/${order.id}/tickets.pdf?key=${order.key}`;
    expect([await statusOf(answer.data.receiptUrl), await statusOf(path)]).toEqual([200, 200]);
    const ended = await runAsProcess("revoke", number);
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^All existing links to ${number} have been revoked`)),
    });
    expect(JSON.parse(ended.stderr)).toMatchObject({ audit: "links_revoked", by: "staff" });
    expect([await statusOf(answer.data.receiptUrl), await statusOf(path)]).toEqual([410, 200]);
    expect((await run("revoke", order.reference)).code).toBe(0);
    expect(await statusOf(path)).toBe(410);
    const reference = "V-7KQ2-M9XW-4TBC";
    await makeApplication(site.database, { reference });
    for (const other of [reference, rows[0].reference]) expect((await run("revoke", other)).code).toBe(0);
    const revocations = (await site.pool.query("select path, revoked_by from link_revocations")).rows;
    expect(revocations).toHaveLength(4);
    expect(JSON.stringify([ended, revocations])).not.toMatch(/Amina|example\.com|key=/);
  },
);

test("AUD-4: the audit trail has whose links the command revoked", async () => {
  const reference = "V-DDDD-EEEE-FFFF";
  const id = await makeApplication(site.database, { reference });
  expect((await run("revoke", reference)).code).toBe(0);
  const { rows } = await site.pool.query("select verb, actor, subject from audit_trail where subject_id = $1", [id]);
  expect(rows).toEqual([{ verb: "application.end-links", actor: "Command on the server", subject: "application" }]);
});

test("DON-31: the command sends a new link, and shows neither the link nor the address", async () => {
  const reference = "V-AAAA-BBBB-CCCC";
  const id = await makeApplication(site.database, { reference, email: "sana@example.com" });
  const { code, stdout, stderr } = await run("send", reference);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `A new link to ${reference} is queued. The running site emails it.\n`,
    stderr: "",
  });
  const { rows } = await site.pool.query("select data from pgboss.job where data->>'template' = 'new-link'");
  expect(rows.map(({ data }) => data)).toEqual([expect.objectContaining({ kind: "application", id })]);
});

test("SEC-8: bad input is refused with a message, and nothing is changed", async () => {
  const cases: [string[], RegExp][] = [
    [[], /npm run links -- revoke R-000123/],
    [["revoke"], /npm run links -- revoke R-000123/],
    [["end", "R-000001"], /npm run links -- revoke R-000123/],
    [["revoke", "R-1"], /npm run links -- revoke R-000123/],
    [["revoke", "R-000001", "R-000002"], /npm run links -- revoke R-000123/],
    [["revoke", "R-999999"], /Nothing has the number or reference R-999999\. Nothing was changed\./],
    [["send", "T-0000-0000-0000"], /Nothing has the number or reference T-0000-0000-0000/],
  ];
  for (const [words, text] of cases) {
    const { code, stdout, stderr } = await run(...words);
    expect(`${stdout}${stderr}`).toMatch(text);
    expect(code).toBe(1);
  }
});
