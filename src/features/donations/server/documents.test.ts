import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeManyDonations, makeRefund } from "#database/factories.ts";
import { longTest } from "#test/long-test.ts";
import { type Member, openMember } from "#test/member.ts";
import { openTestSite, type TestSite } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

/** The reference of a donation that this member makes, by card and through the site. */
async function give({ id, visitor }: Member): Promise<string> {
  const { answer } = await site.give(visitor, { changes: { user_id: id } });
  return answer.data.reference;
}

const get = ({ visitor }: Pick<Member, "visitor">, url: string) => visitor.ask({ url });
const pathIn = (url: string) => url.slice(new URL(url).origin.length);

async function textOf(bytes: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items.map((item) => ("str" in item ? item.str : "")).join("");
}

const year = "startDate=2026-07-01&endDate=2027-06-30";

test("PRO-8: the answer has a link to a donation's receipt at its top level, which opens without a session for ten minutes", async () => {
  const member = await openMember(site);
  const reference = await give(member);
  const answer = (await get(member, `/api/single-donation-pdf/${reference}`)).json();
  expect(answer).toMatchObject({ code: "200", status: "true", data: {} });
  expect(answer.url).toMatch(/^http:\/\/localhost:\d+\/receipts\/[0-9a-f-]{36}\?key=[\w.-]{61}$/);
  const receipt = await site.app.inject(pathIn(answer.url));
  expect(receipt.headers).toMatchObject({ "content-type": "application/pdf", "cache-control": "private, no-store" });
  expect(await textOf(receipt.rawPayload)).toContain(reference);
  site.clock.advance(601_000);
  expect((await site.app.inject(pathIn(answer.url))).statusCode).toBe(410);
});

/** Refunds part of a donation as the payments module does. */
async function refund(reference: string, returns: Record<string, number>): Promise<void> {
  const { database, subject } = site.services;
  const { rows } = await site.pool.query(
    "select a.id from payment_attempts a join donations d on d.id = donation_id where d.reference = $1",
    [reference],
  );
  await database.transaction().execute(async (transaction) => {
    const made = await makeRefund(transaction, rows[0].id, returns);
    await subject.onRefunded(transaction, made.attempt, made.refund, site.clock.now());
  });
}

test("DON-21, PRO-8: a donation's link shows the valid receipt, earlier void ones by their number, and after a full refund the void one", async () => {
  const member = await openMember(site);
  const reference = await give(member);
  const { url } = (await get(member, `/api/single-donation-pdf/${reference}`)).json();
  const numberOf = (headers: Record<string, unknown>) => /R-\d{6}/.exec(String(headers["content-disposition"]))![0];
  const open = (number = "") =>
    site.app.inject(`${pathIn(url)}${number === "" ? "" : `&number=${encodeURIComponent(number)}`}`);
  const first = numberOf((await open()).headers);
  await refund(reference, { "donations:zakat": 2815, "fees:admin": 141, "fees:merchant": 44 });
  const latest = await open();
  const second = numberOf(latest.headers);
  expect(await textOf(latest.rawPayload)).toContain(`Replaces receipt ${first}`);
  expect(await textOf((await open(first)).rawPayload)).toContain(`replaced by ${second}`);
  await refund(reference, { "donations:zakat": 7185, "fees:admin": 359, "fees:merchant": 114 });
  const last = await open();
  expect(numberOf(last.headers)).toBe(second);
  expect(await textOf(last.rawPayload)).toMatch(/Void since .*VOID/s);
  const others = numberOf(
    (await site.app.inject(pathIn((await get(member, `/api/single-donation-pdf/${await give(member)}`)).json().url)))
      .headers,
  );
  for (const wrong of [others, "R-999999", "R-1", "x", "\0"]) expect((await open(wrong)).statusCode, wrong).toBe(404);
});

