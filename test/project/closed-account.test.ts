import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listHoldings, rulesOf } from "#app/holdings.ts";
import { startScheduledTasks } from "#app/scheduled-tasks.ts";
import { applyRetention } from "#shared/retention/retention.ts";
import { longTest } from "#test/long-test.ts";
import { PASSWORD, registerUser } from "../accounts.ts";
import { compareBooks } from "../books.ts";
import {
  applyAsLeaver,
  doEverything,
  donateAsLeaver,
  leaver,
  leaverTexts,
  sendAllEmails,
  writeAsLeaver,
} from "../leaver.ts";
import { findText } from "../personal-data.ts";
import { openTestSite, type TestSite } from "../site.ts";

const DAY = 86_400_000;
const YEAR = 366 * DAY;

let site: TestSite;
beforeEach(async () => {
  site = await openTestSite();
});
afterEach(() => site.close());

const runJob = () => applyRetention(site.services, rulesOf(listHoldings(site.services)));
/** Only trial sites keep emails in the database; other sites send them away. */
const isEmail = (column: string) => column.startsWith("mailbox_messages.");

async function readBooks() {
  const read = async (text: string) => (await site.pool.query(text)).rows;
  return {
    ledger: await read("select * from ledger_entries order by id"),
    sums: await read("select transaction_id from ledger_entries group by 1 having sum(amount_cents) <> 0"),
    donations: await read("select id, reference, subtotal_cents, total_cents, created_at from donations order by id"),
    orders: await read("select id, reference, total_cents, state from ticket_orders order by id"),
    attempts: await read(
      "select id, order_reference, amount_cents, state, settled_at from payment_attempts order by id",
    ),
    receipts: await read(
      "select number, donation_id, issued_at, data -> 'totalCents' as total, data -> 'paidOn' as day from receipts order by number",
    ),
  };
}

async function register() {
  const { firstName, lastName, email, mobile } = leaver;
  return registerUser(site, undefined, { firstName, lastName, email, mobile });
}

test("PRO-11, SEC-9: closing an account leaves the name only on receipts and unused tickets; later the job erases those too, and the books stay", async () => {
  const guest = await site.visitor("198.51.100.7");
  await donateAsLeaver(site, guest);
  const hidden = {
    is_anonymous: true,
    donorName: "Anonymous User",
    donor_first_name: "Anonymous",
    donor_last_name: "User",
    postal_code: undefined,
  };
  expect((await donateAsLeaver(site, guest, hidden)).answer.code).toBe("200");
  await writeAsLeaver(guest, "As a guest");
  const { visitor, user } = await register();
  await site.pool.query("update users set email_verified_at = now() where id = $1", [user.id]);
  const { aheadOrder } = await doEverything(site, visitor, user.id);
  const places = await findText(site.pool, leaverTexts);
  expect(places).toEqual(
    expect.arrayContaining(["contact_messages.message", "donations.email", "users.email", "mailbox_messages.source"]),
  );
  const books = await readBooks();

  expect(await visitor.post("/api/close-account", { password: PASSWORD })).toMatchObject({ code: "200" });
  const emails = await site.pool.query("select subject, text_body from mailbox_messages where recipient = $1", [
    leaver.email,
  ]);
  expect(emails.rows).toMatchObject([
    { subject: "Your account is closed", text_body: expect.stringContaining("seven years") },
  ]);
  const order = ["address", "email", "first_name", "last_name", "phone"].map((column) => `ticket_orders.${column}`);
  const left = (await findText(site.pool, leaverTexts)).filter((column) => !isEmail(column));
  expect(left).toEqual(["receipts.data", ...order, "tickets.holder_name"]);
  const named = await site.pool.query("select id from ticket_orders where email <> ''");
  expect(named.rows).toEqual([{ id: aheadOrder.order.id }]);
  const { rows: personal } = await site.pool.query(
    "select count(*) from private_files union all select count(*) from volunteer_applications union all select count(*) from sessions",
  );
  expect(personal.map(({ count }) => Number(count))).toEqual([0, 0, 0]);
  expect(await readBooks()).toEqual(books);

  // The tickets can be used, renamed and cancelled as before.
  const { buyer, order: ticketOrder } = aheadOrder;
  const found = (await buyer.find(ticketOrder)).data;
  expect(found.tickets[0].holder).toBe("Zubeida Quillfeather");
  expect(await buyer.rename(ticketOrder, found.tickets[0].id, "Bilal Raza")).toMatchObject({ code: "200" });
  await runJob();
  expect((await buyer.find(ticketOrder)).data.email).toBe(leaver.email);

  site.clock.advance(101 * DAY);
  await runJob();
  expect(await findText(site.pool, leaverTexts)).toEqual(["receipts.data"]);
  expect((await buyer.find(ticketOrder)).data.tickets[0].holder).toBe("");

  site.clock.advance(7 * YEAR);
  await runJob();
  expect(await findText(site.pool, leaverTexts)).toEqual([]);
  expect(await readBooks()).toEqual(books);
  expect(books.sums).toEqual([]);
  const compared = await compareBooks(site.pool, await site.simulator.listLedger());
  expect(compared).toMatchObject({ receiptNumbersAreGapless: true, paidWithoutCharge: [], amountsThatDiffer: [] });
});

