import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund, makeUser } from "#database/factories.ts";
import { type DonationPages, openDonationPages } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";

let site: DonationPages;
beforeAll(async () => {
  site = await openDonationPages();
});
afterAll(() => site.close());

/** A paid donation of $106.58 at this time. */
async function give(time: string, donation: object, line: object = { fund: "sadaqah", category_title: "Sadaqah" }) {
  const at = new Date(time);
  const id = await makeDonation(site.database, { donation: { ...donation, created_at: at }, line });
  const times = { sent_at: at, settled_at: at, created_at: at };
  return { id, attempt: await makeAttempt(site.database, id, { state: "succeeded", ...times }) };
}

async function openSummary(staff: Awaited<ReturnType<DonationPages["logIn"]>>, path: string) {
  const response = await staff.visitor.ask({ url: path });
  if (response.statusCode !== 200) return { status: response.statusCode, headers: response.headers, text: "" };
  const { promise } = getDocument({ data: new Uint8Array(response.rawPayload), verbosity: 0 });
  const { items } = await (await (await promise).getPage(1)).getTextContent();
  const text = items.map((item) => ("str" in item ? item.str : "")).join("");
  return { status: 200, headers: response.headers, text };
}

test("PER-12: a person's page has the summary of each financial year as a PDF, without an account too", async () => {
  const email = "yasmin@example.com";
  // The last minute of June in Sydney, and the first of July.
  const june = await give("2026-06-30T13:59:00Z", { email: "Yasmin@Example.com", first_name: "Yasmin" });
  const july = await give("2026-06-30T14:00:00Z", { email, first_name: "Yasmin" });
  await makeRefund(site.database, july.attempt, { "donations:sadaqah": 1000 });
  await give("2026-08-01T02:00:00Z", { email, is_anonymous: true });
  await give("2026-08-01T02:00:00Z", { email: `other-${email}` });
  const auditor = await site.logIn("auditor");
  const page = readPage((await auditor.get(`/admin/people/${june.id}`)).html);
  const links = [...page.querySelectorAll("section[aria-labelledby=years] a")].map((a) => a.getAttribute("href")!);
  expect(links).toEqual([2027, 2026].map((year) => `/admin/people/${june.id}/summaries/${year}`));
  const now = await openSummary(auditor, links[0]!);
  expect(now.headers).toMatchObject({
    "content-type": "application/pdf",
    "cache-control": "private, no-store",
    "content-disposition": 'inline; filename="donations-2026-07-01-to-2027-06-30.pdf"',
  });
  for (const words of [
    "Yasmin Raza",
    "Yasmin@Example.com",
    "After a refund of $10.00",
    "Total paid in 1 donation: $96.58",
  ]) {
    expect(now.text).toContain(words);
  }
  const before = await openSummary(auditor, links[1]!);
  expect(before.text).toContain("1 July 2025 to 30 June 2026");
  expect(before.text).toContain("Total paid in 1 donation: $106.58");
  for (const wrong of [2025, "x", "02026", "2026.0"]) {
    expect((await openSummary(auditor, `/admin/people/${june.id}/summaries/${wrong}`)).status, `${wrong}`).toBe(404);
  }
  const nobody = "/admin/people/00000000-0000-4000-8000-000000000000/summaries/2026";
  expect((await openSummary(auditor, nobody)).status).toBe(404);
  expect((await openSummary(await site.logIn("events"), links[0]!)).status).toBe(403);
});

test("PER-12: the summary of somebody with an account has what they see there, under the account's name", async () => {
  const member = await makeUser(site.database, {
    email: "bilal@example.com",
    first_name: "Bilal",
    mobile: "61400000191",
  });
  const { id } = await give("2026-08-01T02:00:00Z", { email: "bilal@example.com", first_name: "B." });
  await give("2026-08-02T02:00:00Z", { email: "bilal@work.example.com", user_id: member.id });
  const { text } = await openSummary(await site.logIn("auditor"), `/admin/people/${id}/summaries/2027`);
  expect(text).toContain("Bilal ");
  expect(text).toContain("Total paid in 2 donations: $213.16");
});

test("PER-12: a summary that shows faith needs the right, and each look is recorded", async () => {
  const { id } = await give("2026-08-01T02:00:00Z", { email: "samina@example.com" }, {});
  await give("2025-08-01T02:00:00Z", { email: "samina@example.com" });
  const path = `/admin/people/${id}/summaries/2027`;
  const auditor = await site.logIn("auditor");
  const { html } = await auditor.get(`/admin/people/${id}`);
  expect(readPage(html).querySelector("section[aria-labelledby=years] a")).toBeNull();
  expect((await openSummary(auditor, path)).status).toBe(403);
  expect((await openSummary(auditor, `/admin/people/${id}/summaries/2026`)).status).toBe(200);
  expect(await site.actsOf(id)).toEqual([]);
  expect((await openSummary(await site.logIn("treasurer"), path)).text).toContain("Zakat");
  expect(await site.actsOf(id)).toMatchObject([{ verb: "faith.see" }]);
});
