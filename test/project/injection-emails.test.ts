import { randomUUID } from "node:crypto";
import { type AddressObject, simpleParser } from "mailparser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { makeRefund } from "#database/factories.ts";
import { price } from "#features/donations/cart.ts";
import { HolderName } from "#features/tickets/contract.ts";
import { sharp } from "#shared/images/sharp.ts";
import { documentLink } from "#shared/links/document-links.ts";
import { longTest } from "#test/long-test.ts";
import { APPLY, applicationFields, PHOTO, SIGNATURE } from "../application-form.ts";
import { isLongRun } from "../long-run.ts";
import { readPage } from "../read-page.ts";
import { newKey, type Visitor, wirePayment } from "../site.ts";
import { cancelRows, insertOrder, insertTicketedEvent, insertTicketPayment, insertTickets } from "../ticket-rows.ts";
import { corpus, fewOfEach, hasMark } from "./injection-corpus.ts";
import {
  countFields,
  expectCleanLog,
  expectKept,
  fault,
  faults,
  inAll,
  openPatientSite,
  sendHostile,
  show,
  skeletonOf,
  type TypedFields,
  visitorOf,
} from "./injection-forms.ts";
import type { WholeSite } from "./whole-site.ts";

const texts = isLongRun ? corpus : fewOfEach;
let site: WholeSite;
beforeAll(async () => {
  site = await openPatientSite();
});
afterAll(() => site.close());

/** Sends the waiting emails; returns them as a mail program reads them, each with its kind. */
async function readEmails() {
  const jobs = await site.pool.query("select id, data from pgboss.job where name = 'emails' and state = 'created'");
  const send = sendEmails(site.services);
  for (const { data } of jobs.rows) await send(data).catch((error) => fault(`${JSON.stringify(data)}: ${error}`));
  await site.pool.query("delete from pgboss.job where name = 'emails'");
  const { rows } = await site.pool.query("delete from mailbox_messages returning *");
  return Promise.all(
    rows.map(async (row) => {
      const mail = await simpleParser(row.source, { skipTextToHtml: true });
      const kind = /^<(contact-answer|tickets-(?:refused|payment|refund)|[a-z]+)-/.exec(row.message_id)?.[1] ?? "";
      return { mail, kind, recipient: String(row.recipient) };
    }),
  );
}

type ReadEmail = Awaited<ReturnType<typeof readEmails>>[number];

/** The header names and the markup of each kind of email when texts are plain. */
const shapeOf = ({ mail }: ReadEmail) => ({
  headers: mail.headerLines.map(({ key }) => key).join(" "),
  skeleton: skeletonOf(readPage(String(mail.html))),
});

const skeletonIn = (part: Element) => skeletonOf(readPage(part.outerHTML));

function checkEmail(
  email: ReadEmail,
  plain: Map<string, ReturnType<typeof shapeOf>>,
  expectedTexts: readonly string[],
) {
  const { mail, kind, recipient } = email;
  const [shape, expected] = [shapeOf(email), plain.get(kind)];
  if (shape.headers !== expected?.headers) fault(`${kind}: other headers: ${shape.headers}`);
  if (shape.skeleton !== expected?.skeleton) fault(`${kind}: other markup for ${expectedTexts.map(show)}`);
  const to = (mail.to as AddressObject).value;
  if (to.length !== 1 || to[0]?.address !== recipient) fault(`${kind}: goes to ${JSON.stringify(to)}`);
  if (/[\p{Cc}\u2028\u2029]/u.test(mail.subject ?? "")) fault(`${kind}: subject ${JSON.stringify(mail.subject)}`);
  const shown = readPage(String(mail.html)).querySelector("main")?.textContent ?? "";
  for (const text of expectedTexts) {
    if (!mail.text?.includes(text)) fault(`${kind}: the text does not say ${show(text)}`);
    if (!shown.includes(text)) fault(`${kind}: the page does not show ${show(text)}`);
  }
}

/** Without the control characters that the contact form turns into spaces: terminal, line and direction controls. */
const tame = (text: string) => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s\u202a-\u202e\u2066-\u2069]+/gu, "");

