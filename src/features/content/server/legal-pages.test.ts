import { afterAll, beforeAll, expect, test } from "vitest";
import { legalFault, legalPlaceholders } from "#features/content/server/placeholders.ts";
import { sanitiseHtml, textOfHtml } from "#shared/html/sanitise.ts";
import { Organisation } from "#shared/organisation.ts";
import { stackTables } from "#shared/ui/prose.tsx";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import settings from "../../../../organisation.json" with { type: "json" };
import type { LegalPageType } from "../content.ts";
import { contentReads } from "./content-reads.ts";

const policies: readonly LegalPageType[] = ["privacy", "refunds", "terms", "accessibility"];
const organisation = Organisation.parse({
  ...settings,
  name: "Marigold & Sons <Trust>",
  phone: "02 9000 1111",
  email: "office@marigold.example",
  supports: "Marigold Hospital, Kenya",
});
const config = { tickets: { holdMs: 0, cancelHours: 72 }, retention: { volunteerFilesDays: 31 } };

const rules = [
  {
    name: "photos",
    where: "Photo & signature",
    what: "Your picture",
    why: "To recognise you.",
    kept: "31 days after we decline.",
    afterwards: "It is deleted.",
    columns: [],
  },
];

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

async function read(type: LegalPageType, changes: Partial<Organisation> = {}) {
  const placeholders = () => legalPlaceholders({ ...organisation, ...changes }, config, rules);
  const page = await contentReads(db.database, () => new Date(), placeholders).findLegalPage(type);
  return { ...page!, text: textOfHtml(page!.html) };
}

test("PAGE-9: each policy names the organisation that runs the site, and no other", async () => {
  for (const type of policies) {
    const { html, text } = await read(type);
    expect(text, type).toContain("Marigold & Sons <Trust>");
    expect(html, type).toContain('<a href="mailto:office@marigold.example">office@marigold.example</a>');
    expect(html, type).toContain('<a href="tel:0290001111">');
    expect(text, type).not.toMatch(/chashma|[{}]/i);
    expect(sanitiseHtml(html), type).toBe(html);
  }
  expect((await read("privacy")).text).toContain("Marigold Hospital, Kenya");
  expect((await read("privacy", { abn: "" })).text).toContain("(ABN not yet known)");
});

test("PAGE-9: the delivered policies have no fault", async () => {
  const { rows } = await db.pool.query<{ html: string }>("select html from pages where type = any($1)", [policies]);
  expect(rows.map(({ html }) => legalFault(html))).toEqual([null, null, null, null]);
});

test("PAGE-9: the policies state the configured hours", async () => {
  expect((await read("refunds")).text).toContain("until 72 hours before the event begins");
});

test("SEC-9: the privacy policy shows the retention table, which becomes a list on phones", async () => {
  const { html } = await read("privacy");
  expect(html).toContain(
    '<tr><th scope="row">Photo &amp; signature</th><td>Your picture</td><td>To recognise you.</td><td>31 days after we decline. It is deleted.</td></tr>',
  );
  expect(html).not.toContain("Nothing is deleted automatically");
  expect(stackTables(html)).toContain('role="rowheader" data-l="Where" scope="row">Photo &amp; signature');
});

test("PAGE-9: the privacy policy says what is collected, why, for how long, who receives it, and where to complain", async () => {
  const { text } = await read("privacy");
  for (const words of [
    "Australian Privacy Principles",
    "How long we keep it",
    "Who else receives it",
    "overseas",
    "Westpac",
    "PayPal",
    "Cookies",
    "See, correct or delete",
    "complain to the Office of the Australian Information Commissioner",
  ]) {
    expect(text).toContain(words);
  }
});

test("PAGE-8, PAGE-9: a policy written by SQL is sanitised after its placeholders are filled in", async () => {
  const html = '<p title="{name}">{name} {nobody} {constructor}</p><script>alert("{name}")</script>';
  await db.pool.query("update pages set html = $1 where type = 'terms'", [html]);
  expect((await read("terms")).html).toBe("<p>Marigold &amp; Sons &lt;Trust&gt; {nobody} {constructor}</p>");
});

test("NAV-9, PAGE-9: a policy without a sentence for search engines is described by its text as visitors read it", async () => {
  await db.pool.query("update pages set search_description = '' where type = 'privacy'");
  expect((await read("privacy")).description).toContain("Marigold & Sons <Trust> (ABN ");
  expect((await read("privacy")).description).not.toMatch(/[{}]/);
});

test("PAGE-9: a change of a policy drops cached pages", async () => {
  const version = async () => (await db.pool.query("select version from content_version")).rows[0].version;
  const before = await version();
  await db.pool.query("update pages set title = 'Our privacy policy' where type = 'privacy'");
  expect(await version()).not.toBe(before);
});
