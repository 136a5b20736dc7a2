import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sendEmails } from "#app/emails.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { planEvent } from "#test/called-off-event.ts";
import { readPage } from "#test/read-page.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { sendDueHolderEmails, writeHolderEmail } from "../../server/holder-emails/holder-emails.ts";

let site: RefundSite;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000", LOG_LEVEL: "silent" });
});
afterAll(() => site.close());

const TEN_MINUTES = 600_000;
const vip = [{ type: "vip", quantity: 1 }];
const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

/** An event with two orders of Amina's and one of Bilal's. */
async function sell() {
  const sana = await site.join("events");
  const event = await planEvent(site, sana);
  const amina = await event.buyer();
  const { order } = await amina.book(event.slug, vip);
  await amina.book(event.slug, vip);
  const bilal = await event.buyer();
  const { data } = await bilal.hold(event.slug, vip);
  await bilal.pay(data, { changes: { email: "BILAL@example.com" } });
  const path = event.screen.replace("/call-off", "/emails");
  const read = async () => (await sana.browser.get(path)).html;
  const words = { kind: "news", subject: "The doors open at 6", body: "Come early.\n\nThe <b>car park</b> is full." };
  return {
    ...event,
    sana,
    path,
    read,
    amina,
    order,
    bilal,
    bilals: data,
    words,
    form: async () => readPage(await read()).querySelector<HTMLInputElement>("#holders [name=form]")!.value,
    /** Sends and returns the emails of this event that are due. */
    async emails() {
      await sendDueHolderEmails(site.services);
      await site.pool.query("truncate mailbox_messages");
      const { rows } = await site.pool.query(
        "delete from pgboss.job where name = 'emails' and data ->> 'template' = 'holder-email' returning data",
      );
      for (const { data } of rows) await sendEmails(site.services)(data as JobData["emails"]);
      const sent = await site.pool.query(
        "select recipient, subject, text_body, html_body from mailbox_messages order by 1",
      );
      return sent.rows as { recipient: string; subject: string; text_body: string; html_body: string }[];
    },
  };
}

test("EVT-17: staff write to the holders, read the whole email, get it themselves first, and it goes out ten minutes later, once to each person", async () => {
  const event = await sell();
  const { sana, path, words } = event;
  const shown = await sana.browser.get(`${path}?kind=thanks`);
  expect(textOf(await event.read())).toContain("Write to 2 people with a ticket");
  expect(readPage(shown.html).querySelector<HTMLInputElement>("[name=subject]")!.value).toBe(
    "Thank you for coming to Charity dinner",
  );
  const form = await event.form();
  const preview = await sana.browser.post(`${path}/preview`, { ...words, form });
  for (const said of ["The doors open at 6", "The &lt;b&gt;car park&lt;/b&gt; is full."]) {
    expect(preview.html).toContain(said);
  }
  const tried = await sana.browser.post(`${path}/try`, { ...words, form });
  expect([tried.status, textOf(tried.html)]).toEqual([200, expect.stringContaining("Nobody else gets it yet.")]);
  expect(readPage(tried.html).querySelector<HTMLTextAreaElement>("[name=body]")!.value).toBe(words.body);
  const staff = await site.pool.query("select email from staff where id = $1", [sana.id]);
  const [{ email }] = staff.rows;
  const trials = "select recipient, subject, text_body from mailbox_messages where subject = $1";
  const [trial, ...more] = (await site.pool.query(trials, [words.subject])).rows;
  expect([trial!.recipient, more]).toEqual([email, []]);
  // It went out immediately: no job keeps what was typed, or who tried.
  const { rows: jobs } = await site.pool.query("select data from pgboss.job");
  for (const typed of [words.subject, "car park", email, sana.name]) expect(JSON.stringify(jobs)).not.toContain(typed);
  // When and where this event is, as everybody will read it.
  const facts = /When: .*?\n\n/s;
  const ownFacts = facts.exec(trial!.text_body)![0];

  expect((await sana.browser.post(path, { ...words, form })).status).toBe(303);
  // Sent twice, it is one email.
  expect((await sana.browser.post(path, { ...words, form })).status).toBe(303);
  expect(textOf(await event.read())).toContain("Waits to go out");
  expect(await event.emails()).toEqual([]);
  site.clock.advance(TEN_MINUTES);
  const emails = await event.emails();
  expect(emails.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ["BILAL@example.com", "The doors open at 6"],
    ["amina@example.com", "The doors open at 6"],
  ]);
  for (const said of ["Dear Amina Raza,", "Come early.", "The <b>car park</b> is full.", "When:", "/ticket-orders/"]) {
    expect(emails[1]!.text_body).toContain(said);
  }
  expect(facts.exec(emails[1]!.text_body)![0]).toBe(ownFacts);
  expect(emails[1]!.html_body).not.toContain("<b>car park");
  expect(await event.emails()).toEqual([]);
  expect(textOf(await event.read())).toContain("Sent to 2 people");
  const { browser } = await site.join("administrator");
  expect(textOf((await browser.get("/admin/audit")).html)).toContain(
    "wrote an email to the ticket holders of event Charity dinner",
  );
});