test("S4: hostile texts in a message are stored without control characters, and emails show them as text", async () => {
  const fields = ["name", "phone", "subject", "message"];
  const write = async (
    visitor: Visitor,
    hostile: TypedFields,
  ): Promise<{ kept: TypedFields; taken: TypedFields; emails: ReadEmail[] }> => {
    const key = randomUUID();
    const right = { name: "Amina", email: `amina-${key}@example.com`, phone: "1", subject: "Water", message: "Salaam" };
    const taken = await sendHostile(hostile, async (left) =>
      visitor.post("/api/contact", { ...right, ...left, key, captcha: await visitor.solveCaptcha("contact") }),
    );
    const { rows } = await site.pool.query("select * from contact_messages where client_key = $1", [key]);
    return { kept: rows[0] ?? {}, taken, emails: await readEmails() };
  };
  await readEmails();
  const visitor = await visitorOf(site, 252);
  const plain = new Map((await write(visitor, {})).emails.map((email) => [email.kind, shapeOf(email)]));
  expect([...plain.keys()].sort()).toEqual(["contact", "contact-answer"]);
  for (const { n, text } of texts) {
    const hostile = { ...inAll(fields, text), email: `${text}@example.com` };
    const { kept, taken, emails } = await write(await visitorOf(site, n), hostile);
    for (const [field, sent] of Object.entries(taken)) {
      if (tame(kept[field]!) !== tame(sent)) fault(`${field}: kept ${show(kept[field])} for ${show(sent)}`);
      const isLine = field !== "message";
      if (/[^\P{Cc}\n\t]/u.test(kept[field]!) || (isLine && /[\n\t\u2028]/.test(kept[field]!)))
        fault(`${field} holds control characters`);
    }
    for (const email of emails) {
      const isOurs = email.kind === "contact";
      const paragraphs = kept.message!.split(/\n{2,}/);
      if (!isOurs && hasMark(`${email.mail.text}${email.mail.html}`)) fault(`the answer repeats ${show(text)}`);
      if (paragraphs.length === 1)
        checkEmail(email, plain, isOurs ? [kept.name!, kept.subject!, kept.phone!, kept.message!] : []);
    }
    if (emails.length !== 2) fault(`${emails.length} emails for ${show(text)}`);
  }
  expect(faults.splice(0)).toEqual([]);
});

/** A line of a category that asks for names, with the server's price. */
async function namedLine() {
  const { data } = (await site.app.inject("/api/categories")).json();
  const category = data.category.find(
    (one: { asks_names: string; subcategory_status: string }) => one.asks_names === "yes",
  );
  const [kind] = category.category_subcategory;
  const dollars = kind?.subcategory_amount ?? category.category_amount ?? 100;
  const line = {
    category: category.category_title,
    subcategory: kind?.subcategory_title ?? "",
    quantity: 1,
    unitCents: Math.round(dollars * 100),
    onBehalfOf: [],
    adminFeeApplies: category.admin_fee_applies === "yes",
  };
  const wire = {
    donation_type: line.category,
    donation_type_option: line.subcategory,
    quantity: 1,
    donation_amount: dollars,
  };
  return { wire, amount: price([line], "cc", true, site.config.fees).totalCents / 100 };
}

