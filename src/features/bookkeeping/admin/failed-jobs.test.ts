import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { allFeatures } from "#app/feature.ts";
import { makeDonation } from "#database/factories.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { insertOrder, insertTicketedEvent } from "#test/ticket-rows.ts";
import { emailTitles } from "../server/failed-emails.ts";

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  treasurer = await site.logIn("treasurer");
});
afterEach(() => site.pool.query("delete from pgboss.job"));
afterAll(() => site.close());

const path = "/admin/failed-jobs";

async function fail(data: object, message: string): Promise<string> {
  const id = randomUUID();
  await site.pool.query(
    `insert into pgboss.job (id, name, data, output, source_name, source_created_on)
     values ($1, 'failed', $2, $3, 'emails', now() - interval '1 day')`,
    [id, JSON.stringify(data), JSON.stringify({ message })],
  );
  return id;
}
const waiting = async () =>
  (await site.pool.query("select data from pgboss.job where name = 'emails' and state = 'created'")).rows.map(
    ({ data }) => data,
  );
const acts = async (verb: string) =>
  (await site.pool.query("select subject_id, reason from audit_trail where verb = $1", [verb])).rows;
const cells = (html: string) =>
  [...readPage(html).querySelectorAll("tbody tr")].map((row) =>
    [...row.children].slice(0, 3).map(({ textContent }) => textContent),
  );

test("JOB-1, DASH-4: list and dashboard say which email failed, the list also to which donation it belongs, and why, without personal data", async () => {
  const donationId = await makeDonation(site.database);
  const { rows } = await site.pool.query("select reference from donations where id = $1", [donationId]);
  const error = "550 5.1.1 Amina Raza's mailbox (amina) is unknown";
  await fail({ template: "receipt", donationId }, error);
  await fail({ template: "welcome", userId: 7, emailId: randomUUID() }, "something odd about Amina");
  const dashboard = readPage((await treasurer.get("/admin")).html).querySelector("main")!.textContent!;
  expect(dashboard).toContain("2 emails could not be sent: ");
  expect(dashboard).toContain(`Receipt, to the donor (${rows[0].reference})`);
  expect(dashboard).not.toContain("Amina");
  const { html } = await treasurer.get(path);
  expect(cells(html).sort()).toEqual([
    ["Receipt, to the donor", rows[0].reference, "The mail server refused the recipient’s address."],
    ["Welcome, to a new account", "–", "Something went wrong on our side; see the log."],
  ]);
  expect(html.slice(html.indexOf("<main"))).not.toContain("Amina");
  expect(readPage(html).querySelector("tbody a")?.getAttribute("href")).toBe(`/admin/donations/${donationId}`);
});

test("JOB-1: an email about tickets links to its order", async () => {
  const orderId = await insertOrder(site.database, await insertTicketedEvent(site.database));
  const id = await fail({ template: "tickets", orderId }, "ECONNREFUSED");
  const page = readPage((await treasurer.get(path)).html);
  const link = page.querySelector(`tr[data-id="${id}"] a`)!;
  expect([link.getAttribute("href"), link.textContent]).toEqual([
    `/admin/orders/${orderId}`,
    expect.stringMatching(/^T-/),
  ]);
  await site.pool.query("delete from pgboss.job where id = $1", [id]);
});

test("JOB-1: every email that a feature writes has a name in the list", () => {
  const written = allFeatures.flatMap(({ emails }) => Object.keys(emails));
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter((template) => emailTitles[template] === undefined)).toEqual([]);
});

test("JOB-2: a failed email is sent again once, even if two people press twice", async () => {
  const data = { template: "receipt", donationId: randomUUID() };
  const id = await fail(data, "ECONNREFUSED");
  const other = await site.logIn("administrator");
  const presses = await Promise.all([treasurer, treasurer, other].map((one) => one.post(`${path}/${id}/retry`)));
  expect(presses.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  expect(await waiting()).toEqual([data]);
  expect(await acts("job.retry")).toEqual([{ subject_id: id, reason: "" }]);
  const { html } = await treasurer.post(`${path}/${id}/retry`);
  expect(html).toContain("Somebody has retried or discarded this email in the meantime. Nothing was changed.");
});

test("JOB-3: all failed emails are sent again, each once, even if two people do so at the same time", async () => {
  const all = Array.from({ length: 20 }, () => ({ template: "receipt", donationId: randomUUID() }));
  for (const data of all) await fail(data, "ECONNREFUSED");
  const other = await site.logIn("administrator");
  const presses = await Promise.all([treasurer, other].map((one) => one.post(`${path}/retry-all`)));
  expect(presses.map(({ status }) => status)).toContain(303);
  const ids = ({ donationId }: { donationId: string }) => donationId;
  expect((await waiting()).map(ids).sort()).toEqual(all.map(ids).sort());
  expect((await treasurer.post(`${path}/retry-all`)).status).toBe(409);
});

test("JOB-4: an email is discarded with a reason; an auditor can do neither", async () => {
  const id = await fail({ template: "receipt", donationId: randomUUID() }, "ECONNREFUSED");
  const auditor = await site.logIn("auditor");
  for (const act of [`${id}/retry`, `${id}/discard`, "retry-all"]) {
    expect((await auditor.post(`${path}/${act}`, { reason: "no reason" })).status).toBe(403);
  }
  expect(readPage((await auditor.get(path)).html).querySelectorAll("main form")).toHaveLength(0);
  const empty = await treasurer.post(`${path}/${id}/discard`, { reason: "" });
  expect(empty.status).toBe(422);
  expect(readPage(empty.html).querySelector("details[open] .err")?.textContent).toBe(
    "Write why this email is not needed any more.",
  );
  expect((await treasurer.post(`${path}/${id}/discard`, { reason: "Sent by hand" })).status).toBe(303);
  expect(await waiting()).toEqual([]);
  expect(await acts("job.discard")).toEqual([{ subject_id: id, reason: "Sent by hand" }]);
});