longTest(
  "SEC-9: guests' data is erased automatically: messages after a year, unpaid donations after 90 days, the rest in its time",
  async () => {
    const visitor = await site.visitor("198.51.100.8");
    await doEverything(site, visitor);
    const books = await readBooks();
    const left = async () => (await findText(site.pool, leaverTexts)).filter((column) => !isEmail(column));
    await runJob();
    expect(await left()).toEqual(expect.arrayContaining(["contact_messages.name", "donations.email"]));

    site.clock.advance(91 * DAY);
    await runJob();
    const { rows } = await site.pool.query(
      "select state, email from donations join payment_attempts on donation_id = donations.id where donations.created_at > $1 order by state",
      [new Date(site.clock.now().getTime() - 200 * DAY)],
    );
    expect(rows).toEqual([
      { state: "failed", email: "" },
      { state: "succeeded", email: leaver.email },
    ]);

    site.clock.advance(2 * YEAR);
    await runJob();
    expect(await left()).toEqual([
      "donations.email",
      "donations.first_name",
      "donations.last_name",
      "donations.search_text",
      "receipts.data",
    ]);
    const traces = await site.pool.query(
      "select 1 from payment_attempts where customer_ip_address <> '' or browser_id is not null",
    );
    expect(traces.rowCount).toBe(0);

    site.clock.advance(6 * YEAR);
    await runJob();
    expect(await findText(site.pool, leaverTexts)).toEqual([]);
    expect(await readBooks()).toEqual(books);
  },
);

test("PRO-11: closing an unconfirmed account erases what was sent while logged in, and nothing that others sent under that email", async () => {
  const guest = await site.visitor("198.51.100.10");
  await donateAsLeaver(site, guest);
  await writeAsLeaver(guest, "Not sent by the account");
  const { visitor, user } = await register();
  await donateAsLeaver(site, visitor, { user_id: user.id });
  await writeAsLeaver(visitor);
  await sendAllEmails(site);
  expect(await visitor.post("/api/close-account", { password: PASSWORD })).toMatchObject({ code: "200" });
  const { rows } = await site.pool.query(
    "select (select count(*) from donations where email = $1) as donations, (select count(*) from contact_messages) as messages",
    [leaver.email],
  );
  expect(rows).toEqual([{ donations: 1, messages: 1 }]);
});

longTest(
  "PRO-11: an undecided payment keeps its donor until it is decided; a later refund's receipt still has the name, and no email is sent",
  async () => {
    const { visitor, user } = await register();
    const { answer } = await donateAsLeaver(site, visitor, { user_id: user.id });
    await sendAllEmails(site);
    await site.simulator.installFault({ do: "reset_after", match: { op: "charge" }, times: 2 });
    const open = await donateAsLeaver(site, visitor, { user_id: user.id });
    expect(open.answer.code).toBe("202");
    await visitor.post("/api/close-account", { password: PASSWORD });
    const named = async () => (await site.pool.query("select reference from donations where email <> ''")).rowCount;
    expect(await named()).toBe(1);
    await site.settleOpen();
    await sendAllEmails(site);
    const receipts = async () =>
      (
        await site.pool.query(
          "select data ->> 'donorName' as name, data ->> 'replaces' as replaces from receipts order by number",
        )
      ).rows;
    expect(await receipts()).toHaveLength(2);
    const emails = await site.pool.query(
      "select 1 from mailbox_messages where recipient = $1 and subject ilike '%receipt%'",
      [leaver.email],
    );
    expect(emails.rowCount).toBe(1);
    await runJob();
    expect(await named()).toBe(0);

    const { rows } = await site.pool.query(
      "select payment_attempts.id from payment_attempts join donations on donations.id = donation_id where reference = $1",
      [answer.data.reference],
    );
    await site.simulator.advance(2 * DAY);
    const asked = {
      attemptId: rows[0].id,
      amountCents: 1000,
      requestKey: "one",
      requestedBy: "staff",
      reason: "Quillfeather rang",
    };
    await site.services.payments.refunds.request(asked as Parameters<typeof site.services.payments.refunds.request>[0]);
    await site.settleOpen();
    await sendAllEmails(site);
    expect((await receipts()).at(-1)).toEqual({ name: "Zubeida Quillfeather", replaces: "R-000001" });
  },
);