test("S4: hostile texts in every field of a donation are refused by name or kept unchanged, on receipts and in emails", async () => {
  const { wire, amount } = await namedLine();
  const lineFields = ["donation_shared_name", "donation_type", "donation_type_option"];
  const fields = ["donor_first_name", "donor_last_name", "postal_code", "donorName", "donorEmail", "donationType"];
  const more = ["source", "payment_method", "payment_type", "singleUseTokenId", "user_id", "amount"];
  const give = async (visitor: Visitor, hostile: TypedFields) => {
    let receiptUrl = "";
    const token = await site.cardToken();
    const taken = await sendHostile(hostile, async (left) => {
      const names = { donor_first_name: "Amina", donor_last_name: "Raza", donor_email: "amina@example.com", ...left };
      const isOfLine = ([field]: [string, string]) => lineFields.includes(field);
      const line = {
        ...wire,
        donation_shared_name: "Dadi",
        ...Object.fromEntries(Object.entries(left).filter(isOfLine)),
      };
      const changes = {
        amount,
        donationType: wire.donation_type,
        donorEmail: names.donor_email,
        donorName: `${names.donor_first_name.trim()} ${names.donor_last_name.trim()}`,
        ...Object.fromEntries(Object.entries(names).filter((entry) => !isOfLine(entry))),
        item_details: JSON.stringify([line]),
        repeat: true,
      };
      const body = wirePayment(token, await visitor.solveCaptcha(), changes);
      const answer = await visitor.post("/api/payway-payment", body, newKey());
      receiptUrl = answer.data?.receiptUrl ?? "";
      return answer;
    });
    const { rows } = await site.pool.query(
      `select donations.*, on_behalf_of, receipts.data from donations join donation_lines on donation_id = id
         join receipts on receipts.donation_id = id order by created_at desc limit 1`,
    );
    return { taken, kept: rows[0], receiptUrl, emails: await readEmails() };
  };
  await readEmails();
  const plain = new Map(
    (await give(await visitorOf(site, 253), {})).emails.map((email) => [email.kind, shapeOf(email)]),
  );
  expect([...plain.keys()].sort()).toEqual(["donation", "receipt"]);
  const count = countFields();
  for (const { n, text } of fewOfEach) {
    const hostile = { ...inAll([...fields, ...more, ...lineFields], text), donor_email: `${text}@example.com` };
    const { taken, kept, receiptUrl, emails } = await give(await visitorOf(site, n), hostile);
    count.add(taken);
    const columns: TypedFields = { donor_first_name: "first_name", donor_last_name: "last_name", donor_email: "email" };
    expectKept(kept, taken, (field) => columns[field]);
    const name = `${kept.first_name} ${kept.last_name}`;
    const names = (taken.donation_shared_name ?? "Dadi").split(",").map((one) => one.trim());
    if (kept.on_behalf_of.join() !== names.join())
      fault(`on behalf of ${show(kept.on_behalf_of.join())} for ${show(names.join())}`);
    if (kept.data.donorName !== name || kept.data.lines[0].onBehalfOf.join() !== names.join())
      fault(`the receipt says other than ${show(name)}`);
    if (!(await site.app.inject(receiptUrl)).body.startsWith("%PDF")) fault(`no receipt as a PDF for ${show(name)}`);
    for (const email of emails) checkEmail(email, plain, [name, names.join(", ")]);
    if (emails.length !== 2) fault(`${emails.length} emails for ${show(text)}`);
  }
  expect(faults.splice(0)).toEqual([]);
  count.expectOpen({ donor_first_name: 15, donor_last_name: 15, donation_shared_name: 15, donor_email: 3 });
  count.expectClosed([...more, "donationType", "donation_type", "donation_type_option", "donorName"]);
});

