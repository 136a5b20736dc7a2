import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { listHoldings, releasePerson } from "#app/holdings.ts";
import type { Connection } from "#shared/database/connect.ts";
import { signPath } from "#shared/http/signed-link.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { dayInSydney, formatDay, keepTogether } from "#shared/language.ts";
import { openWholeSite, type WholeSite } from "#test/project/whole-site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import type { LinkedDocument } from "./contract.ts";
import { documentKey, revokeLinks } from "./document-links.ts";

const DAY = 86_400_000;
let site: WholeSite;
beforeAll(async () => {
  site = await openWholeSite({ LINK_DAYS: "30", LIMITS_DECLINES: "1000" });
});
afterAll(() => site.close());

const open = (url: string) => site.app.inject(url);
const statusesOf = async (urls: readonly string[]) =>
  Promise.all(urls.map(async (url) => (await open(url)).statusCode));
const revoke = (document: LinkedDocument) => revokeLinks(site.services, document, "Sana");

/** The email of this job, as its reader sees it. */
async function mail(job: JobData["emails"]): Promise<{ recipient: string; text: string; path: string }> {
  await site.pool.query("truncate mailbox_messages");
  await sendEmails(site.services)(job);
  const { rows } = await site.pool.query("select recipient, text_body as text from mailbox_messages");
  const link = new URL(/http:\/\/\S+\?key=\S+/.exec(rows[0].text)![0]);
  return { ...rows[0], path: link.pathname + link.search };
}

type Sent = { document: LinkedDocument; job: JobData["emails"]; paths: string[]; email: string };

/** One emailed document of each kind, with every path that its link opens. */
async function sendAll(): Promise<Sent[]> {
  const { answer } = await site.give(await site.visitor());
  const donationId = /[0-9a-f-]{36}/.exec(answer.data.receiptUrl)![0];
  const { slug } = await makeTicketedEvent(site.database);
  const { order } = await createBuyer(site, await site.visitor()).book(slug, [{ type: "vip", quantity: 1 }]);
  const applicationId = await makeApplication(site.database, {
    created_at: site.clock.now(),
    email: "sana@example.com",
  });
  const jobs: [LinkedDocument, JobData["emails"], string[]][] = [
    [{ kind: "receipt", id: donationId }, { template: "receipt", donationId }, [""]],
    [
      { kind: "ticket_order", id: order.id },
      { template: "tickets", orderId: order.id },
      ["", "/tickets.pdf", "/event.ics"],
    ],
    [{ kind: "application", id: applicationId }, { template: "application-received", applicationId }, [""]],
  ];
  const sent: Sent[] = [];
  for (const [document, job, files] of jobs) {
    const { path, recipient } = await mail(job);
    sent.push({ document, job, email: recipient, paths: files.map((file) => path.replace("?", `${file}?`)) });
  }
  return sent;
}

const keyIn = (path: string) => path.split("?key=")[1]!;

test("SEC-8: a link in an email works to the end of the day that the email names; then a page says so, for each PDF too", async () => {
  const sent = await sendAll();
  const lastDay = new Date(site.clock.now().getTime() + 30 * DAY);
  const named = lastDay.toLocaleDateString("en-AU", { dateStyle: "long", timeZone: "Australia/Sydney" });
  for (const { job, paths } of sent) {
    expect(await statusesOf(paths)).toEqual(paths.map(() => 200));
    expect((await mail(job)).text).toContain(named);
  }
  site.clock.advance(30 * DAY - 60_000);
  for (const { paths } of sent) expect(await statusesOf(paths)).toEqual(paths.map(() => 200));
  site.clock.advance(DAY + 60_000);
  for (const { paths, document, email } of sent) {
    for (const path of paths) {
      const { statusCode, headers, body } = await open(path);
      expect(statusCode, path).toBe(410);
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "private, no-store",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex",
      });
      expect(body).toContain("<title>This link has expired |");
      expect(body).toContain('<meta name="robots" content="noindex"');
      expect(body).toContain(`this one until ${keepTogether(named)}`);
      expect(body).toContain("Email me a new link");
      expect(body.includes("/login?return=%2Fdonation-history")).toBe(document.kind === "receipt");
      for (const secret of [email, keyIn(path), "rel=&quot;canonical"]) expect(body).not.toContain(secret);
    }
  }
  const [receipt, order, application] = sent.map(({ document, paths }) => ({ ...document, key: keyIn(paths[0]!) }));
  const visitor = await site.visitor();
  const calls = [
    JSON.parse((await visitor.ask({ url: `/api/ticket-orders/${order!.id}?key=${order!.key}` })).body),
    await visitor.post(`/api/ticket-orders/${order!.id}/cancellation`, { key: order!.key, tickets: [order!.id] }),
    await visitor.post(`/api/volunteer/application/${application!.id}/withdrawal`, { key: application!.key }),
  ];
  for (const answer of calls) expect(answer).toMatchObject({ code: "410", error: "link_ended" });
  expect((await open(`/receipts/${receipt!.id}?key=${receipt!.key.slice(0, -1)}`)).statusCode).toBe(404);
});