test("PRO-8: the summary of a range has such a link too, and lists what was paid", async () => {
  const member = await openMember(site, { first_name: "Sana", last_name: "Malik" });
  await give(member);
  const answer = await member.visitor.post(`/api/donation-summary-pdf?email=${member.email}&${year}`, {});
  expect(answer).toMatchObject({ code: "200", status: "true" });
  const response = await site.app.inject(pathIn(answer.url));
  expect(response.headers["content-type"]).toBe("application/pdf");
  expect(response.headers["content-disposition"]).toBe('inline; filename="donations-2026-07-01-to-2027-06-30.pdf"');
  const text = await textOf(response.rawPayload);
  for (const expected of ["Sana Malik", member.email, "1 July 2026 to 30 June 2027", "$106.58", "R-0000"]) {
    expect(text).toContain(expected);
  }
  const moved = pathIn(answer.url).replace("2026-07-01", "2025-07-01");
  expect((await site.app.inject(moved)).statusCode).toBe(404);
  const other = pathIn(answer.url).replace(`/${member.id}/`, `/${member.id - 1}/`);
  expect((await site.app.inject(other)).statusCode).toBe(404);
  site.clock.advance(601_000);
  expect((await site.app.inject(pathIn(answer.url))).statusCode).toBe(410);
});

longTest(
  "PRO-8: a summary needs both dates in their order, and a PDF of more than 5,000 donations is refused",
  async () => {
    const member = await openMember(site);
    const ask = (query: string) => member.visitor.post(`/api/donation-summary-pdf?${query}`, {});
    expect((await ask("startDate=2026-07-01")).data).toHaveProperty("endDate");
    expect((await ask("startDate=2026-07-02&endDate=2026-07-01")).data).toEqual({
      endDate: ["Choose an end date on or after the start date"],
    });
    await makeManyDonations(site.database, { userId: member.id, count: 5001, minutes: 0 });
    expect((await ask("startDate=2000-01-01&endDate=2099-12-31")).data).toEqual({
      endDate: ["This period has more than 5,000 donations. Choose a shorter one"],
    });
  },
);

test("API-9: any receipt but one's own is refused with 403, whether it exists or not, and without a session with 401", async () => {
  const [one, other] = [await openMember(site), await openMember(site)];
  const reference = await give(other);
  const call = (id: string) => `/api/single-donation-pdf/${id}`;
  expect((await get(one, call(reference))).json()).toMatchObject({ code: "403", error: "not_allowed" });
  for (const unknown of ["D-0000-0000-0000", "1", "..%2f", "%00"]) {
    expect((await get(one, call(unknown))).json(), unknown).toMatchObject({ code: "403", error: "not_allowed" });
  }
  const visitor = await site.visitor();
  expect((await get({ visitor }, call(reference))).json()).toMatchObject({ code: "401", error: "not_signed_in" });
  const asGuest = (await site.give(visitor)).answer.data.reference;
  expect((await get(one, call(asGuest))).json()).toMatchObject({ code: "403", error: "not_allowed" });
});

test("PRO-8: a receipt that is not issued yet is 404 with a sentence that says what happens", async () => {
  const member = await openMember(site);
  const reference = "D-WA1T-WA1T-WA1T";
  const donationId = await makeDonation(site.database, { donation: { user_id: member.id, reference } });
  await makeAttempt(site.database, donationId, { state: "unknown" });
  expect((await get(member, `/api/single-donation-pdf/${reference}`)).json()).toMatchObject({
    code: "404",
    message: "Your receipt isn’t ready yet. We’ll email it to you.",
  });
  expect((await get(member, `/donation-history/receipt/${reference}`)).statusCode).toBe(404);
});

test("PRO-8: the history page's links redirect straight to the PDF, only for its owner", async () => {
  const [one, other] = [await openMember(site), await openMember(site)];
  const redirect = `/donation-history/receipt/${await give(one)}`;
  const led = await get(one, redirect);
  expect(led.statusCode).toBe(302);
  expect((await site.app.inject(String(led.headers.location))).headers["content-type"]).toBe("application/pdf");
  expect((await get(other, redirect)).statusCode).toBe(404);
  const visitor = await site.visitor();
  expect((await get({ visitor }, redirect)).headers.location).toBe("/login?return=%2Fdonation-history");
  const summary = await get(one, `/donation-history/summary?${year}`);
  expect((await site.app.inject(String(summary.headers.location))).headers["content-type"]).toBe("application/pdf");
});

test("PRO-9: a summary that cannot be made redirects to the page, which says why", async () => {
  const member = await openMember(site);
  for (const query of [
    "",
    "startDate=2026-07-01",
    "startDate=x&endDate=%00",
    "startDate=2026-07-02&endDate=2026-07-01",
  ]) {
    const { statusCode, headers } = await get(member, `/donation-history/summary?${query}`);
    expect(statusCode, query).toBe(302);
    expect(headers.location).toMatch(/^\/donation-history\?startDate=.*&endDate=.*&pdf=refused$/);
  }
});