/** What a browser sends for an application to volunteer, with two small pictures. */
async function sendApplication(visitor: Visitor, fields: TypedFields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const picture = sharp({ create: { width: 2, height: 2, channels: 3, background: "#2a6f77" } }).jpeg();
  for (const name of [PHOTO, SIGNATURE]) {
    form.set(name, new Blob([new Uint8Array(await picture.toBuffer())]), "picture.jpg");
  }
  const body = new Response(form);
  const response = await site.app.inject({
    method: "POST",
    url: APPLY,
    headers: { ...visitor.identity, "content-type": body.headers.get("content-type") ?? "" },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return response.json();
}

longTest(
  "S4: hostile texts in an application to volunteer are refused by name or kept, and emails and the applicant's page show them as text",
  async () => {
    const columns: TypedFields = {
      name: "name",
      st_add: "street",
      state: "state",
      em_name: "emergency_name",
      em_city: "emergency_city",
      em_state: "emergency_state",
      skill: "skills",
      pr_exp: "experience",
    };
    const more = ["postal", "mobile", "pref_contact", "availability", "em_postal", "em_mobile", "em_email"];
    const apply = async (visitor: Visitor, hostile: TypedFields) => {
      const key = randomUUID();
      const taken = await sendHostile(hostile, async (left) =>
        sendApplication(visitor, {
          ...applicationFields,
          email: `amina-${key}@example.com`,
          ...left,
          key,
          captcha: await visitor.solveCaptcha("volunteer"),
        }),
      );
      const { rows } = await site.pool.query("select * from volunteer_applications where client_key = $1", [key]);
      if (rows.length === 0) throw new Error(`Nothing was kept: ${faults.splice(0)}`);
      const { path: url } = documentLink(site.config, { kind: "application", id: rows[0].id }, site.clock.now());
      const page = readPage((await visitor.ask({ url })).body).querySelector("main")!;
      return { taken, kept: rows[0] as TypedFields, page, emails: await readEmails() };
    };
    await readEmails();
    const right = await apply(await visitorOf(site, 254), {});
    const plain = new Map(right.emails.map((email) => [email.kind, shapeOf(email)]));
    expect([...plain.keys()].sort()).toEqual(["application", "new"]);
    const count = countFields();
    for (const { n, text } of fewOfEach) {
      const hostile = { ...inAll([...Object.keys(columns), ...more], text), email: `${text}@example.com` };
      const { taken, kept, page, emails } = await apply(await visitorOf(site, n), hostile);
      count.add(taken);
      for (const [field, sent] of Object.entries(taken)) {
        const column = columns[field];
        if (column !== undefined && tame(kept[column]!) !== tame(sent.toWellFormed()))
          fault(`${field}: kept ${show(kept[column])}`);
      }
      for (const text of [kept.name!, kept.street!, kept.skills!, kept.experience!]) {
        if (!page.textContent?.includes(text)) fault(`the page does not show ${show(text)}`);
      }
      if (skeletonIn(page) !== skeletonIn(right.page)) fault(`the page has other markup for ${show(text)}`);
      for (const email of emails) {
        const isOurs = email.kind === "new";
        if (!isOurs && hasMark(`${email.mail.text}${email.mail.html}`)) fault(`the answer repeats ${show(text)}`);
        checkEmail(email, plain, isOurs ? [kept.name!, kept.skills!, kept.experience!] : []);
      }
      if (emails.length !== 2) fault(`${emails.length} emails for ${show(text)}`);
    }
    expect(faults.splice(0)).toEqual([]);
    count.expectOpen({ name: 15, st_add: 15, em_name: 15, skill: 20, pr_exp: 20 });
    count.expectClosed(["pref_contact", "availability", "mobile", "em_mobile"]);
  },
);

/** Puts this text into everything that emails about tickets repeat, and sends each of them. */
async function sendTicketEmails(text: string): Promise<ReadEmail[]> {
  const { database } = site;
  const names = { first_name: text, last_name: text };
  const event = await insertTicketedEvent(database, { title: text, place: text });
  const insert = (order: object) => insertOrder(database, event, { order: { ...names, ...order }, title: text });
  const orderId = await insert({});
  const tickets = await insertTickets(database, orderId, [text, text, text]);
  const { refund } = await makeRefund(database, await insertTicketPayment(database, orderId), { tickets: 10_000 });
  const refused = await insertTicketPayment(database, await insert({ state: "refunded" }));
  const unpaid = await insertTicketPayment(database, await insert({ state: "lapsed" }), { state: "failed" });
  const send = sendEmails(site.services);
  await send({ template: "tickets", orderId });
  await send({ template: "tickets-refused", attemptId: refused });
  await send({ template: "tickets-payment-outcome", attemptId: unpaid });
  await cancelRows(database, [tickets[0]!.id], refund.id);
  await send({ template: "tickets-refund", refundId: refund.id });
  return readEmails();
}

longTest(
  "S4: hostile names of buyers, guests and events are shown as text by emails about tickets, and printed",
  async () => {
    await readEmails();
    const plain = new Map((await sendTicketEmails("Amina")).map((email) => [email.kind, shapeOf(email)]));
    expect([...plain.keys()].sort()).toEqual(["tickets", "tickets-payment", "tickets-refund", "tickets-refused"]);
    const taken = texts.flatMap(({ text }) => HolderName.safeParse(text).data ?? []);
    expect(taken.length).toBeGreaterThan(texts.length / 2);
    for (const text of taken) {
      const emails = await sendTicketEmails(text);
      for (const email of emails) checkEmail(email, plain, [text, `Dear ${text} ${text},`]);
      if (emails.length !== 4) fault(`${emails.length} emails for ${show(text)}`);
      const [document] = emails.find(({ kind }) => kind === "tickets")?.mail.attachments ?? [];
      if (!document?.content.toString("latin1").startsWith("%PDF")) fault(`no tickets as a PDF for ${show(text)}`);
    }
    expect(faults.splice(0)).toEqual([]);
  },
);

test("REL-4, S4: every event is one line of the log, without control characters or typed text", () =>
  expectCleanLog(site));
