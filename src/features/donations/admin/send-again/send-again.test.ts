import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
const given: { id: string; email: string }[] = [];

beforeAll(async () => {
  site = await openAdminSite();
  treasurer = await site.logIn("treasurer");
  for (const nth of [1, 2, 3]) {
    const email = `donor-${nth}@example.com`;
    await site.give(await site.visitor(`10.0.${nth}.1`), { changes: { donor_email: email, donorEmail: email } });
    const { rows } = await site.pool.query("select id from donations where email = $1", [email]);
    given.push({ id: rows[0].id, email });
  }
});
afterAll(() => site.close());

const path = "/admin/donations/receipts";
const screen = (ids: readonly string[]) =>
  treasurer.get(`${path}?${new URLSearchParams(ids.map((id) => [`chosen-${id}`, "1"]))}`);
const sentTo = async () => {
  const { rows } = await site.pool.query(
    "select data->>'donationId' as id from pgboss.job where data->>'template' = 'receipt-copy' order by created_on",
  );
  return rows.map(({ id }) => given.find((one) => one.id === id)!.email);
};
const ids = () => given.map(({ id }) => id);

test("DESK-13: the receipts of ticked donations are sent again after a screen that names each, once if pressed twice", async () => {
  const erased = given[2]!.id;
  await site.pool.query("update donations set email = '', first_name = '', last_name = '' where id = $1", [erased]);
  const { html } = await screen(ids());
  const document = readPage(html);
  const rows = [...document.querySelectorAll("tbody tr")].map(({ textContent }) => textContent);
  expect(rows[0]).toContain("Not sent: the donor is erased");
  expect(rows[1]).toContain("Goes to donor-2@example.com");
  expect(document.querySelector(".email")?.textContent).toContain("donor-2@example.com");
  expect(document.querySelector("form#send-again button")?.textContent).toBe("Send 2 receipts");
  const fields = {
    shown: document.querySelector<HTMLInputElement>("[name=shown]")!.value,
    id: [...document.querySelectorAll<HTMLInputElement>("[name=id]")].map(({ value }) => value),
  };
  expect(fields.id).toEqual([given[1]!.id, given[0]!.id]);
  const sent = await treasurer.post(path, fields);
  expect([sent.status, sent.to]).toEqual([303, "/admin/donations"]);
  expect((await treasurer.get("/admin/donations")).html).toContain("2 receipts are on their way.");
  expect((await sentTo()).toSorted()).toEqual(["donor-1@example.com", "donor-2@example.com"]);
  const again = await treasurer.post(path, fields);
  expect(again.html).toMatch(/Not sent: R-\d+: It was sent a moment ago\./);
  expect(await sentTo()).toHaveLength(2);
});

test("DESK-13: what cannot be sent holds up nothing else, and is named with its reason", async () => {
  const shown = new Date(site.clock.now().getTime() + 60_000).toISOString();
  for (let time = 0; time < 2; time += 1) await treasurer.post(path, { shown, id: given[0]!.id });
  const { html } = await treasurer.post(path, { shown, id: [given[0]!.id, given[1]!.id] });
  expect(html).toContain("1 receipt is on its way.");
  expect(html).toMatch(/Not sent: R-\d+: It was sent three times within a day/);
});

test("DESK-13: it needs the right to change donations, and something to send", async () => {
  const auditor = await site.logIn("auditor");
  expect((await auditor.get(path)).status).toBe(403);
  expect((await auditor.post(path, { shown: new Date().toISOString(), id: given[0]!.id })).status).toBe(403);
  expect((await screen([])).html).toContain("No donation was ticked");
  expect((await treasurer.post(path, { shown: "yesterday" })).status).toBe(422);
});