test("PRO-12: the data export has donations with receipts, tickets, messages, applications with their pictures, and emails", async () => {
  const { visitor, user } = await register();
  await doEverything(site, visitor, user.id);
  const guest = await site.visitor("198.51.100.11");
  await writeAsLeaver(guest, "Sent as a guest");
  await applyAsLeaver(site, guest);
  const read = async () => (await visitor.ask({ url: "/api/my-data" })).json();
  const data = await read();
  expect(Object.keys(data).sort()).toEqual(
    [
      "applications",
      "donations",
      "exportedAt",
      "messages",
      "passkeys",
      "sessions",
      "tickets",
      "user",
      "waitingLists",
    ].sort(),
  );
  expect(data.donations.map(({ payments }: { payments: { state: string }[] }) => payments[0]!.state).sort()).toEqual([
    "failed",
    "succeeded",
  ]);
  expect(data.donations.flatMap(({ receipts }: { receipts: object[] }) => receipts)).toMatchObject([
    { asIssued: { donorName: "Zubeida Quillfeather" } },
  ]);
  expect(data.tickets).toHaveLength(2);
  expect(data.tickets[0]).toMatchObject({
    event: "Charity dinner",
    state: "paid",
    totalCents: 10_000,
    email: leaver.email,
    address: leaver.street,
    tickets: [{ holder: "Zubeida Quillfeather" }, { holder: "Zubeida Quillfeather" }],
    payments: [{ state: "succeeded", amountCents: 10_000 }],
  });
  expect(data.messages).toMatchObject([{ message: "I live at 77 Wattlebird Lane.", phone: "0400 111 222" }]);
  expect(data.applications).toMatchObject([
    {
      stage: "received",
      street: leaver.street,
      emergencyName: leaver.emergencyName,
      photo: expect.stringMatching(/^data:image\/\w+;base64,/),
      signature: expect.stringMatching(/^data:image\/\w+;base64,/),
    },
  ]);

  await site.pool.query("update users set email_verified_at = now() where id = $1", [user.id]);
  const confirmed = await read();
  expect(confirmed.messages.map(({ message }: { message: string }) => message)).toContain("Sent as a guest");
  expect(confirmed.emails.map(({ subject }: { subject: string }) => subject)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Receipt|receipt/)]),
  );
  // What a stranger may have sent under this email shows no more than the page of the emailed link.
  const [, asGuest] = confirmed.applications;
  expect(asGuest).toMatchObject({ street: leaver.street });
  expect(Object.keys(asGuest).filter((key) => /emergency|photo|signature/.test(key))).toEqual([]);

  const { visitor: other } = await registerUser(site);
  expect(JSON.stringify((await other.ask({ url: "/api/my-data" })).json())).not.toMatch(/quillfeather/i);
});

test("PRO-11: what is being written for the account while it closes is erased too", async () => {
  const { visitor, user } = await register();
  const writer = await site.pool.connect();
  await writer.query("begin");
  await writer.query(
    `insert into contact_messages (id, client_key, name, email, message, user_id, created_at)
     values (gen_random_uuid(), gen_random_uuid(), 'Zubeida', $1, 'x', $2, now())`,
    [leaver.email, user.id],
  );
  const closing = visitor.post("/api/close-account", { password: PASSWORD });
  const isWaiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await site.pool.query(isWaiting)).rowCount).toBe(1);
  await writer.query("commit");
  writer.release();
  expect(await closing).toMatchObject({ code: "200" });
  expect((await findText(site.pool, leaverTexts)).filter((column) => !isEmail(column))).toEqual([]);
});

test("SEC-9: a running site erases what is due automatically", async () => {
  await writeAsLeaver(await site.visitor());
  site.clock.advance(2 * YEAR);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stop = startScheduledTasks(site.services);
  vi.advanceTimersByTime(600_000);
  stop();
  vi.useRealTimers();
  const kept = async () => (await site.pool.query("select 1 from contact_messages")).rowCount;
  await expect.poll(kept).toBe(0);
});