test("DON-31: the page of a ten-minute link names no day while that day is not over", async () => {
  const { answer } = await site.give(await site.visitor());
  const path = new URL(answer.data.receiptUrl, "http://localhost").pathname;
  const madeAt = site.clock.now();
  const link = signPath(site.config.secretKey, path, { madeAt, until: new Date(madeAt.getTime() + 600_000) });
  site.clock.advance(600_000);
  expect((await open(link)).body).toMatch(/work for a limited time\. The document/);
  site.clock.advance(DAY);
  expect((await open(link)).body).toContain(`this one until ${keepTogether(formatDay(dayInSydney(madeAt)))}.`);
});

test("REL-2, SEC-8: an email that is sent again is the same, however much later", async () => {
  for (const { job } of await sendAll()) {
    const first = await mail(job);
    site.clock.advance(3 * DAY);
    expect(await mail(job)).toEqual(first);
  }
});

test("SEC-8: revoking ends every link to one document and to no other, also in an email that is sent again", async () => {
  const [one, other] = [await sendAll(), await sendAll()];
  for (const { document, paths, job } of one) {
    expect(await statusesOf(paths)).toEqual(paths.map(() => 200));
    const before = site.lines.length;
    await revoke(document);
    expect(await statusesOf(paths), document.kind).toEqual(paths.map(() => 410));
    const { body } = await open(paths[0]!);
    expect(body).toContain("<title>This link was switched off |");
    expect(body).toContain("Email me a new link");
    expect((await open((await mail(job)).path)).statusCode, "sent again").toBe(410);
    const noted = site.lines.slice(before).filter((line) => line.includes('"audit":"links_revoked"'));
    expect(noted).toHaveLength(1);
    expect(noted[0]).toContain('"by":"Sana"');
    expect(noted[0]).not.toMatch(/example\.com|key=|Amina/);
  }
  for (const { paths } of other) expect(await statusesOf(paths)).toEqual(paths.map(() => 200));
});

test("SEC-8: the browser that paid has no link that works after a revocation, and a member's own link still does", async () => {
  const visitor = await site.visitor();
  const { answer } = await site.give(visitor);
  const { id, receiptUrl } = answer.data;
  const donationId = /[0-9a-f-]{36}/.exec(receiptUrl)![0];
  await revoke({ kind: "receipt", id: donationId });
  const { data } = (await visitor.ask({ url: `/api/payments/${id}` })).json();
  expect(data.receiptUrl).toBe(receiptUrl);
  expect((await open(receiptUrl)).statusCode).toBe(410);
  site.clock.advance(1);
  const later = documentKey(site.config, { kind: "receipt", id: donationId }, site.clock.now());
  expect((await open(`/receipts/${donationId}?key=${later}`)).statusCode).toBe(200);
});

test("SEC-8: an order opened by its link shows no link that works for longer", async () => {
  const sent = await sendAll();
  const { document, paths } = sent[1]!;
  site.clock.advance(DAY);
  const { data } = (await open(`/api/ticket-orders/${document.id}?key=${keyIn(paths[0]!)}`)).json();
  expect(data.key).toBe(keyIn(paths[0]!));
  expect([data.pageUrl, data.ticketsUrl, data.calendarUrl]).toEqual(paths);
});

/** Requests a new link as the page does; returns the emails sent for it. */
async function askFor(document: LinkedDocument, key: string, address?: string) {
  await site.pool.query("delete from pgboss.job");
  const visitor = await site.visitor(address);
  const answer = await visitor.post("/api/document-links", { ...document, key });
  const { rows } = await site.pool.query("select data from pgboss.job where name = 'emails'");
  return { answer, jobs: rows.map(({ data }) => data as JobData["emails"]) };
}