test("EVT-17: a reminder begins with the tickets at the door, or with the access details if the event is only online", async () => {
  const event = await sell();
  const begins = async () =>
    readPage((await event.sana.browser.get(`${event.path}?kind=reminder`)).html).querySelector("[name=body]")!
      .textContent!;
  const set = (columns: string) => site.pool.query(`update events set ${columns} where id = $1`, [event.id]);
  await set("is_online = false, place = 'Town hall'");
  expect(await begins()).toContain("have your tickets ready at the door");
  await set("is_online = true, place = ''");
  const online = await begins();
  expect(online).toContain("We send you the access details by email.");
  expect(online).not.toContain("door");
});

test("EVT-17: an email that is stopped, corrected and sent again from the same form goes out; before, the form says to stop it", async () => {
  const event = await sell();
  const { sana, path, words } = event;
  const form = await event.form();
  await sana.browser.post(path, { ...words, form });
  const corrected = { ...words, body: "Come at 5." };
  const refused = await sana.browser.post(path, { ...corrected, form });
  expect([refused.status, textOf(refused.html).includes("still waits to go out")]).toEqual([409, true]);
  const { rows } = await site.pool.query("select id from holder_emails where event_id = $1", [event.id]);
  await sana.browser.post(`${path}/${rows[0].id}/stop`);
  expect((await sana.browser.post(path, { ...corrected, form })).status).toBe(303);
  site.clock.advance(TEN_MINUTES);
  const bodies = (await event.emails()).map(({ text_body }) => /Come \S+ ?\d?\./.exec(text_body)![0]);
  expect(bodies).toEqual(["Come at 5.", "Come at 5."]);
});

test("EVT-17: whoever has cancelled by then gets none; until it goes out anybody who may plan events can stop it", async () => {
  const event = await sell();
  const { sana, path, words } = event;
  await sana.browser.post(path, { ...words, form: await event.form() });
  const { rows } = await site.pool.query("select id from holder_emails where event_id = $1", [event.id]);
  const peter = await site.join("administrator");
  const stop = `${path}/${rows[0].id}/stop`;
  const other = await sell();
  expect((await peter.browser.post(stop.replace(path, other.path))).status).toBe(409);
  expect((await peter.browser.post(stop)).status).toBe(303);
  expect((await sana.browser.post(stop)).status).toBe(409);
  expect(textOf(await event.read())).toContain(`StoppedBy ${peter.name}`);
  site.clock.advance(TEN_MINUTES);
  expect(await event.emails()).toEqual([]);

  const later = await sell();
  await later.sana.browser.post(later.path, { ...words, form: await later.form() });
  site.clock.advance(TEN_MINUTES);
  // Handed over, and cancelled before it is written.
  await sendDueHolderEmails(site.services);
  const { data } = await later.bilal.find(later.bilals);
  await later.bilal.cancel(
    later.bilals,
    data.tickets.map(({ id }: { id: string }) => id),
  );
  expect((await later.emails()).map(({ recipient }) => recipient)).toEqual(["amina@example.com"]);
});

