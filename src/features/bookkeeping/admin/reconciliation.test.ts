import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { addDays, dayInSydney, formatDay } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { createPlanter } from "#test/faults/planted-differences.ts";
import { readPage } from "#test/read-page.ts";
import { insertOrder, insertTicketedEvent } from "#test/ticket-rows.ts";

const minute = 60_000;

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
let day: string;
beforeAll(async () => {
  site = await openAdminSite({ RECONCILE_DAYS: "2" });
  treasurer = await site.logIn("treasurer");
  day = dayInSydney(site.clock.now());
});
afterAll(() => site.close());

const textOf = (html: string, selector: string) =>
  [...readPage(html).querySelectorAll(selector)].map((found) => found.textContent!.replace(/\s+/g, " ").trim());

const compare = (by = treasurer) => by.post(`/admin/reconciliation/${day}/compare`);
const showDay = async (by = treasurer) => (await by.get(`/admin/reconciliation/${day}`)).html;
const openIds = async () =>
  (await site.pool.query("select id from reconciliation_findings where resolved_at is null order by id")).rows.map(
    ({ id }) => Number(id),
  );
const acts = async (verb: string) =>
  (
    await site.pool.query("select subject, subject_id, reason, actor from audit_trail where verb = $1 order by id", [
      verb,
    ])
  ).rows;

test("REC-20: the days say whether the providers' books agree with ours; a day that was not compared is compared on request", async () => {
  await site.give(await site.visitor());
  const { html } = await treasurer.get(`/admin/reconciliation?before=${addDays(day, 1)}`);
  expect(textOf(html, ".empty h2")).toEqual(["No day to compare yet"]);
  expect(textOf(await showDay(), ".empty h2")).toEqual(["Not compared yet"]);

  const done = await compare();
  expect([done.status, done.to]).toEqual([303, `/admin/reconciliation/${day}`]);
  const page = await showDay();
  expect(textOf(page, "tr[data-id=payway] td")).toEqual([
    expect.stringMatching(/\d{4}/),
    "1",
    "106.58",
    "106.58",
    "0.00",
    "Agrees",
  ]);
  const links = [...readPage(page).querySelectorAll("main .hint a")].map((link) => link.getAttribute("href")!);
  expect(links).toEqual(["donations", "orders", "refunds/made"].map((of) => `/admin/${of}?from=${day}&to=${day}`));
  for (const link of links) expect((await treasurer.get(link)).status).toBe(200);
  expect(await acts("reconciliation.compare")).toMatchObject([{ subject_id: day, actor: treasurer.name }]);

  site.clock.advance(2 * 24 * 60 * minute);
  await site.simulator.advance(2 * 24 * 60 * minute);
  // Staff's sessions have ended by then.
  treasurer = await site.logIn("treasurer");
  const list = (await treasurer.get("/admin/reconciliation")).html;
  const today = dayInSydney(site.clock.now());
  expect([...readPage(list).querySelectorAll("tbody tr")].map((row) => row.getAttribute("data-id"))).toEqual([
    addDays(today, -1),
    day,
  ]);
  expect(textOf(list, "tbody .st")).toEqual(["Not compared yet", "Agrees"]);
  await site.pool.query("update reconciliation_runs set ledger_cents = 0 where day = $1", [day]);
  expect(textOf((await treasurer.get("/admin/reconciliation")).html, "tbody .st").at(-1)).toBe("Put right");
  day = today;
});