test("DON-31: the page of an expired or revoked link emails a working one to the document's original address", async () => {
  for (const { document, paths, email } of await sendAll()) {
    await revoke(document);
    site.clock.advance(1000);
    const { answer, jobs } = await askFor(document, keyIn(paths[0]!));
    expect(answer).toMatchObject({
      code: "200",
      message: expect.stringMatching(/^Thank you\. We are sending a new link/),
    });
    expect(JSON.stringify(answer)).not.toContain("@");
    expect(jobs).toEqual([expect.objectContaining({ template: "new-link", ...document })]);
    const sent = await mail(jobs[0]!);
    expect(sent.recipient).toBe(email);
    expect(sent.text).toMatch(/^A new link to your (receipt R-|order T-|application V-)/);
    expect((await open(sent.path)).statusCode).toBe(200);
    expect((await open(paths[0]!)).statusCode).toBe(410);
    site.clock.advance(DAY);
    expect(await mail(jobs[0]!), "sent again").toEqual(sent);
  }
});

test("DON-31, SEC-4: every request gets the same answer, and at most three emails a day are sent for a document", async () => {
  const sent = await sendAll();
  const { document, paths } = sent[0]!;
  const key = keyIn(paths[0]!);
  const first = await askFor(document, key);
  for (const [of, wrong] of [
    [document, ""],
    [document, keyIn(sent[1]!.paths[0]!)],
    [{ ...document, id: crypto.randomUUID() }, key],
    [{ kind: "application", id: document.id }, key],
  ] as const) {
    expect(await askFor(of, wrong, "198.51.100.20")).toEqual({ answer: first.answer, jobs: [] });
  }
  const counts: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    const { answer, jobs } = await askFor(document, key, `198.51.100.${30 + n}`);
    expect(answer).toEqual(first.answer);
    counts.push(jobs.length);
  }
  expect(counts).toEqual([1, 1, 0, 0]);
  expect((await askFor(sent[1]!.document, keyIn(sent[1]!.paths[0]!))).jobs, "another document").toHaveLength(1);
  site.clock.advance(DAY);
  expect((await askFor(document, key)).jobs).toHaveLength(1);
});

test("DON-31: a network address may request twenty links an hour, and only with the page's forgery token", async () => {
  const { document, paths } = (await sendAll())[0]!;
  const refused: string[] = [];
  for (let n = 0; n < 21; n += 1) {
    const { answer } = await askFor(document, keyIn(paths[0]!), "198.51.100.99");
    if (answer.code !== "200") refused.push(`${n} ${answer.code} ${answer.error}`);
  }
  expect(refused).toEqual(["20 429 too_many_emails"]);
  const payload = { ...document, key: keyIn(paths[0]!) };
  const bare = await site.app.inject({ method: "POST", url: "/api/document-links", payload });
  expect(bare.json()).toMatchObject({ code: "403", error: "csrf" });
});

test("DON-31: no email is sent for a document that is gone or was never sent", async () => {
  await site.pool.query("truncate mailbox_messages");
  const at = site.clock.now().toISOString();
  for (const kind of ["receipt", "ticket_order", "application"] as const) {
    await sendEmails(site.services)({ template: "new-link", kind, id: crypto.randomUUID(), at });
  }
  expect((await site.pool.query("select 1 from mailbox_messages")).rowCount).toBe(0);
});

test("DON-31: where no email address is left, the page offers no email and says nothing about the document", async () => {
  const sent = await sendAll();
  // Past the event too: until then its tickets keep their buyer.
  site.clock.advance(400 * DAY);
  for (const { paths } of sent) expect((await open(paths[0]!)).body).toContain("The document itself is unchanged");
  const now = site.clock.now();
  for (const { email } of sent) {
    const person = { userId: null, email, isConfirmed: true, askedBy: "staff" } as const;
    const release = (transaction: Connection) =>
      releasePerson(transaction, listHoldings(site.services), { person, now });
    await site.database.transaction().execute(release);
  }
  for (const { paths } of sent) {
    const { statusCode, body } = await open(paths[0]!);
    expect(statusCode).toBe(410);
    expect(body).toMatch(/we have no email address for this (receipt|ticket order|application to volunteer)\./);
    expect(body).toContain("Call our helpline on ");
    expect(body).not.toMatch(/Email me a new link|The document itself is unchanged/);
  }
});