test("EVT-17: thanks can go to those who came; nothing is sent to nobody, or without words", async () => {
  const event = await sell();
  const { sana, path, words } = event;
  const none = await sana.browser.post(path, { ...words, to: "came", form: randomUUID() });
  expect([none.status, textOf(none.html)]).toEqual([409, expect.stringContaining("There is nobody to send it to.")]);
  const wrong = await sana.browser.post(path, { ...words, subject: " ", body: "", form: randomUUID() });
  expect(wrong.status).toBe(422);
  for (const said of ["Write a subject.", "Write what the email says."]) expect(wrong.html).toContain(said);
  const { data } = await event.bilal.find(event.bilals);
  const phone = randomUUID();
  await site.pool.query(
    `insert into door_phones (id, event_id, name, added_by, added_at) values ($1, $2, 'Main door', $3, now())`,
    [phone, event.id, sana.id],
  );
  await site.pool.query(
    `insert into door_scans (id, event_id, ticket_id, phone_id, scanned_at, received_at)
     values (gen_random_uuid(), $1, $2, $3, now(), now())`,
    [event.id, data.tickets[0].id, phone],
  );
  expect(textOf(await event.read())).toContain("Those who came in at the door: 1 person");
  const thanks = { kind: "thanks", subject: "Thank you", body: "It was good.", to: "came", form: randomUUID() };
  expect((await sana.browser.post(path, thanks)).status).toBe(303);
  site.clock.advance(TEN_MINUTES);
  const emails = await event.emails();
  expect(emails.map(({ recipient }) => recipient)).toEqual(["BILAL@example.com"]);
  expect(emails[0]!.text_body).not.toContain("When:");
});

test("EVT-17: two processes hand an email over once", async () => {
  const event = await sell();
  await writeHolderEmail(
    site.services,
    { id: randomUUID(), event: event.event, kind: "news", subject: "Once", body: "Once.", onlyCame: false },
    event.sana.actor,
  );
  site.clock.advance(TEN_MINUTES);
  await Promise.all([site.services, site.besides, site.services].map((each) => sendDueHolderEmails(each)));
  expect(await event.emails()).toHaveLength(2);
});

test("EVT-17: a trial that the mail server does not take says that nothing was sent, and keeps what was typed", async () => {
  const event = await sell();
  const { sana, path, words } = event;
  const send = vi.spyOn(site.services.mail, "send").mockRejectedValue(new Error("421 try later"));
  const tried = await sana.browser.post(`${path}/try`, { ...words, form: await event.form() });
  send.mockRestore();
  expect([tried.status, textOf(tried.html)]).toEqual([409, expect.stringContaining("Nothing was sent")]);
  expect(readPage(tried.html).querySelector<HTMLTextAreaElement>("[name=body]")!.value).toBe(words.body);
});

test("REL-13: an email to ticket holders that fails holds up no other", async () => {
  const [first, second] = [await sell(), await sell()];
  for (const event of [first, second]) {
    const words = { kind: "news", subject: "Once", body: "Once.", onlyCame: false } as const;
    await writeHolderEmail(site.services, { id: randomUUID(), event: event.event, ...words }, event.sana.actor);
    site.clock.advance(1000);
  }
  site.clock.advance(TEN_MINUTES);
  // The table refuses whatever changes the first event's email.
  await site.pool.query(`
    create function refuse_changes() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse_changes before update on holder_emails
      for each row when (new.event_id = ${first.id}) execute function refuse_changes()`);
  try {
    await expect(sendDueHolderEmails(site.services)).rejects.toThrow("failed for 1 of 2");
    const { rows } = await site.pool.query(
      "select event_id from holder_emails where sent_at is null and stopped_at is null",
    );
    expect(rows).toEqual([{ event_id: first.id }]);
  } finally {
    await site.pool.query("drop function refuse_changes cascade");
  }
  // Those of both: the first goes out in the next run.
  expect(await first.emails()).toHaveLength(4);
});