test("REC-21, DASH-4: a difference shows what the provider has and what we have, and one person closes it once, with a reason", async () => {
  const plant = createPlanter(site);
  await plant.chargeWithoutPayment("payway");
  await compare();
  const [id] = await openIds();
  expect(textOf((await treasurer.get("/admin")).html, ".todo .d").join()).toContain(
    `One difference between a provider’s books and ours is open: $42.00 at PayWay on ${formatDay(day)}`,
  );
  const page = await showDay();
  expect(textOf(page, ".panel h3")).toEqual(["PayWay holds a charge that no payment of ours stands for"]);
  expect(textOf(page, ".panel dd")).toEqual(["$42.00", expect.stringMatching(/^\d+$/), "Nothing"]);
  expect(textOf(page, ".panel p b")).toEqual(["What to do:"]);
  expect(textOf(page, ".panel p").join()).toContain("If it was a gift, take it in as a donation here.");
  const list = (await treasurer.get("/admin/reconciliation")).html;
  expect(readPage(list).querySelector(".todo a")?.getAttribute("href")).toBe(
    `/admin/reconciliation/${day}#difference-${id}`,
  );

  const path = `/admin/reconciliation/${day}/close/${id}`;
  const empty = await treasurer.post(path, { reason: " " });
  expect(empty.status).toBe(422);
  expect(textOf(empty.html, "details[open] .err")).toEqual(["Write why this difference needs nothing more."]);

  const other = await site.logIn("administrator");
  const both = await Promise.all([
    treasurer.post(path, { reason: "The bank tested its terminal" }),
    other.post(path, { reason: "I do not know" }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 409]);
  const lost = both.find(({ status }) => status === 409)!;
  expect(textOf(lost.html, "[role=alert]")[0]).toMatch(/has closed this difference in the meantime/);
  const closed = await acts("difference.close");
  expect(closed).toMatchObject([{ subject: "difference", subject_id: String(id) }]);
  expect(textOf(await showDay(), ".panel p")).toContainEqual(
    expect.stringContaining(`${closed[0].actor} closed it on`),
  );
  expect(textOf(await showDay(), ".panel bdi").at(-1)).toBe(closed[0].reason);
  // Our books do not change, so the sums differ, and nothing says that they agree.
  expect(textOf(await showDay(), "tr[data-id=payway] td").slice(-2)).toEqual(["42.00", "Closed"]);
  await site.pool.query(
    "update reconciliation_findings set closed_at = null, closed_by = null, closed_reason = '' where id = $1",
    [id],
  );
  expect(textOf(await showDay(), "tr[data-id=payway] td").slice(-2)).toEqual(["42.00", "Put right"]);
  await site.pool.query(
    "update reconciliation_findings set closed_at = resolved_at, closed_by = $2, closed_reason = 'A test' where id = $1",
    [id, treasurer.id],
  );
  const trail = textOf((await other.get("/admin/audit")).html, "main").join();
  expect(trail).toContain("closed with a reason difference");
  expect(trail).toContain(`compared again the books of ${formatDay(day)}`);
});

test("REC-22: a closed difference stays closed while the amounts are the same, and opens again if they change", async () => {
  await compare();
  expect(await openIds()).toEqual([]);
  const [{ id }] = (await site.pool.query("select id from reconciliation_findings where closed_at is not null")).rows;
  // As if the provider's amount had been another one when it was closed.
  await site.pool.query("update reconciliation_findings set theirs_cents = 4100 where id = $1", [id]);
  await compare();
  expect(await openIds()).toEqual([Number(id)]);
  await treasurer.post(`/admin/reconciliation/${day}/close/${id}`, { reason: "It was a test after all" });
});

test("REC-23: an auditor sees reconciliation and changes nothing", async () => {
  const auditor = await site.logIn("auditor");
  const plant = createPlanter(site);
  await plant.chargeWithoutPayment("payway");
  await compare();
  const page = await showDay(auditor);
  expect(textOf(page, ".panel h3")).toContain("PayWay holds a charge that no payment of ours stands for");
  expect(page).not.toContain("What to do");
  expect(readPage(page).querySelectorAll("main form")).toHaveLength(0);
  expect((await compare(auditor)).status).toBe(403);
  expect((await auditor.post(`/admin/reconciliation/${day}/close/1`, { reason: "none at all" })).status).toBe(403);
});

test("REC-24: payments that have long had no answer and disputed ones are in one list, and asking the provider settles them", async () => {
  await site.simulator.installFault({ match: {}, do: "reset_after" });
  const { answer } = await site.give(await site.visitor());
  await site.simulator.clearFaults();
  expect(answer.data.state).toBe("processing");
  const path = "/admin/reconciliation/payments";
  const listed = async () => textOf((await treasurer.get(path)).html, "tbody .st");
  expect(await listed()).toEqual([]);
  site.clock.advance(16 * minute);
  expect(await listed()).toEqual(["No answer"]);
  const { rows } = await site.pool.query("select donation_id as id from payment_attempts where id = $1", [
    answer.data.id,
  ]);
  const page = (await treasurer.get(path)).html;
  expect(readPage(page).querySelector("tbody th a")?.getAttribute("href")).toBe(`/admin/donations/${rows[0].id}`);

  const asked = await treasurer.post(`${path}/${answer.data.id}/check`);
  expect(asked.status).toBe(303);
  expect(textOf((await treasurer.get(path)).html, ".toast")).toEqual([
    "PayWay says that this payment was paid. Our books say so now.",
  ]);
  expect(await acts("payment.check")).toMatchObject([{ subject: "donation", subject_id: rows[0].id }]);
  expect(await listed()).toEqual([]);

  await site.pool.query("update payment_attempts set state = 'disputed' where id = $1", [answer.data.id]);
  expect(await listed()).toEqual(["Disputed"]);
  const told = async (who: typeof treasurer) => textOf((await who.get(path)).html, "tbody .w-c")[0];
  expect(await told(treasurer)).toContain("Answer the dispute at PayWay before its deadline.");
  expect(await told(await site.logIn("auditor"))).toBe(
    "The payer disputes it with their bank. We find out the result automatically.",
  );
  const again = await treasurer.post(`${path}/${answer.data.id}/check`);
  expect(again.status).toBe(303);
  const gone = await treasurer.post(`${path}/00000000-0000-4000-8000-000000000000/check`);
  expect(gone.status).toBe(409);
  expect(textOf(gone.html, "[role=alert]")).toEqual(["This payment does not need review any more."]);
});

test("REC-38: payments to review and differences link to the ticket order or donation, and a refund to its page", async () => {
  const order = await insertOrder(site.database, await insertTicketedEvent(site.database));
  const attempt = (changes: object) =>
    makeAttempt(site.database, order, { donation_id: null, ticket_order_id: order, ...changes });
  const disputed = await attempt({ state: "disputed", lease_until: null });
  const waiting = {
    state: "requested",
    created_at: new Date(site.clock.now().getTime() - 25 * 60 * minute),
    settled_at: null,
  } as const;
  const paid = await makeAttempt(site.database, await makeDonation(site.database), {
    state: "succeeded",
    lease_until: null,
  });
  const { refund } = await makeRefund(site.database, paid, { "donations:zakat": 1000 }, waiting);
  const page = readPage((await treasurer.get("/admin/reconciliation/payments")).html);
  const linksOf = (id: string) =>
    [...page.querySelectorAll(`tr[data-id="${id}"] th a`)].map((link) => link.getAttribute("href"));
  expect(linksOf(disputed)).toEqual([`/admin/orders/${order}`]);
  expect(linksOf(paid)).toEqual([expect.stringMatching("^/admin/donations/"), `/admin/refunds/${refund.id}`]);

  await site.pool.query(
    `insert into reconciliation_findings (day, provider, kind, reference, attempt_id, theirs_cents, ours_cents, found_at, last_seen_at)
     values ($1, 'payway', 'charged_twice', 'X-1', $2, 100, 0, now(), now())`,
    [day, disputed],
  );
  expect(readPage(await showDay()).querySelector(`.panel a[href="/admin/orders/${order}"]`)).not.toBeNull();
});

test("REC-26: on a phone, where tables have no heads, each figure of the days and of a day has its name", async () => {
  for (const path of ["", `/${day}`]) {
    const page = readPage((await treasurer.get(`/admin/reconciliation${path}`)).html);
    expect(page.querySelectorAll("td.num").length).toBeGreaterThan(2);
    expect(page.querySelectorAll("td.num:not([data-l])")).toHaveLength(0);
  }
});
